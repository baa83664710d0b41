"""Structured bodies: `## Section` headings with nested bullets as data, and back. Bullets are in `bullets`.

    ## Claim                           {"claim": {"subject": "user", "predicate": "prefers"},

    - subject: user
    - predicate: prefers

    ## Next actions                     "next_actions": ["Run the tests"],

    - Run the tests

    ## Summary                          "summary": "Plain text is text."}

    Plain text is text.

`read` is the inverse of `render`: `read(render(data, shape), shape).values == data`, and rendering the data of
hand-written text reaches a fixed point. Scalars have the types of the shape (`shapes`), and headings that it does
not know are left alone.

`edit` writes the bullets of a value that differs again, and leaves everything else as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import takewhile
from typing import NamedTuple

from mdmem.note import blocks, bullets, facts
from mdmem.note.bullets import BulletReader
from mdmem.note.scalars import is_same
from mdmem.note.shapes import ANY, Objection, Shape
from mdmem.note.yamltext import Value

INTRO = ""  # the key of the text above the first section

_KEY_HEADING = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_LIST_START = re.compile(r"\s{0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
_CONTAINERS = ("list", "mapping", "record")


class Section(NamedTuple):
    """A heading, of the second level as a rule, and what is under it, `text` without the blank lines around it.

    Lines are 0-based: `line` of the heading, `start` of what is below it, `text_line` of the text, and the
    `end`.
    """

    key: str
    heading: str
    line: int
    start: int
    text_line: int
    end: int
    text: str


class SectionReading(NamedTuple):
    """The result of reading a body: `values` by field, the 1-based `lines` of each (`timeline[0].t`), faults.

    `unknown` are the headings that are not fields: (heading, line, the field's heading that may be meant or "").
    `ignored` are lists that were not read, since other text separates them from the first one: (field, line).
    """

    values: dict[str, Value]
    lines: Mapping[str, int]
    faults: tuple[Objection, ...]
    unknown: tuple[tuple[str, int, str], ...] = ()
    ignored: tuple[tuple[str, int], ...] = ()


def split(body: str, level: int = 2) -> list[Section]:
    """The text above the first heading of a level, with the key INTRO, and the section of each such heading."""
    rows = body.split("\n")
    headings = [heading for heading in blocks.headings(body) if heading.level == level]
    starts = [(INTRO, "", 0, 0), *((key_of(one.text), one.text, one.line - 1, one.end) for one in headings)]
    ends = [line for _, _, line, _ in starts[1:]] + [len(rows)]
    sections = []
    for (key, heading, line, start), end in zip(starts, ends, strict=True):
        blank = next((place for place in range(start, end) if rows[place].strip()), start)
        text = "\n".join(rows[start:end]).strip()
        sections.append(Section(key, heading, line, start, blank, end, text))
    return sections


def heading_of(key: str) -> str:
    """`tool_graph` as `Tool graph`; a key that would not read back is written as a JSON string."""
    if _KEY_HEADING.fullmatch(key):
        return key.replace("_", " ").capitalize()
    return json.dumps(key)


def key_of(heading: str) -> str:
    """`Tool graph` as `tool_graph`."""
    if heading.startswith('"'):
        value = bullets.json_or_none(heading)
        if isinstance(value, str):
            return value
    return re.sub(r"[\s-]+", "_", heading.strip()).lower()


# -- a kind of note ------------------------------------------------------------------------------------------


def render(data: Mapping[str, Value], shape: Shape = ANY) -> str:
    """A body whose sections hold `data`. Raises TypeError or ValueError for data that is not JSON."""
    texts = {key: section_text(value, shape.of(key)) for key, value in data.items()}
    return "\n".join(f"## {heading_of(key)}\n" + (f"\n{text}\n" if text else "") for key, text in texts.items())


def read(body: str, shape: Shape, above: int = 0) -> SectionReading:
    """The sections of a body that are fields of a record; headings that are not in the table are left alone.

    `above` is the number of lines above the body, so that lines are those of the whole file.
    """
    values: dict[str, Value] = {}
    unknown: list[tuple[str, int, str]] = []
    reader = BulletReader(above)
    for section in split(body):
        line = above + section.line + 1
        if not section.heading or section.key == facts.SECTION.lower():
            continue  # any note may state facts
        if section.key not in shape.fields:
            unknown.append((section.heading, line, _likely_heading(section.key, shape)))
        elif section.key in values:
            reader.faults.append(Objection(section.key, "has two sections", "make them one"))
        else:
            reader.lines[section.key] = line
            reader.above = above + section.text_line
            values[section.key] = value_of(section, shape.of(section.key), reader)
    return SectionReading(values, reader.lines, tuple(reader.faults), tuple(unknown), tuple(reader.ignored))


def line_of(lines: Mapping[str, int], field: str) -> int:
    """The line (1-based) of a field, or of the field that contains it; 0 if neither is written."""
    while field and field not in lines:
        field = field[: max(field.rfind("."), field.rfind("["), 0)]
    return lines.get(field, 0)


def _likely_heading(key: str, shape: Shape) -> str:
    """The heading in the table that is nearly the same, "" if none is."""
    near = get_close_matches(key, list(shape.fields), 1, 0.75)
    return heading_of(near[0]) if near else ""


# -- one section ---------------------------------------------------------------------------------------------


def value_of(section: Section, shape: Shape, reader: BulletReader) -> Value:
    """The value under a heading, according to a shape."""
    text = section.text
    if shape.kind in _CONTAINERS:
        return _container_of(section, shape, reader)
    if _LIST_START.match(text) and shape.kind == "any" and (found := bullets.whole_list(text)):
        return reader.container(found, shape, section.key)
    if shape.kind == "any" and text.startswith("```json") and (code := bullets.code_of(text)):
        return bullets.code_value(code, shape)
    return bullets.scalar_value(text, shape)


def _container_of(section: Section, shape: Shape, reader: BulletReader) -> Value:
    """The list or mapping in a section: its first list of bullets, or JSON; other text is prose."""
    rows = section.text.split("\n")
    if any(_LIST_START.match(row) for row in rows):
        found = bullets.first_list(section.text)
        if found:
            if behind := _list_behind(rows[found[-1].end :]):
                reader.ignored.append((section.key, reader.above + found[-1].end + behind))
            return reader.container(found, shape, section.key)
    if section.text.startswith(("```", "~~~")) and (code := bullets.code_of(section.text)):
        return bullets.code_value(code, shape)
    return bullets.scalar_value(section.text, shape)


def _list_behind(rows: Sequence[str]) -> int:
    """The 1-based row of the next list before any heading of a person's own, 0 if there is none."""
    own = list(takewhile(lambda row: not row.startswith("#"), rows))
    if not any(_LIST_START.match(row) for row in own):
        return 0
    found = bullets.first_list("\n".join(own))
    return found[0].first + 1 if found else 0


def section_text(value: Value, shape: Shape = ANY) -> str:
    """The text to write under a heading for a value."""
    if isinstance(value, list | dict):
        if value:
            return "\n".join(bullets.write(value, shape))
        return "" if shape.kind in _CONTAINERS else bullets.as_json(value)
    if isinstance(value, str) and (value or shape.kind == "text") and _is_prose(value, shape):
        return value
    return bullets.as_json(value)


def _is_prose(text: str, shape: Shape) -> bool:
    """Whether a text can be written under a heading as it is, and reads back as itself."""
    if text != text.strip() or any(not char.isprintable() and char != "\n" for char in text):
        return False
    parts = split(f"## K\n\n{text}\n\n## L\n")
    if [part.key for part in parts] != [INTRO, "k", "l"] or parts[1].text != text:
        return False
    return is_same(value_of(parts[1], shape, BulletReader()), text)


# -- editing -------------------------------------------------------------------------------------------------


def edit(body: str, values: Mapping[str, Value], shape: Shape) -> str:
    """A body (`\\n` line endings) with new `values`. A section whose value is the same keeps its lines.

    A field that is not in `values` loses its section, a new one gets one in the order of the shape. Sections that
    are not fields of the shape stay where they are.
    """
    current = read(body, shape).values
    rows = body.split("\n")
    parts: list[tuple[str, str]] = []  # (field, lines) of each section
    for section in split(body):
        own = rows[section.line : section.end]
        is_field = bool(section.heading) and section.key in current
        if is_field and section.key in values and not is_same(current[section.key], values[section.key]):
            own = _edited(section, own, values[section.key], shape.of(section.key))
        if own and (not is_field or section.key in values):
            parts.append((section.key, "\n".join(own)))
    new = [key for key in in_order(values, shape) if key not in current]
    if not new:
        return "\n".join(text for _, text in parts)
    order = list(shape.fields)
    for key in new:
        below = order[order.index(key) :]
        at = next((place for place, (field, _) in enumerate(parts) if field in below), len(parts))
        parts.insert(at, (key, render({key: values[key]}, shape)))
    return "\n\n".join(text.strip("\n") for _, text in parts if text.strip()) + "\n"


def in_order(values: Mapping[str, Value], shape: Shape) -> dict[str, Value]:
    """The values in the order of a record's fields."""
    return {key: values[key] for key in (*shape.fields, *values) if key in values}


def _edited(section: Section, rows: Sequence[str], value: Value, shape: Shape) -> list[str]:
    """The lines of a section with another value. Text around its bullets stays if it reads back so."""
    start = section.start - section.line
    head, below = rows[:start], rows[start:]
    found = bullets.first_list("\n".join(below)) if isinstance(value, list | dict) and value else ()
    if found:
        edited = [*head, *below[: found[0].first], *bullets.write(value, shape), *below[found[-1].end :]]
        if is_same(value_of(split("\n".join(edited))[-1], shape, BulletReader()), value):
            return edited
    return [*head, "", *section_text(value, shape).split("\n"), ""]

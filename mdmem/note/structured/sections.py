"""Structured bodies: `## Section` headings with nested bullets as data, and back. Bullets are in `bullets`.

    ## Claim                           {"claim": {"subject": "user", "predicate": "prefers"},

    - subject: user
    - predicate: prefers

    ## Next actions                     "next_actions": ["Run the tests"],

    - Run the tests

    ## Summary                          "summary": "Plain text is text."}

    Plain text is text.

`parse` is the inverse of `render`: `parse(render(data)) == data` for every JSON-like mapping, and rendering the
data of hand-written text reaches a fixed point. With a shape (`shapes`) `read` and `render` do the same for a kind
of note: scalars have the types of its table, and headings that it does not know are left alone.

`edit` changes only the lines of values that differ. Bullets that stay keep their lines, markers and indents; new
ones are written like their neighbours. If that would not read back as asked, the whole section is written again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from itertools import takewhile
from typing import NamedTuple

from mdmem.note import blocks, facts
from mdmem.note.structured import bullets, structure
from mdmem.note.structured.bullets import BulletReader, pair_of
from mdmem.note.structured.shapes import ANY, Objection, Shape
from mdmem.note.structured.structure import Bullet
from mdmem.note.yamltext import Value

INTRO = ""  # the key of the text above the first section

_KEY_HEADING = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_LIST_START = re.compile(r"\s{0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
_CONTAINERS = ("list", "mapping", "record")
_MARKERS = ("-", "*", "+")


class Section(NamedTuple):
    """A heading of the second level and what is under it, `text` without the blank lines around it.

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


def split(body: str) -> list[Section]:
    """The text above the first second-level heading, with the key INTRO, and the section of each such heading."""
    rows = body.split("\n")
    headings = [heading for heading in blocks.headings(body) if heading.level == 2]
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


# -- any data ------------------------------------------------------------------------------------------------


def parse(body: str) -> dict[str, Value]:
    """The sections of a body (`\\n` line ends) as data, in order; text above the first one is under INTRO."""
    data: dict[str, Value] = {}
    for section in split(body):
        if section.key != INTRO or section.heading or section.text:
            data[_unused(section.key, data)] = value_of(section, ANY, BulletReader())
    return data


def render(data: Mapping[str, Value], shape: Shape = ANY) -> str:
    """A body whose sections hold `data`, INTRO first. Raises TypeError or ValueError for data that is not JSON."""
    parts = [section_text(data[INTRO], shape.of(INTRO)) or '""'] if INTRO in data else []
    for key, value in data.items():
        if key != INTRO:
            text = section_text(value, shape.of(key))
            parts.append(f"## {heading_of(key)}" + (f"\n\n{text}" if text else ""))
    return "\n\n".join(parts) + "\n" if parts else ""


def _unused(key: str, data: Mapping[str, Value]) -> str:
    """`key`, or `key_2` and so on if a heading occurs again: nothing is dropped."""
    name, number = key, 2
    while name in data:
        name, number = f"{key}_{number}", number + 1
    return name


# -- a kind of note ------------------------------------------------------------------------------------------


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


def same(one: Value, other: Value) -> bool:
    """Equal, with 1, 1.0 and true told apart."""
    return bool(one == other) and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


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
    if _LIST_START.match(text) and shape.kind == "any" and (found := structure.whole_list(text)):
        return reader.container(found, shape, section.key)
    if shape.kind == "any" and text.startswith("```json") and (code := structure.code_of(text)):
        return bullets.code_value(code, shape)
    return bullets.scalar_value(text, shape)


def _container_of(section: Section, shape: Shape, reader: BulletReader) -> Value:
    """The list or mapping in a section: its first list of bullets, or JSON; other text is prose."""
    rows = section.text.split("\n")
    if any(_LIST_START.match(row) for row in rows):
        found = structure.first_list(section.text)
        if found:
            if behind := _list_behind(rows[found[-1].end :]):
                reader.ignored.append((section.key, reader.above + found[-1].end + behind))
            return reader.container(found, shape, section.key)
    if section.text.startswith(("```", "~~~")) and (code := structure.code_of(section.text)):
        return bullets.code_value(code, shape)
    return bullets.scalar_value(section.text, shape)


def _list_behind(rows: Sequence[str]) -> int:
    """The 1-based row of the next list before any heading of a person's own, 0 if there is none."""
    own = list(takewhile(lambda row: not row.startswith("#"), rows))
    if not any(_LIST_START.match(row) for row in own):
        return 0
    bullets = structure.first_list("\n".join(own))
    return bullets[0].first + 1 if bullets else 0


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
    return same(value_of(parts[1], shape, BulletReader()), text)


# -- editing -------------------------------------------------------------------------------------------------


def edit(body: str, values: Mapping[str, Value], shape: Shape) -> str:
    """A body (`\\n` line endings) with new `values`; only the lines of values that differ change.

    A field that is not in `values` loses its section, a new one gets one in the order of the table. Sections
    that are not fields of the shape stay where they are.
    """
    if not body:
        return render({key: values[key] for key in sorted(values, key=_place_in(shape))}, shape)
    current = read(body, shape).values
    parts: list[str] = []
    left = {key: value for key, value in values.items() if key not in current}
    for section in split(body):
        rows = body.split("\n")[section.line : section.end]
        is_field = section.heading and section.key in current
        if is_field and section.key not in values:
            continue
        text = "\n".join(rows)
        if is_field and not same(current.pop(section.key), values[section.key]):
            text = _edited_section(section, rows, values[section.key], shape.of(section.key))
        if rows:
            parts.append(text)
    return _with_new_sections(parts, left, shape)


def _with_new_sections(parts: list[str], new: Mapping[str, Value], shape: Shape) -> str:
    body = "\n".join(parts)
    for key in sorted(new, key=_place_in(shape)):
        text = render({key: new[key]}, shape).rstrip("\n")
        before = [one for one in split(body) if one.heading and _place_in(shape)(one.key) > _place_in(shape)(key)]
        rows = body.split("\n")
        if before and before[0].key in shape.fields:
            at = before[0].line
            body = "\n".join([*rows[:at], *text.split("\n"), "", *rows[at:]])
        else:
            body = f"{body.rstrip()}\n\n{text}\n" if body.strip() else f"{text}\n"
    return body


def _place_in(shape: Shape) -> Callable[[str], int]:
    order = {key: place for place, key in enumerate(shape.fields)}
    return lambda key: order.get(key, len(order))


def _edited_section(section: Section, rows: Sequence[str], value: Value, shape: Shape) -> str:
    """The lines of a section with another value."""
    head, below = list(rows[: section.start - section.line]), list(rows[section.start - section.line :])
    bullets = _bullets_of(below)
    if isinstance(value, list | dict) and value and bullets:
        first, end = bullets[0].first, bullets[-1].end
        edited = [*below[:first], *_edited_bullets(below, bullets, value, shape, 0), *below[end:]]
        new = "\n".join([*head, *edited])
        if same(value_of(split(new)[-1], shape, BulletReader()), value):
            return new
    text = section_text(value, shape)
    ending = len(rows) - len("\n".join(rows).rstrip().split("\n"))
    return "\n".join([*head, *(["", *text.split("\n")] if text else []), *[""] * ending])


def _bullets_of(rows: Sequence[str]) -> Sequence[Bullet]:
    """The bullets of a section whose lines can be edited; none if the list is numbered."""
    found = structure.first_list("\n".join(rows))
    return found if all(bullet.marker in _MARKERS for bullet in found) else ()


def _gaps(rows: Sequence[str], bullets: Sequence[Bullet]) -> list[Sequence[str]]:
    """The blank lines between each bullet and the next one."""
    following = [bullet.first for bullet in bullets[1:]]
    return [*(rows[one.end : first] for one, first in zip(bullets, following, strict=False)), []]


def _edited_bullets(
    rows: Sequence[str], bullets: Sequence[Bullet], value: Value, shape: Shape, level: int
) -> Iterator[str]:
    """The lines of bullets with a new value: unchanged lines are kept, the others written again."""
    was, now, wanted = _aligned(bullets, value, shape)
    if not was:
        yield from _written(value, shape, bullets[0], level)
        return
    gaps = _gaps(rows, bullets)
    for _, start, end, new_start, new_end in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        parts = wanted[new_start:new_end]
        if end - start == len(parts):
            for place, part in zip(range(start, end), parts, strict=True):
                yield from _edited(rows, bullets[place], part, shape, level)
                yield from gaps[place]
        else:
            for part in parts:
                yield from _written(part, shape, bullets[0], level)


def _aligned(bullets: Sequence[Bullet], value: Value, shape: Shape) -> tuple[list[str], list[str], list[Value]]:
    """What identifies each bullet, and each pair or item of a new value, and these themselves.

    Nothing at all if the bullets are of another kind than the value.
    """
    pairs = [pair for bullet in bullets if (pair := pair_of(bullet))]
    if isinstance(value, dict) and len(pairs) == len(bullets):
        was = [pair.field(shape) for pair in pairs]
        names = dict.fromkeys([*(name for name in was if name in value), *value])
        return was, list(names), [{name: value[name]} for name in names]
    if not isinstance(value, list):
        return [], [], []
    old = BulletReader().container(bullets, shape)
    was = [json.dumps(item, sort_keys=True) for item in old] if isinstance(old, list) else [""] * len(bullets)
    return was, [json.dumps(item, sort_keys=True) for item in value], [[item] for item in value]


def _edited(rows: Sequence[str], bullet: Bullet, part: Value, shape: Shape, level: int) -> Iterator[str]:
    """The lines of a bullet whose pair or item is now `part`, a mapping or a list of one."""
    kind = "mapping" if isinstance(part, dict) else "list"
    below, inner = _below(bullet, part, shape)
    if same(BulletReader().container([bullet], shape._replace(kind=kind)), part):
        yield from rows[bullet.first : bullet.end]
    elif below and bullet.nested and bullet.nested[0].first > bullet.first:
        yield from rows[bullet.first : bullet.nested[0].first]
        yield from _edited_bullets(rows, bullet.nested, below, inner, level + 1)
    else:
        yield from _written(part, shape, bullet, level)


def _below(bullet: Bullet, part: Value, shape: Shape) -> tuple[Value, Shape]:
    """What the bullets below one have to say, and its shape, if its first line can stay; else None."""
    if isinstance(part, dict):
        ((name, new),) = part.items()
        pair = pair_of(bullet)
        stays = pair and pair.text is None and pair.field(shape) == name and isinstance(new, list | dict)
        return new if stays else None, shape.of(name)
    item = part[0] if isinstance(part, list) else part
    if not isinstance(item, dict):
        return None, ANY
    said = BulletReader().container([bullet._replace(nested=None)], shape)
    head = said[0] if isinstance(said, list) else said
    kept = {name: value for name, value in item.items() if isinstance(head, dict) and name in head}
    rest = {name: value for name, value in item.items() if name not in kept}
    return rest if same(kept, head) else None, shape.items or ANY


def _written(value: Value, shape: Shape, like: Bullet, level: int) -> Iterator[str]:
    """A value as bullets in the place of another bullet, with its marker and column."""
    marker = like.marker if like.marker in _MARKERS else "-"
    yield from bullets.write(value, shape, " " * like.column, level, marker)

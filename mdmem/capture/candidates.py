"""`[MEMORY_CANDIDATES]` blocks: what a model that cannot write files prints, for a person to save.

    [MEMORY_CANDIDATES]
    1. short_descriptive_filename.md — category: past — tags: [a, b]
    ---
    content
    2. ...

`render` writes exactly this form. `parse` reads the variants that models make of it, and everything that `render`
writes. A line of a content that would itself count as a marker, an item or an edge is escaped with a backslash.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdmem.errors import Problem
from mdmem.note import blocks, naming
from mdmem.note.blocks import Fence
from mdmem.note.header import CATEGORIES
from mdmem.note.memory import Memory

_MARKER = re.compile(r"[\s#>*_`]*\[MEMORY[_ ]CANDIDATES\][\s*_`:]*", re.I)
_CLOSER = re.compile(r"[\s*_`]*\[(?:/|END[_ ]?(?:OF[_ ])?)MEMORY[_ ]CANDIDATES\][\s*_`]*", re.I)
_EDGE = re.compile(r"\s*-{3,}\s*")
_HEAD = re.compile(
    r"\s*(?:#{1,6}\s+)?(?P<mark>(?:[-*+•]\s+)?(?P<number>[*_]{0,2}\(?\d{1,4}[.):]\)?[*_]{0,2}\s*)?)(?P<rest>\S.*)"
)
_FIELD = re.compile(r"(?:^|[\s—–|,;(-])[*_`]*(?P<key>category|tags)[*_`]*\s*[:=][*_`]*\s*", re.I)
_TAGS = re.compile(r'\[(?>"(?:[^"\\]|\\.)*"|[^\]])*\]')
_TAG = re.compile(r'\s*(?:"(?:[^"\\]|\\.)*"|[^,]+)')
_DECORATION = " \t*_`[]\"'()"
_PLAIN_TAG = re.compile(r"[^\W_](?:[\w ./+-]*[\w.+])?")
_PLACEHOLDERS = ("...", "…")
_SEPARATORS = ("—", "–", "-", "|", "(", ",", ":", ";")


class Candidate(NamedTuple):
    """A proposed memory. `line` is that of its item, 1-based; `body` has no blank lines before or after it."""

    name: str
    category: str
    tags: tuple[str, ...]
    body: str
    line: int = 0


class Parsed(NamedTuple):
    """The items of a pasted text: those that can become memories, and what is wrong with the others."""

    candidates: tuple[Candidate, ...]
    problems: tuple[Problem, ...]


class _Head(NamedTuple):
    name: str
    category: str
    tags: tuple[str, ...]
    sure: bool  # whether its fields make it an item; otherwise an edge has to follow


def render(candidates: Sequence[Candidate]) -> str:
    """The block with these candidates, in the form of the protocol."""
    lines = ["[MEMORY_CANDIDATES]"]
    for number, item in enumerate(candidates, 1):
        tags = ", ".join(
            tag if _PLAIN_TAG.fullmatch(tag) else json.dumps(tag, ensure_ascii=False) for tag in item.tags
        )
        lines.append(f"{number}. {item.name}.md — category: {item.category} — tags: [{tags}]")
        lines += ["---", *_escaped(item.body.split("\n"))]
    return "\n".join(lines) + "\n"


def parse(text: str, source: str) -> Parsed:
    """Every item of every block in a pasted text; `source` names the text in problems.

    Any text may stand around the blocks. A block ends with its code fence, with `[/MEMORY_CANDIDATES]`, with the
    next block or with the text.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    found: list[Candidate] = []
    problems: list[Problem] = []
    spans = list(_blocks(lines))
    if not spans:
        problems.append(_problem(source, 0, "holds no [MEMORY_CANDIDATES] block", "put that line above the items"))
    for start, end in spans:
        items = list(_items(lines, start, end))
        if not items:
            fix = "write items like: 1. name_of_the_memory.md — category: past — tags: [a]"
            problems.append(_problem(source, start, "the block has no items", fix))
        for written in items:
            item = written._replace(name=_good_name(written))
            objection = _objection(item)
            if objection:
                problems.append(_problem(source, item.line, *objection))
                continue
            if item.name != written.name:
                problems.append(_renamed(source, written, item.name))
            found.append(item)
    return Parsed(tuple(found), tuple(problems))


def outside(text: str) -> str:
    """A pasted text with the lines of its blocks emptied, so that all others keep their line numbers."""
    lines = text.replace("\r\n", "\n").split("\n")
    inside = {at for start, end in _blocks(lines) for at in range(start - 1, end)}
    if not inside:
        return text
    return "\n".join("" if at in inside or _CLOSER.fullmatch(line) else line for at, line in enumerate(lines))


def of_memory(note: Memory) -> Candidate:
    """A memory as a candidate for another vault. If the memory is only a title, that is its content."""
    category = note.text("category")
    body = "\n".join(_trimmed(note.body.split("\n"))) or note.title
    return Candidate(note.name, category if category in CATEGORIES else "past", note.tags, body)


def tags_of(text: str) -> tuple[str, ...]:
    """The tags listed in a text, with or without brackets, commas, quotes or `#`."""
    listed = _TAGS.match(text.strip())
    inner = (listed[0] if listed else text.strip()).strip("[]")
    if re.fullmatch(r"\s*#\S+(?:\s+#\S+)*\s*", inner) and "," not in inner:
        inner = inner.strip().replace(" ", ",")
    written = (match[0].strip() for match in _TAG.finditer(inner))
    tags = (_read_tag(text) for text in written if text not in _PLACEHOLDERS)
    return tuple(dict.fromkeys(tag for tag in tags if tag))


def _read_tag(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text)).strip().lstrip("#").strip()
        except ValueError:
            pass  # a misplaced quote is a character like any other
    return text.strip(" \t`'\"“”‘’").lstrip("#").strip()


def _problem(source: str, line: int, message: str, fix: str) -> Problem:
    return Problem("candidate", source, line, message, fix)


def _good_name(item: Candidate) -> str:
    """The name of an item if the protocol allows it, else that in lower case, else one made from its words."""
    for name in (item.name, "_".join(naming.words_of(item.name))):
        if not _objections(name):
            return name
    return naming.make(item.name, item.body, lambda _: False)


def _objections(name: str) -> list[naming.NameFinding]:
    return [finding for finding in naming.check(name) if finding.severity == "error"]


def _renamed(source: str, item: Candidate, name: str) -> Problem:
    """The warning that a name that breaks the protocol was replaced by a good one."""
    message = f"the name '{item.name}' {_objections(item.name)[0].message}"
    return Problem("candidate", source, item.line, message, f"it becomes {name}.md", "warning")


def _objection(item: Candidate) -> tuple[str, str] | None:
    """(what is wrong with an item, how to fix it); None for a good one."""
    if item.category not in CATEGORIES:
        return f"'{item.category}' is not a category", f"write one of {', '.join(CATEGORIES)}"
    if not item.body:
        return f"{item.name} has no content", "write the memory under its line, after ---"
    return None


# -- blocks and items --------------------------------------------------------------------------------------


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """(index of the first line, index after the last line) of each block, without the marker.

    Models put code with fences into a fenced block, where CommonMark would end it: here, fences nest.
    """
    start = end = 0  # of the open block, and where its own fence ends it; 0 for none
    fences: list[tuple[int, Fence]] = []  # those that are open, in a block those of the block
    is_fenced = False
    for index, line in enumerate(lines):
        is_marker = bool(_MARKER.fullmatch(line))
        if is_marker or (start and _CLOSER.fullmatch(line)):
            around = _around(fences, lines, index) if is_marker else []
            if start:
                yield start, end or next((at for at, _ in around), index)
            start, end = (index + 1 if is_marker else 0), 0
            fences, is_fenced = around, bool(around)
        elif fence := blocks.fence(line):
            _take(fences, index, fence)
            if is_fenced and not fences:
                end = index
    if start:
        yield start, end or len(lines)


def _around(fences: list[tuple[int, Fence]], lines: list[str], marker: int) -> list[tuple[int, Fence]]:
    """The open fence that a block stands in: only blank lines may be between the fence and the marker."""
    return [one for one in fences[-1:] if not any(map(str.strip, lines[one[0] + 1 : marker]))]


def _take(fences: list[tuple[int, Fence]], index: int, fence: Fence) -> None:
    """Take a fence as the end of the innermost code if it closes that, else as the start of inner code."""
    if fences and fence.closes(fences[-1][1]):
        fences.pop()
    else:
        fences.append((index, fence))


def _items(lines: list[str], start: int, end: int) -> Iterator[Candidate]:
    heads = list(_heads(lines, start, end))
    ends = [*(index for index, _ in heads[1:]), end]
    for (index, head), following in zip(heads, ends, strict=False):
        body = _body(lines[index + 1 : following])
        yield Candidate(head.name, head.category, head.tags, body, index + 1)


def _heads(lines: list[str], start: int, end: int, first: bool = True) -> Iterator[tuple[int, _Head]]:
    """The lines of a block that begin an item, by their fields, by the edge below, or as its first line."""
    for index in range(start, end):
        head = _head(lines[index])
        if head is None:
            continue
        below = next((lines[at] for at in range(index + 1, end) if lines[at].strip()), "")
        if head.sure or first or _EDGE.fullmatch(below):
            first = False
            yield index, head


def _head(line: str) -> _Head | None:
    """A line that may begin an item, parsed: a file name, perhaps numbered, perhaps with fields; else None."""
    match = _HEAD.fullmatch(line)
    if match is None:
        return None
    rest = match["rest"]
    fields = list(_FIELD.finditer(rest))
    label = rest[: fields[0].start()] if fields else rest
    joined = bool(fields) and label.rstrip().endswith(_SEPARATORS)
    label = label.strip(" \t—–-|:;,(*_`[]'\"")
    name = label.removesuffix(".md")
    if label == name:
        fits = bool(match["number"]) and joined and " " not in name
    else:
        fits = " " not in name or bool(match["number"]) or (bool(match["mark"]) and joined)
    if not (name and fits):
        return None
    return _Head(name, *_values(rest, fields), bool(fields))


def _values(rest: str, fields: list[re.Match[str]]) -> tuple[str, tuple[str, ...]]:
    """The category and tags on an item's line; past and no tags where it lacks such a field."""
    said = {"category": "past", "tags": ""}
    for field, following in zip(fields, [*fields[1:], None], strict=False):
        whole = _TAGS.match(rest, field.end()) if field["key"].lower() == "tags" else None
        value = whole[0] if whole else rest[field.end() : following.start() if following else None]
        said[field["key"].lower()] = value.strip(" \t—–-|;,)*_`" if not whole else "")
        if whole and following and following.start() < whole.end():
            break  # what looks like a field stands within a quoted tag
    return said["category"].strip(_DECORATION).lower(), tags_of(said["tags"])


def _body(lines: list[str]) -> str:
    """The content under an item: without its edges, the indent of the first edge, and the escaping backslashes."""
    lines = _trimmed(lines)
    if lines and _EDGE.fullmatch(lines[0]):
        indented = lines[0].startswith("  ")
        lines = _trimmed(lines[1:])
        lines = textwrap.dedent("\n".join(lines)).split("\n") if indented else lines
    if lines and _EDGE.fullmatch(lines[-1]):
        lines = _trimmed(lines[:-1])
    special = _special(lines)
    return "\n".join(
        line[1:] if line.startswith("\\") and at in special else line for at, line in enumerate(lines)
    )


def _escaped(lines: list[str]) -> list[str]:
    special = _special(lines)
    return ["\\" + line if at in special else line for at, line in enumerate(lines)]


def _special(lines: list[str]) -> set[int]:
    """The indices of lines in a content that would count as markup, with or without backslashes before them."""
    bare = [line.lstrip("\\") for line in lines]
    found = {at for at, line in enumerate(bare) if _MARKER.fullmatch(line) or _CLOSER.fullmatch(line)}
    found |= {at for at, _ in _heads(bare, 0, len(bare), first=False)}
    return found | {at for at in (0, len(bare) - 1) if bare and _EDGE.fullmatch(bare[at])}


def _trimmed(lines: list[str]) -> list[str]:
    """The lines without blank ones at the beginning and the end."""
    said = [index for index, line in enumerate(lines) if line.strip()]
    return lines[said[0] : said[-1] + 1] if said else []

"""Edits JSON files of the user, with comments and trailing commas: only the members added or removed change.

A text is scanned into nodes with their positions; an addition is a few insertions at such positions, a removal a
few cuts. A library that parses and prints the file would lose comments, order and indentation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.errors import ConflictError, MdmemError

_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.S)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
_DEEPEST = 100  # levels of nesting
_FIX = "fix that line, then try again"


class JsonNode(NamedTuple):
    """A value in the text, from `start` to `end`, with the entries of an object or a list."""

    value: Any
    start: int
    end: int
    entries: Sequence[JsonEntry] = ()


class JsonEntry(NamedTuple):
    """A member of an object, or an item of a list (`key` is ""); `comma` is where its comma is, -1 for none."""

    key: str
    start: int
    node: JsonNode
    comma: int


class Insertion(NamedTuple):
    """Text to insert, and its position in the text before the insertion."""

    at: int
    text: str


def parse(text: str) -> JsonNode:
    """The value of a text; an empty text is an object. Raises MdmemError, with the line, if it is not JSON."""
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    if start == len(text):
        return JsonNode({}, start, start)
    node = _value(text, start, 0)
    if (rest := _skip(text, node.end)) != len(text):
        raise _broken(text, rest)
    return node


# -- adding and removing


def additions(text: str, more: Mapping[str, Any]) -> list[Insertion]:
    """The insertions, by position, that give the text these members: objects are merged, lists extended.

    Raises MdmemError if the text is not JSON, ConflictError if it has another value in one of those places.
    """
    return sorted(_added(text, parse(text), more, ()))


def put_in(text: str, insertions: Iterable[Insertion]) -> str:
    """The text with the insertions."""
    for insertion in sorted(insertions, reverse=True):
        text = text[: insertion.at] + insertion.text + text[insertion.at :]
    return text


def take_out(text: str, insertions: Iterable[Insertion]) -> str | None:
    """The text as it was before the insertions; None if they are not where they were put."""
    for insertion in sorted(insertions):
        end = insertion.at + len(insertion.text)
        if text[insertion.at : end] != insertion.text:
            return None
        text = text[: insertion.at] + text[end:]
    return text


def withdrawn(text: str, insertions: Sequence[Insertion], less: Mapping[str, Any]) -> str:
    """The text without the members that those insertions added, wherever they are by now.

    If each insertion still occurs exactly once, it is cut out as it was put in; else its members are removed.
    Raises MdmemError if the text is not JSON.
    """
    meant = without(text, less)
    cut = text
    for insertion in insertions:
        if cut.count(insertion.text) != 1:
            return meant
        cut = cut.replace(insertion.text, "")
    try:
        return cut if parse(without(cut, less)).value == parse(meant).value else meant
    except MdmemError:
        return meant


def without(text: str, less: Mapping[str, Any]) -> str:
    """The text without those members and items whose values are as given.

    Objects and lists left empty by that are removed, too. Raises MdmemError if the text is not JSON.
    """
    for start, end in sorted(_cuts(text, parse(text), less), reverse=True):
        text = text[:start] + text[end:]
    return text


def _added(text: str, node: JsonNode, more: Mapping[str, Any], way: tuple[str, ...]) -> list[Insertion]:
    if not isinstance(node.value, dict):
        raise ConflictError(f"{'.'.join(way) or 'the file'} is not an object", _FIX)
    known = {entry.key: entry.node for entry in node.entries}
    lacking = [(f"{json.dumps(key)}: ", value) for key, value in more.items() if key not in known]
    found = _appended(text, node, lacking) if lacking else []
    for key in more.keys() & known.keys():
        found += _added_within(text, known[key], more[key], (*way, key))
    return found


def _added_within(text: str, node: JsonNode, wanted: Any, way: tuple[str, ...]) -> list[Insertion]:
    if isinstance(wanted, dict):
        return _added(text, node, wanted, way)
    if isinstance(wanted, list) and isinstance(node.value, list):
        items = [("", item) for item in wanted if item not in node.value]
        return _appended(text, node, items) if items else []
    if node.value == wanted:
        return []
    shown = json.dumps(node.value)[:60]
    raise ConflictError(f"{'.'.join(way)} is {shown} there already", "take that line out, then try again")


def _appended(text: str, node: JsonNode, entries: Sequence[tuple[str, Any]]) -> list[Insertion]:
    """Insertions that put entries (`"key": ` or "", value) at the end of an object or a list."""
    eol = "\r\n" if "\r\n" in text else "\n"
    outer = _indent(text, node.start)
    block = _block(entries, eol, outer, _inner_indent(text, node))
    if node.start == node.end:  # an empty file
        return [Insertion(node.end, f"{{{block}{eol}}}{eol}")]
    end = _before_space(text, node.end - 1, node.start + 1)
    if "\n" not in text[end : node.end - 1]:
        block += eol + outer
    if not node.entries:
        return [Insertion(end, block)]
    last = node.entries[-1]
    if last.comma >= 0:
        return [Insertion(end, block + ",")]
    if end == last.node.end:
        return [Insertion(end, "," + block)]
    return [Insertion(last.node.end, ","), Insertion(end, block)]  # a comment is in between


def _block(entries: Sequence[tuple[str, Any]], eol: str, outer: str, inner: str) -> str:
    """Entries on lines of their own, the first one included."""
    unit = inner.removeprefix(outer) or "  "
    lines = []
    for head, value in entries:
        form = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", eol + inner)
        lines.append(f"{eol}{inner}{head}{form}")
    return ",".join(lines)


def _inner_indent(text: str, node: JsonNode) -> str:
    """The indentation of the last entry of an object or a list, or for a first one."""
    last = node.entries[-1] if node.entries else None
    if last and "\n" in text[node.start : last.start]:
        return _indent(text, last.start)
    return _indent(text, node.start) + "  "


def _cuts(text: str, node: JsonNode, less: Mapping[str, Any]) -> list[tuple[int, int]]:
    """The spans (from, to) to cut out of an object."""
    cuts: list[tuple[int, int]] = []
    gone: list[JsonEntry] = []
    for entry in node.entries:
        if entry.key in less:
            rest = _rest(entry.node.value, less[entry.key])
            if rest == entry.node.value:
                continue
            if rest in ({}, [], None):
                gone.append(entry)
            elif isinstance(rest, dict):
                cuts += _cuts(text, entry.node, less[entry.key])
            else:
                items = [item for item in entry.node.entries if item.node.value in less[entry.key]]
                cuts += _without_entries(text, entry.node, items)
    return cuts + _without_entries(text, node, gone)


def _rest(value: Any, less: Any) -> Any:
    """What is left of a value without `less`; None if it is neither an object nor a list and is removed."""
    if isinstance(value, dict) and isinstance(less, dict):
        left = {key: _rest(inner, less[key]) if key in less else inner for key, inner in value.items()}
        return {key: inner for key, inner in left.items() if key not in less or inner not in ({}, [], None)}
    if isinstance(value, list) and isinstance(less, list):
        return [item for item in value if item not in less]
    return None if value == less else value


def _without_entries(text: str, node: JsonNode, gone: Sequence[JsonEntry]) -> list[tuple[int, int]]:
    if not gone:
        return []
    cuts = [
        (_before_space(text, entry.start, node.start + 1), max(entry.comma + 1, entry.node.end)) for entry in gone
    ]
    kept = [entry for entry in node.entries if entry not in gone]
    has_trailing_comma = node.entries[-1].comma >= 0
    if kept and not has_trailing_comma and node.entries[-1] in gone:
        cuts.append((kept[-1].comma, kept[-1].comma + 1))
    return cuts


def _indent(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _before_space(text: str, position: int, least: int) -> int:
    while position > least and text[position - 1] in " \t\r\n":
        position -= 1
    return position


# -- scanning


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    assert found
    return found.end()


def _value(text: str, start: int, depth: int) -> JsonNode:
    if depth > _DEEPEST:
        raise _broken(text, start)
    if text[start : start + 1] in ("{", "["):
        return _container(text, start, depth)
    found = _STRING.match(text, start) or _SCALAR.match(text, start)
    if not found:
        raise _broken(text, start)
    return JsonNode(_read(text, start, found.end()), start, found.end())


def _container(text: str, start: int, depth: int) -> JsonNode:
    is_object = text[start] == "{"
    entries: list[JsonEntry] = []
    position = _skip(text, start + 1)
    while text[position : position + 1] != ("}" if is_object else "]"):
        if entries and entries[-1].comma < 0:
            raise _broken(text, position)
        key, at = _key(text, position) if is_object else ("", position)
        node = _value(text, at, depth + 1)
        after = _skip(text, node.end)
        comma = after if text[after : after + 1] == "," else -1
        entries.append(JsonEntry(key, position, node, comma))
        position = _skip(text, after + 1) if comma >= 0 else after
    if not is_object:
        return JsonNode([entry.node.value for entry in entries], start, position + 1, entries)
    value = {entry.key: entry.node.value for entry in entries}
    if len(value) < len(entries):
        raise MdmemError(f"line {_line(text, start)}: a key is there twice", "take one of the two out")
    return JsonNode(value, start, position + 1, entries)


def _key(text: str, position: int) -> tuple[str, int]:
    """A key, and the position of its value."""
    found = _STRING.match(text, position)
    colon = _skip(text, found.end()) if found else position
    if not found or text[colon : colon + 1] != ":":
        raise _broken(text, position)
    return _read(text, position, found.end()), _skip(text, colon + 1)


def _read(text: str, start: int, end: int) -> Any:
    try:
        return json.loads(text[start:end])
    except ValueError:
        raise _broken(text, start) from None


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _broken(text: str, position: int) -> MdmemError:
    return MdmemError(f"line {_line(text, position)} is not JSON", _FIX)

"""Edits JSON files of the user, with comments and trailing commas: only the members added or removed change.

A text is read with its comments and trailing commas as blanks, so that every value keeps its position; an addition
is a few insertions at such positions, a removal a few cuts. A library that parses and prints the file would lose
comments, order and indentation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from mdmem.errors import ConflictError, MdmemError

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_COMMENT = re.compile(rf"({_QUOTED})|\A\ufeff|//[^\n]*|/\*.*?\*/", re.S)
_TRAILING_COMMA = re.compile(rf"({_QUOTED}|[\[{{]\s*,)|,(?=\s*[\]}}])")
_SPACE = re.compile(r"\s*")
_FIX = "fix that line, then try again"


class JsonNode(NamedTuple):
    """A value from `start` to `end` of a text.

    `plain` is that text with blanks for comments, `bare` has them for trailing commas, too.
    """

    plain: str
    bare: str
    value: Any
    start: int
    end: int

    def entries(self) -> list[JsonEntry]:
        """The entries of an object or a list. Raises MdmemError if one of its keys is there twice."""
        found: list[JsonEntry] = []
        at = _skip(self.plain, self.start + 1)
        while at < self.end - 1:
            key, start = "", at
            if isinstance(self.value, dict):
                key, end = _read(self.bare, at)
                start = _skip(self.plain, _skip(self.plain, end) + 1)
            node = JsonNode(self.plain, self.bare, *_span(self.bare, start))
            after = _skip(self.plain, node.end)
            has_comma = self.plain[after] == ","
            found.append(JsonEntry(key, at, node, after if has_comma else -1))
            at = _skip(self.plain, after + has_comma)
        if len(self.value) < len(found):
            raise MdmemError(
                f"line {_line(self.plain, self.start)}: a key is there twice", "take one of the two out"
            )
        return found


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
    plain = _COMMENT.sub(_blank, text)
    bare = _TRAILING_COMMA.sub(_blank, plain)
    start = _skip(plain, 0)
    if start == len(text):
        return JsonNode(plain, bare, {}, start, start)
    node = JsonNode(plain, bare, *_span(bare, start))
    if (rest := _skip(bare, node.end)) != len(text):
        raise _broken(text, rest)
    return node


def _blank(found: re.Match[str]) -> str:
    """What is matched as blanks, line ends aside; but the first group as it is."""
    return found[1] or re.sub(r"[^\n]", " ", found[0])


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
    cuts, _ = _cuts(text, parse(text), less)
    for start, end in sorted(cuts, reverse=True):
        text = text[:start] + text[end:]
    return text


def _added(text: str, node: JsonNode, wanted: Any, way: tuple[str, ...]) -> list[Insertion]:
    """The insertions that give a value what is wanted; `way` are the keys that lead to it."""
    if isinstance(wanted, dict):
        if not isinstance(node.value, dict):
            raise ConflictError(f"{'.'.join(way) or 'the file'} is not an object", _FIX)
        known = {entry.key: entry.node for entry in node.entries()}
        lacking = [(f"{json.dumps(key)}: ", value) for key, value in wanted.items() if key not in known]
        found = _appended(text, node, lacking)
        for key in wanted.keys() & known.keys():
            found += _added(text, known[key], wanted[key], (*way, key))
        return found
    if isinstance(wanted, list) and isinstance(node.value, list):
        return _appended(text, node, [("", item) for item in wanted if item not in node.value])
    if node.value == wanted:
        return []
    shown = json.dumps(node.value)[:60]
    raise ConflictError(f"{'.'.join(way)} is {shown} there already", "take that line out, then try again")


def _appended(text: str, node: JsonNode, more: Sequence[tuple[str, Any]]) -> list[Insertion]:
    """Insertions that put entries (`"key": ` or "", value) on lines of their own at the end of a value."""
    if not more:
        return []
    eol = "\r\n" if "\r\n" in text else "\n"
    outer = _indent(text, node.start)
    entries = node.entries()
    last = entries[-1] if entries else None
    on_lines = last and "\n" in text[node.start : last.start]
    inner = _indent(text, last.start) if last and on_lines else outer + "  "
    unit = inner.removeprefix(outer) or "  "
    forms = (head + json.dumps(value, indent=unit, ensure_ascii=False) for head, value in more)
    block = ",".join(eol + inner + form.replace("\n", eol + inner) for form in forms)
    if node.start == node.end:  # an empty file
        return [Insertion(node.end, f"{{{block}{eol}}}{eol}")]
    end = _before_space(text, node.end - 1, node.start + 1)
    if "\n" not in text[end : node.end - 1]:
        block += eol + outer
    if last is None:
        return [Insertion(end, block)]
    if last.comma >= 0:
        return [Insertion(end, block + ",")]
    if end == last.node.end:
        return [Insertion(end, "," + block)]
    return [Insertion(last.node.end, ","), Insertion(end, block)]  # a comment is in between


def _meant(node: JsonNode, less: Any) -> list[tuple[JsonEntry, Any]]:
    """The entries of a value that `less` is about, each with what is to go of it."""
    if isinstance(node.value, dict) and isinstance(less, dict):
        return [(entry, less[entry.key]) for entry in node.entries() if entry.key in less]
    if isinstance(node.value, list) and isinstance(less, list):
        return [(entry, entry.node.value) for entry in node.entries() if entry.node.value in less]
    return []


def _cuts(text: str, node: JsonNode, less: Any) -> tuple[list[tuple[int, int]], bool]:
    """The spans (from, to) to cut out of a value, and whether anything is left of it."""
    cuts: list[tuple[int, int]] = []
    gone: list[JsonEntry] = []
    for entry, inner in _meant(node, less):
        spans, is_left = _cuts(text, entry.node, inner)
        if is_left and entry.node.value != inner:
            cuts += spans
        else:
            gone.append(entry)
    for entry in gone:
        cuts.append((_before_space(text, entry.start, node.start + 1), max(entry.comma + 1, entry.node.end)))
    entries = node.entries() if gone else []
    kept = [entry for entry in entries if entry not in gone]
    if kept and entries[-1] in gone and entries[-1].comma < 0:
        cuts.append((kept[-1].comma, kept[-1].comma + 1))
    return cuts, not gone or bool(kept)


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


def _read(bare: str, start: int) -> tuple[Any, int]:
    """The value that begins at `start`, and where it ends."""
    try:
        return _DECODER.raw_decode(bare, start)
    except (ValueError, RecursionError) as error:
        raise _broken(bare, getattr(error, "pos", start)) from None


def _span(bare: str, start: int) -> tuple[Any, int, int]:
    """The value that begins at `start`, that position, and where the value ends."""
    value, end = _read(bare, start)
    return value, start, end


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _broken(text: str, position: int) -> MdmemError:
    return MdmemError(f"line {_line(text, position)} is not JSON", _FIX)

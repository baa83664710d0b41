"""Reads ordinary frontmatter without a YAML parser: names; plain or quoted values; lists; nested blocks.

It gives the same values as `yaml12.load`; a block that could mean anything else is left to that. This saves the
import of a YAML parser when a single note is read, and much of the time when all are.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from mdmem.note import patterns, scalars

if TYPE_CHECKING:
    from mdmem.note.yamltext import Value

_MOST = 20_000  # characters; a longer block is left to the YAML parser
# A plain value begins with a letter, a digit or a character without meaning in YAML, and has no ": " or " #".
_START = r"(?:-(?=[0-9]))?[\w/(+.$]"
_VALUE = (
    r'(?:"(?P<double>[^"\\]*)"' + r"|'(?P<single>[^']*)'"
    rf"|(?P<plain>{_START}[^:#\s]*+(?:(?::(?=\S)|(?<=\S)#|\x20(?=[^\s#]))[^:#\s]*+)*+))"
)
_LINE = patterns.late(
    r"(?P<key>[A-Za-z_][A-Za-z0-9_-]{0,99}):"
    rf"(?:\x20+(?:{_VALUE}|\[(?P<flow>[^\[\]{{}}\"':#]*)\]))?\x20*"
)
_ITEM = patterns.late(rf"-\x20+{_VALUE}\x20*")
_FLOW_ITEM = patterns.late(rf"{_START}[^,\s]*(?:\x20{_START}[^,\s]*)*")
_NESTED = (list, dict)
_DEEPEST = 20  # spaces before a line; the YAML parser has a limit of its own


class _UnsureError(Exception):
    """Only a YAML parser can tell what a block means."""


def read(block: str) -> dict[str, Value] | None:
    """The properties in a block of frontmatter; None if only a YAML parser can read it."""
    known = _read(block)
    return None if known is None else _copied_mapping(known)


@lru_cache(maxsize=4)  # an edit and its caller read the same block several times
def _read(block: str) -> dict[str, Value] | None:
    lines = block.replace("\r\n", "\n").removesuffix("\n").split("\n")
    if len(block) > _MOST or not "".join(lines).isprintable():
        return None
    reader = _BlockReader(lines)
    try:
        found = reader.mapping(0)
    except _UnsureError:
        return None
    return found if reader.at == len(reader.rows) else None


class _BlockReader:
    """Reads rows, (indentation, text) each, from index `at` on.

    Reading ends at a row that belongs to no list or mapping; the caller sees that by `at`.
    """

    def __init__(self, lines: list[str]) -> None:
        self.rows = [(len(line) - len(text := line.lstrip(" ")), text) for line in lines]
        self.at = 0

    def mapping(self, indent: int) -> dict[str, Value]:
        """The names and values that are indented by `indent` spaces."""
        found: dict[str, Value] = {}
        while (text := self._text(indent)) and not text.startswith("-"):
            match = _LINE.fullmatch(text)
            if match is None or match["key"] in found:
                raise _UnsureError
            self.at += 1
            found[match["key"]] = self._below(indent) if match.lastgroup == "key" else _value(match)
        return found

    def _below(self, indent: int) -> Value:
        """The value below a name: a list, which need not be indented further, or a mapping."""
        if self._text(indent).startswith("-"):
            return self._list(indent)
        inner = self.rows[self.at][0] if self.at < len(self.rows) else 0
        if inner <= indent:
            return None
        if inner > _DEEPEST:
            raise _UnsureError
        return self._list(inner) if self._text(inner).startswith("-") else self.mapping(inner)

    def _list(self, indent: int) -> list[Value]:
        found: list[Value] = []
        while (text := self._text(indent)).startswith("-"):
            if match := _ITEM.fullmatch(text):
                found.append(_value(match))
                self.at += 1
            elif text.startswith("- ") and _LINE.fullmatch(text, 2):
                self.rows[self.at] = (indent + 2, text[2:])
                found.append(self.mapping(indent + 2))
            else:
                raise _UnsureError
        return found

    def _text(self, indent: int) -> str:
        """The text of the next row if it is indented by `indent` spaces, else ""."""
        depth, text = self.rows[self.at] if self.at < len(self.rows) else (-1, "")
        return text if depth == indent else ""


def _copied_mapping(mapping: dict[str, Value]) -> dict[str, Value]:
    return {key: _copied(value) if type(value) in _NESTED else value for key, value in mapping.items()}


def _copied(value: Value) -> Value:
    if isinstance(value, list):
        return [_copied(item) if type(item) in _NESTED else item for item in value]
    return _copied_mapping(value) if isinstance(value, dict) else value


def _value(match: re.Match[str]) -> Value:
    kind = match.lastgroup
    if kind in ("double", "single"):
        return match[kind]
    if kind == "plain":
        return scalars.read(match["plain"])
    if kind == "flow":
        return _flow(match["flow"].strip(" "))
    return None


def _flow(text: str) -> Value:
    """The items between `[` and `]`."""
    items = [item.strip(" ") for item in text.split(",")] if text else []
    if not all(_FLOW_ITEM.fullmatch(item) for item in items):
        raise _UnsureError
    return [scalars.read(item) for item in items]

"""Reads ordinary frontmatter without a YAML parser: names; plain or quoted values; lists of such values.

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
_WORD = rf"{_START}[^\[\]{{}}\"':#,\s]*"
_WORDS = rf"{_WORD}(?:\x20{_WORD})*"
_FLOW = rf"\[(?P<flow>\x20*(?:{_WORDS}(?:\x20*,\x20*{_WORDS})*)?\x20*)\]"
_LINE = patterns.late(rf"(?P<key>[A-Za-z_][A-Za-z0-9_-]{{0,99}}):(?:\x20+(?:{_VALUE}|{_FLOW}))?\x20*")
_ITEM = patterns.late(rf"(?P<indent>\x20*)-\x20+{_VALUE}\x20*")


def read(block: str) -> dict[str, Value] | None:
    """The properties in a block of frontmatter; None if only a YAML parser can read it."""
    known = _read(block)
    return (
        None
        if known is None
        else {key: [*value] if isinstance(value, list) else value for key, value in known.items()}
    )


@lru_cache(maxsize=4)  # an edit and its caller read the same block several times
def _read(block: str) -> dict[str, Value] | None:
    lines = block.replace("\r\n", "\n").removesuffix("\n").split("\n")
    if len(block) > _MOST or not "".join(lines).isprintable():
        return None
    found: dict[str, Value] = {}
    key, indent = "", ""
    items: list[Value] | None = None  # of the list below the name, if that may have one
    for line in lines:
        if (match := _LINE.fullmatch(line)) and match["key"] not in found:
            key = match["key"]
            found[key], items = _value(match), [] if match.lastgroup == "key" else None
            continue
        match = _ITEM.fullmatch(line)
        if match is None or items is None or (items and match["indent"] != indent):
            return None
        indent = match["indent"]
        items.append(_value(match))
        found[key] = items
    return found


def _value(match: re.Match[str]) -> Value:
    kind = match.lastgroup or ""
    if kind == "plain":
        return scalars.read(match[kind])
    if kind == "flow":
        flow = match[kind].strip(" ")
        return [scalars.read(item.strip(" ")) for item in flow.split(",")] if flow else []
    return match[kind] if kind in ("double", "single") else None

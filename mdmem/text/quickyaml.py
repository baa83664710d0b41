"""Frontmatter as most notes have it, read without a YAML parser: flat names; plain or quoted values; lists.

What is read here is what `yaml12.load` reads; whatever could be anything else is left to that. It saves the
import of a YAML parser where a single note is read, and much of the time where all are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mdmem.text import scalars

if TYPE_CHECKING:
    from mdmem.text.yaml12 import Value

_MOST = 20_000  # characters; a longer block is not simple
# A plain value begins with a letter, a digit or a sign that means nothing to YAML, and has no ": " or " #".
_START = r"(?:-(?=[0-9]))?[\w/(+.$]"
_VALUE = (
    r'(?:"(?P<double>[^"\\]*)"' + r"|'(?P<single>[^']*)'"
    rf"|(?P<plain>{_START}(?:[^:#\s]|:(?=\S)|(?<=\S)#|\x20(?=[^\s#]))*))"
)
_LINE = re.compile(
    r"(?P<key>[A-Za-z_][A-Za-z0-9_-]{0,99}):"
    rf"(?:\x20+(?:{_VALUE}|\[(?P<flow>[^\[\]{{}}\"':#]*)\]))?\x20*"
)
_ITEM = re.compile(rf"(?P<indent>\x20*)-\x20+{_VALUE}\x20*")
_FLOW_ITEM = re.compile(rf"{_START}[^,\s]*(?:\x20{_START}[^,\s]*)*")


def read(block: str) -> dict[str, Value] | None:
    """The properties of a block of frontmatter; None if it takes a YAML parser to tell."""
    lines = block.replace("\r\n", "\n").removesuffix("\n").split("\n")
    if len(block) > _MOST or not all(line.isprintable() for line in lines):
        return None
    found: dict[str, Value] = {}
    items: list[Value] | None = None  # of the list that may go on in the next line
    last, indent = "", ""
    for line in lines:
        if match := _LINE.fullmatch(line):
            last, items = match["key"], [] if match.lastgroup == "key" else None
            value = _value(match)
            if last in found or value is _UNSURE:
                return None
            found[last] = value
        elif items is not None and (match := _ITEM.fullmatch(line)):
            if items and match["indent"] != indent:
                return None
            indent = match["indent"]
            items.append(_value(match))
            found[last] = items
        else:
            return None
    return found


_UNSURE: Value = ["?"]  # told apart by identity


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
    """What stands between `[` and `]`."""
    items = [item.strip(" ") for item in text.split(",")] if text else []
    if not all(_FLOW_ITEM.fullmatch(item) for item in items):
        return _UNSURE
    return [scalars.read(item) for item in items]

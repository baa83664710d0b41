"""Frontmatter as the raw lines of each property, so that properties that nobody touched keep their bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from mdmem.note import scalars

if TYPE_CHECKING:
    from mdmem.note.yamltext import Value

_KEY = re.compile(r"(?P<key>\"[^\"\n]*\"|'[^'\n]*'|[^\s#\-\[\]{}\"'?&*!|>%@`][^\n]*?)[ \t]*:(?=\s|$)")
_LITERAL = re.compile(r":[ \t]+[|>][-+\d]*[ \t]*(?:#.*)?$")
_FLOW = re.compile(r"[^:]+:[ ]+\[(?P<items>[^\[\]{}\"':#]*)\]\s*")
_DASH = re.compile(r"(?P<indent>[ ]*)-(?:\s|$)")


class RawProperty(NamedTuple):
    """A property as written: the comments and blank lines `above` it, its own lines `raw`, and its value."""

    above: str
    raw: str
    value: Value


class RawBlock(NamedTuple):
    """The properties of a block in order, and the comments and blank lines below the last one."""

    properties: dict[str, RawProperty]
    below: str


def read(block: str, meta: Mapping[str, Value]) -> RawBlock | None:
    """Split a block (with `\\n` line ends) that parses to `meta`; None if its lines cannot be told apart."""
    found: dict[str, list[str]] = {}  # key -> lines above, own lines
    pending = ""
    key = ""
    for line in rows_of(block):
        match = _KEY.match(line)
        if match:
            key = _plain(match["key"])
            if key in found:
                return None
            found[key] = [pending, line]
            pending = ""
        elif _is_trivia(line, found.get(key, ["", ""])[1]):
            pending += line
        elif not key:
            return None
        else:
            found[key][1] += pending + line
            pending = ""
    if list(found) != list(meta):
        return None
    return RawBlock({name: RawProperty(above, raw, meta[name]) for name, (above, raw) in found.items()}, pending)


def rows_of(text: str) -> list[str]:
    """The lines of a text that ends with a newline, each with its own newline."""
    return [line + "\n" for line in text.removesuffix("\n").split("\n")] if text else []


def is_same(one: Value, other: Value) -> bool:
    """Whether two values are equal and of the same type: 1 is neither 1.0 nor true."""
    return identity(one) == identity(other)


def identity(value: Value) -> str:
    """A text that is the same for equal values only."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def raw_items(found: RawProperty) -> tuple[str, dict[str, str]] | None:
    """(line above the items, identity -> raw text) of a list in block style; None for any other value."""
    head, *rows = rows_of(found.raw)
    dash = next((match for row in rows if (match := _DASH.match(row))), None)
    if dash is None or not isinstance(found.value, list):
        return None
    chunks: list[str] = []
    above = ""
    for row in rows:
        match = _DASH.match(row)
        if match and match["indent"] == dash["indent"]:
            chunks.append(above + row)
            above = ""
        elif row.strip() and not row.lstrip().startswith("#") and chunks:
            chunks[-1] += above + row
            above = ""
        else:
            above += row
    if above or len(chunks) != len(found.value):
        return None
    return head, {identity(item): chunk for item, chunk in zip(found.value, chunks, strict=True)}


def is_plain_flow(found: RawProperty) -> bool:
    """Whether a value is a list on one line whose items have no quotes, with no comment after it."""
    match = _FLOW.fullmatch(found.raw)
    if match is None or not isinstance(found.value, list):
        return False
    items = [item.strip() for item in match["items"].split(",")] if match["items"].strip() else []
    return [scalars.read(item) for item in items] == found.value


def _plain(key: str) -> str:
    return key[1:-1] if key[0] in "\"'" else key


def _is_trivia(line: str, raw: str) -> bool:
    """Whether a line is blank or a comment, and not part of a multi-line text."""
    bare = line.strip()
    if not bare:
        return True
    is_inside = line[0] in " \t" and bool(_LITERAL.search(raw.split("\n", 1)[0]))
    return bare.startswith("#") and not is_inside

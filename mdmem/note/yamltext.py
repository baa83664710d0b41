"""Frontmatter values as text, the way Obsidian would write them; `mdmem.note.yaml12` reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from mdmem.note import patterns, scalars

Value = str | int | float | bool | None | list["Value"] | dict[str, "Value"]

# A string that another reader could take for a number (dates aside): Obsidian quotes these.
_NUMBER_LIKE = patterns.late(
    r"^[-+]?(?:\.?[0-9][0-9_,.]*(?:[eE][-+]?[0-9]+)?|0[xo][0-9a-fA-F]+|\.(?:inf|nan))$", re.I
)
_PLAIN_UNSAFE = patterns.late(
    r"^(?:[\s,\[\]{}#&*!|>'\"%@`]|[-?:](?:\s|$)|---|\.\.\.|=$|<<$)|:(?:\s|$)|\s#|\s$"
    r"|[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
)
_FLOW_UNSAFE = patterns.late(r"[,\[\]{}]|:$|^[-?:]")
_NOT_PRINTABLE = patterns.late(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_PLAIN_KEY = patterns.late(r"^[A-Za-z_][\w -]*\w$|^[A-Za-z_]$")


def scalar(value: str | int | float | bool | None, flow: bool = False) -> str:
    """One scalar as YAML text: plain where every reader agrees, double quotes where needed, null as nothing.

    `flow` is for items within `[...]`. Raises ValueError for infinities and NaN.
    """
    if value is None:
        return "null" if flow else ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return scalars.float_text(value)
    if _needs_quotes(value) or (flow and _FLOW_UNSAFE.search(value)):
        return quoted(value)
    return value


def quoted(text: str) -> str:
    """`text` as a double-quoted YAML scalar on one line (JSON's escapes, and YAML's for the rest)."""
    return _NOT_PRINTABLE.sub(lambda m: f"\\u{ord(m[0]):04x}", json.dumps(text, ensure_ascii=False))


def flow_list(values: list[Value]) -> str:
    """`[a, b]` on one line, for scalars."""
    return "[" + ", ".join(_inline(value) for value in values) + "]"


def lines(key: str, value: Value, indent: str = "") -> Iterator[str]:
    """The lines of `key: value` in block style, without line endings; lists are indented by two."""
    name = _name(key)
    if isinstance(value, Mapping) and value:
        yield f"{indent}{name}:"
        for inner, item in value.items():
            yield from lines(inner, item, indent + "  ")
    elif isinstance(value, list) and value:
        yield f"{indent}{name}:"
        for item in value:
            yield from item_lines(item, indent + "  ")
    else:
        text = _inline(value) if isinstance(value, list | dict) else scalar(value)
        yield f"{indent}{name}: {text}".rstrip() if text == "" else f"{indent}{name}: {text}"


@lru_cache(1 << 10)
def _name(key: str) -> str:
    is_plain = (key.isascii() and key.isalpha()) or bool(_PLAIN_KEY.match(key))
    return key if is_plain and not _needs_quotes(key) else quoted(key)


def is_plain(value: Value) -> bool:
    """Whether any reader of YAML makes the same of a value once it is written: plain words, or a list of them."""
    texts = value if isinstance(value, list) and value else [value]
    return all(isinstance(text, str) and _is_simple(text) for text in texts)


def item_lines(item: Value, indent: str) -> Iterator[str]:
    """The lines of one list item, with its dash after `indent`."""
    if isinstance(item, dict) and item:
        dash = f"{indent}- "
        for key, value in item.items():
            for line in lines(key, value, indent + "  "):
                yield dash + line[len(dash) :] if dash.strip() else line
                dash = indent + "  "
    elif isinstance(item, list | dict):
        yield f"{indent}- {_inline(item)}"
    else:
        yield f"{indent}- {scalar(item, flow=item is None)}"


def _inline(value: Value) -> str:
    """A value on one line in flow style."""
    if isinstance(value, list):
        return flow_list(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)}: {_inline(item)}" for key, item in value.items()) + "}"
    return scalar(value, flow=True)


def _needs_quotes(text: str) -> bool:
    if _is_simple(text):
        return scalars.is_special(text)
    return bool(_PLAIN_UNSAFE.search(text) or _NUMBER_LIKE.match(text) or scalars.is_special(text))


def _is_simple(text: str) -> bool:
    """Whether a text is plain words, an id or a date; decided without the patterns, which take longer."""
    is_word_or_date = text[:1].isalpha() or (text[:1].isdigit() and text.count("-") > 1)
    may_be_key = text.endswith((" ", ":")) or ": " in text
    letters = text.replace(" ", "").replace("-", "").replace(":", "")
    return is_word_or_date and not may_be_key and letters.isascii() and letters.isalnum()

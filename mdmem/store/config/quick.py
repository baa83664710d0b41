"""Reads settings as mdmem writes them without a TOML parser, whose import takes longer than the reading.

It gives the same values as `tomllib`, or None for any text that is not in this simplest form: a name, and a
value that is the same in JSON.
"""

from __future__ import annotations

import json
from typing import Any


def read(text: str) -> dict[str, Any] | None:
    """The tables and values of a TOML document; None if only a TOML parser can read it."""
    document: dict[str, Any] = {}
    table = document
    for line in text.split("\n"):
        if not line.isprintable():
            return None
        if not line or line.startswith("#"):
            continue
        try:
            if line.startswith("[") and "]" in line:
                name, _, rest = line[1:].partition("]")
                table = _added(document, name, {})
            else:
                name, _, rest = line.partition(" = ")
                value, rest = _value(rest)
                _added(table, name, value)
        except ValueError:
            return None
        if rest.strip(" ") and not rest.lstrip(" ").startswith("#"):
            return None
    return document


def _added(table: dict[str, Any], name: str, value: Any) -> Any:
    """Put a value into a table and return it. Raises ValueError for a name that is taken or has quotes."""
    if name in table or not (name.isascii() and name.replace("-", "_").isidentifier()):
        raise ValueError(name)
    table[name] = value
    return value


def _value(text: str) -> tuple[Any, str]:
    """The value at the beginning of a text, and the rest. Raises ValueError if it is not the same in JSON."""
    if "\\" in text or text.count("[") > 1:
        raise ValueError(text)
    value, end = json.JSONDecoder().raw_decode(text)
    is_number = type(value) in (int, float) and text[end - 1].isdigit()  # not NaN or Infinity
    is_list = isinstance(value, list) and all(isinstance(item, str) for item in value)
    if not (is_number or is_list or isinstance(value, str | bool)):
        raise ValueError(text)
    return value, text[end:]

"""Settings as mdmem writes them, read without a TOML parser, whose import takes longer than all that is read.

It gives the same values as `tomllib`, or None for any text that is not of this plainest form.
"""

from __future__ import annotations

import json
import re

from mdmem.values import Any

_NAME, _TEXT = "[A-Za-z_][A-Za-z0-9_-]*", r'"[^"\\]*"'
_VALUE = (
    rf"{_TEXT}|true|false|(?:0|[1-9][0-9]{{0,8}})(?:\.[0-9]{{1,9}})?"  # JSON, too
    rf"|\[(?:{_TEXT}(?:, ?{_TEXT})*)?\]"
)
_LINE = re.compile(rf"(?:\[(?P<table>{_NAME})\]|(?P<name>{_NAME}) = (?P<value>{_VALUE}))? *(?:#.*)?")


def read(text: str) -> dict[str, Any] | None:
    """The tables and values of a TOML document; None if it takes a parser to tell."""
    document: dict[str, Any] = {}
    table = document
    for line in text.split("\n"):
        match = _LINE.fullmatch(line)
        if match is None or not line.isprintable():
            return None
        name = match["table"] or match["name"]
        if name is None:
            continue
        if name in (document if match["table"] else table):
            return None
        if match["table"]:
            table = document[name] = {}
        else:
            table[name] = json.loads(match["value"])
    return document

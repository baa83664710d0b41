"""TOML files of the user: mdmem's tables are at the end, between marks, and nothing else changes."""

from __future__ import annotations

import re

from mdmem.connect.jsonc import Insertion
from mdmem.errors import ConflictError, UsageError
from mdmem.store import config

_OF_USER = "its TOML"
_BEGIN, _END = "# mdmem:begin", "# mdmem:end"
_BLOCK = re.compile(rf"\n*^{_BEGIN}$.*?^{_END}$\r?\n?", re.M | re.S)


def additions(text: str, block: str) -> list[Insertion]:
    """The insertion that ends the text with the tables of the block.

    Raises UsageError if the text is not TOML, ConflictError if it has one of those tables already.
    """
    config.toml(text, _OF_USER)
    start = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    lines = f"{start}{_BEGIN}\n{block}{_END}\n"
    insertion = Insertion(len(text), lines.replace("\n", "\r\n") if "\r\n" in text else lines)
    try:
        config.toml(text + insertion.text, _OF_USER)
    except UsageError as error:
        raise ConflictError(error.message, "take that table out, then try again") from None
    return [insertion]


def without(text: str) -> str:
    """The text without mdmem's block, whatever the block now contains."""
    return _BLOCK.sub("\n", text)

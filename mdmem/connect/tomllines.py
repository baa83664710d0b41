"""TOML files of the user: mdmem's tables are at the end, between marks, and nothing else changes."""

from __future__ import annotations

import re
import tomllib

from mdmem.connect.jsonc import Insertion
from mdmem.errors import ConflictError, MdmemError

_BEGIN, _END = "# mdmem:begin", "# mdmem:end"
_BLOCK = re.compile(rf"\n*^{_BEGIN}$.*?^{_END}$\r?\n?", re.M | re.S)


def additions(text: str, block: str) -> list[Insertion]:
    """The insertion that ends the text with the tables of the block.

    Raises MdmemError if the text is not TOML, ConflictError if it has one of those tables already.
    """
    try:
        tomllib.loads(text)
    except ValueError as error:
        raise MdmemError(f"it is not TOML: {error}", "fix that, then try again") from None
    start = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    lines = f"{start}{_BEGIN}\n{block}{_END}\n"
    insertion = Insertion(len(text), lines.replace("\n", "\r\n") if "\r\n" in text else lines)
    try:
        tomllib.loads(text + insertion.text)
    except ValueError as error:
        raise ConflictError(f"it has these tables already: {error}", "take them out, then try again") from None
    return [insertion]


def without(text: str) -> str:
    """The text without mdmem's block, whatever the block now contains."""
    return _BLOCK.sub("\n", text)

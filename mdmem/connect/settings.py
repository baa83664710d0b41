"""Files of settings of the user: mdmem's lines put in and taken out, while all else stays byte for byte.

What is wanted of a JSON file are members, of a TOML file a text of tables, which stands between marks at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from mdmem.connect import jsonc
from mdmem.connect.jsonc import Insertion
from mdmem.connect.record import SettingsChange, digest
from mdmem.errors import ConflictError, MdmemError, UsageError
from mdmem.store import config

_OF_USER = "its TOML"
_BEGIN, _END = "# mdmem:begin", "# mdmem:end"
_BLOCK = re.compile(rf"\n*^{_BEGIN}$.*?^{_END}$\r?\n?", re.M | re.S)


def additions(path: str, text: str, wanted: Mapping[str, Any] | str) -> list[Insertion]:
    """The insertions that give the text of a file what is wanted.

    Raises MdmemError if the text is not JSON or TOML, ConflictError if it has another value or that table already.
    """
    with _about(path):
        return _ending(text, wanted) if isinstance(wanted, str) else jsonc.additions(text, wanted)


def _ending(text: str, block: str) -> list[Insertion]:
    config.toml(text, _OF_USER)
    start = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    lines = f"{start}{_BEGIN}\n{block}{_END}\n"
    insertion = Insertion(len(text), lines.replace("\n", "\r\n") if "\r\n" in text else lines)
    try:
        config.toml(text + insertion.text, _OF_USER)
    except UsageError as error:
        raise ConflictError(error.message, "take that table out, then try again") from None
    return [insertion]


def restored(path: str, text: str, change: SettingsChange) -> str:
    """The text without mdmem's lines: byte for byte as it was, unless it was changed since.

    Raises MdmemError if it can no longer be parsed.
    """
    before = jsonc.take_out(text, change.insertions) if digest(text.encode()) == change.digest else None
    if before is not None:
        return before
    with _about(path):
        if change.members:
            return jsonc.withdrawn(text, change.insertions, change.members)
        return _BLOCK.sub("\n", text)


def holds(text: str, change: SettingsChange) -> bool:
    """Whether a text has mdmem's lines, in whatever form its client wrote them last."""
    try:
        if change.members:
            return not jsonc.additions(text, change.members)
        return all(insertion.text.strip() in text for insertion in change.insertions)
    except MdmemError:
        return False


@contextmanager
def _about(path: str) -> Iterator[None]:
    """Errors name the file."""
    try:
        yield
    except MdmemError as error:
        raise type(error)(f"{path}: {error.message}", error.hint) from None

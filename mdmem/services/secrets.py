"""Secrets in texts."""

from __future__ import annotations

from typing import NamedTuple


class Secret(NamedTuple):
    """A secret found: what `kind` it is and the `line` (1-based), never the secret itself."""

    kind: str
    line: int


def found(text: str) -> list[Secret]:
    """The secrets in a text."""
    del text
    return []

"""The view of an error, shown in place of a page."""

from __future__ import annotations

from typing import NamedTuple


class TroubleView(NamedTuple):
    """What went wrong, and how to fix it."""

    message: str
    hint: str
    title: str = "That did not work"

"""What is shown in place of a page that cannot be."""

from __future__ import annotations

from mdmem.values import NamedTuple


class TroubleView(NamedTuple):
    """What went wrong, and what to do."""

    message: str
    hint: str
    title: str = "That did not work"

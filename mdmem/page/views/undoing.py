"""The preview of an undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.page.links import PageLinks
from mdmem.page.views.timeline import TimelineDay, days_of


class UndoView(NamedTuple):
    """What an undo would revert and change. If there are `conflicts`, it cannot be done on this page."""

    title: str
    session: str
    commit: str
    head: str
    days: Sequence[TimelineDay]
    total: int
    files: Sequence[Mapping[str, Any]]
    conflicts: Sequence[Mapping[str, Any]]


def view(value: Mapping[str, Any], links: PageLinks) -> UndoView:
    """The view for a value of `reading.undoing`."""
    del links
    what = f"session {value['session']}" if value["session"] else f"commit {value['of'][:8]}"
    return UndoView(
        title=f"Undo {what}",
        session=value["session"],
        commit=value["of"],
        head=value["head"],
        days=days_of(value["commits"]),
        total=value["count"],
        files=value["files"],
        conflicts=value["conflicts"],
    )

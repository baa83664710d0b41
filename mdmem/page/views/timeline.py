"""The views of the timeline and of a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from mdmem.page.links import PageLinks
from mdmem.page.views.parts import PartLinks, part_links

_FEW = 6  # memories named per commit


class ShownCommit(NamedTuple):
    """A commit with the first few of its changes; `more` counts the others."""

    value: Mapping[str, Any]
    changes: Sequence[Mapping[str, Any]]
    more: int


class TimelineDay(NamedTuple):
    """A day (RFC 3339), in UTC, with its commits."""

    day: str
    commits: Sequence[ShownCommit]


class TimelineView(NamedTuple):
    """A part of the timeline."""

    title: str
    total: int
    days: Sequence[TimelineDay]
    parts: PartLinks


class SessionView(NamedTuple):
    """A session. `known` is this machine's record of it, None if it has none; `undo` is the command to undo it."""

    title: str
    id: str
    known: Mapping[str, Any] | None
    total: int
    actors: Sequence[str]
    days: Sequence[TimelineDay]
    undo: str


def view(value: Mapping[str, Any], links: PageLinks) -> TimelineView:
    """The view for a value of `reading.timeline.read`."""
    return TimelineView(
        "Timeline", value["total"], days_of(value["commits"]), part_links(value, "timeline", links)
    )


def view_session(value: Mapping[str, Any], links: PageLinks) -> SessionView:
    """The view for a value of `reading.timeline.read_session`."""
    del links
    commits = value["commits"]
    return SessionView(
        title=f"Session {value['id']}",
        id=value["id"],
        known=value["session"],
        total=value["total"],
        actors=list(dict.fromkeys(commit["actor"] for commit in commits)),
        days=days_of(commits),
        undo=f"mdmem undo --session {_quoted(value['id'])}",
    )


def days_of(commits: Sequence[Mapping[str, Any]]) -> list[TimelineDay]:
    """Commits grouped by day, the latest first as they come."""
    by_day = groupby(commits, key=lambda commit: commit["when"][:10])
    return [TimelineDay(day, [_shown(commit) for commit in of_day]) for day, of_day in by_day]


def _shown(commit: Mapping[str, Any]) -> ShownCommit:
    changes = commit["changes"]
    return ShownCommit(commit, changes[:_FEW], max(0, len(changes) - _FEW))


def _quoted(text: str) -> str:
    """A text quoted so that a shell takes it as one word."""
    is_plain = all(char.isalnum() or char in "-_.:/@" for char in text) and not text.startswith("-")
    return text if is_plain and text else "'" + text.replace("'", "'\\''") + "'"

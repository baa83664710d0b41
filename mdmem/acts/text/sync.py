"""Syncs and remotes, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mdmem.acts.style import Style, plain
from mdmem.note.memory import stem
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.history.syncing.limits import SyncedChange
    from mdmem.history.syncing.sync import SyncReport
    from mdmem.history.syncing.target import RemoteStanding

_SHOWN = 10  # notes named for each direction


def sync_lines(report: SyncReport, style: Style = plain) -> Iterator[str]:
    """The notes received and sent, what was decided, and what is left to do."""
    yield safe_line(f"{report.target.remote.name}/{report.target.branch}: {_sum(report)}")
    yield from _changes("came", report.came, style)
    yield from _changes("went", report.went, style)
    yield from (safe_line(notice) for notice in report.notices)
    way = "would be sent" if report.dry_run else "sent"
    for leak in report.secrets:
        yield style(safe_line(f"{way}: {leak.where} {leak.message}; {leak.fix}"), "red")
    if report.conflicts:
        names = ", ".join(stem(path) for path in report.conflicts[:_SHOWN])
        what = counted(len(report.conflicts), "note")
        yield style(safe_line(f"{what} in conflict: {names}; mdmem judge settles them"), "red")
    if report.edited:
        yield f"{counted(len(report.edited), 'edited note')} not synced; --commit-edits commits them first"
    if report.dry_run:
        yield "nothing was changed"


def _sum(report: SyncReport) -> str:
    if report.is_void:
        return "nothing new"
    if report.dry_run:
        return f"would bring {counted(len(report.came), 'note')} and send {len(report.went)}"
    if not (report.came or report.went):
        return "the same now; no notes changed"
    return f"{counted(len(report.came), 'note')} came, {len(report.went)} went"


def _changes(way: str, changes: Sequence[SyncedChange], style: Style) -> Iterator[str]:
    for change in changes[:_SHOWN]:
        yield f"  {way}  {change.kind:8} {style(safe_line(change.name), 'bold')}"
    if len(changes) > _SHOWN:
        yield f"  {way}  {len(changes) - _SHOWN} more"


def standing_lines(standing: RemoteStanding, style: Style = plain) -> Iterator[str]:
    """A remote: its URL, how far the vault is ahead and behind, and the last sync."""
    branch = f", branch {standing.branch}" if standing.branch else ""
    yield f"{style(safe_line(standing.name), 'bold')}  {safe_line(standing.url + branch)}"
    if standing.push_url != standing.url:
        yield f"  pushes go to {safe_line(standing.push_url)}"
    if standing.ahead is None:
        yield "  never fetched"
    else:
        yield f"  {counted(standing.ahead, 'commit')} ahead, {standing.behind} behind, when it was last fetched"
    yield f"  last sync: {standing.synced or 'never'}" + ("; sessions sync with it" if standing.automatic else "")

"""Syncing a vault with a remote of git."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from time import sleep
from typing import TYPE_CHECKING

from mdmem.acts.face import Face
from mdmem.acts.style import Lines, Style, few
from mdmem.acts.telling import Told, beside
from mdmem.errors import MdmemError, UsageError
from mdmem.history.syncing import sync as syncing
from mdmem.history.syncing import target
from mdmem.history.syncing.sync import SyncReport, SyncRequest
from mdmem.history.syncing.target import RemoteStanding
from mdmem.note import moments
from mdmem.note.memory import stem
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.history.syncing.limits import SyncedChange

_SHOWN = 10  # notes named for each direction


def sync(
    face: Face,
    who: Caller,
    remote: str = "",
    *,
    every: str = "",
    commit_edits: bool = False,
    dry_run: bool = False,
    seconds: float = 120.0,
    allow_secret: bool = False,
    yes: bool = False,
) -> Told | None:
    """Bring in what others wrote, and send what was written here.

    Fetches the branch, merges notes property by property and paragraph by paragraph, pushes, and only then changes
    the files. Notes that you have edited and not committed are left as they are, and not sent; where an edit is in
    the way, nothing is changed. If both sides changed the same sentence, the note keeps both until you settle it.

    REMOTE is a remote of git: the one that the branch follows, else origin. A sync that would delete more than a
    tenth of the notes, and ten at least, stops; so does one with a remote whose history was rewritten.
    What looks like a password or key in a note that is sent for the first time is named. A strict vault
    ([hooks] strict = true) does not send it without --allow-secret.

    \b
    Examples:
      mdmem sync
      mdmem sync backup --dry-run
      mdmem sync --every 10m
    """
    face = face._replace(allow_secret=allow_secret)
    wanted = SyncRequest(
        remote=remote, dry_run=dry_run, commit_edits=commit_edits, allow_loss=yes, seconds=seconds
    )
    if not every:
        return _told(_once(face, who, wanted))
    pause = _seconds(every, who.now)
    try:
        while True:  # if one sync fails, say why and let the next one try again
            try:
                done = _once(face, who, wanted)
            except UsageError:
                raise
            except MdmemError as error:
                face.tell(error.line)
            else:
                face.show(_told(done), is_news=not done.is_void)
            sleep(pause)
    except KeyboardInterrupt:
        face.tell("stopped syncing; nothing was left half done")
        return None


def _once(face: Face, who: Caller, wanted: SyncRequest) -> SyncReport:
    with face.opened() as vault:
        return syncing.visible(vault, syncing.sync(vault, wanted, face.writer(vault, who.actor)))


def _told(report: SyncReport) -> Told:
    return Told(report, partial(sync_lines, report), failed=bool(report.conflicts))


def _seconds(age: str, now: datetime) -> float:
    """`10m` in seconds. Raises UsageError for less than one second, or if it is not an age."""
    wrong = UsageError(f"'{age}' is not an interval between syncs", "write --every 30s, 10m or 1h")
    try:
        seconds = (now - moments.since(age, now)).total_seconds()
    except UsageError:
        raise wrong from None
    if seconds < 1 or not age[:1].isdigit() or "-" in age:
        raise wrong
    return seconds


def remote(vault: Vault) -> Told:
    """Show where the vault is synced to, how far ahead and behind it is, and the last sync.

    Asks no other machine. Passwords and tokens in URLs are not shown. A remote is added with git.

    \b
    Examples:
      mdmem remote
      git remote add origin git@example.org:me/memories.git
    """
    known = target.standings(vault)
    if not known:
        return Told([], [beside("this vault has no remote (git remote add origin URL)")])
    return Told(known, lambda style: [line for one in known for line in standing_lines(one, style)])


def sync_lines(report: SyncReport, style: Style) -> Lines:
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


def _changes(way: str, changes: Sequence[SyncedChange], style: Style) -> Lines:
    told = [f"  {way}  {change.kind:8} {style(safe_line(change.name), 'bold')}" for change in changes]
    return few(told, _SHOWN, f"  {way}  {{}} more")


def standing_lines(standing: RemoteStanding, style: Style) -> Lines:
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

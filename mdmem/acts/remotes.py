"""Syncing a vault with a remote of git."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from time import sleep
from typing import Annotated

from mdmem.acts.face import Face
from mdmem.acts.selecting import Agreed
from mdmem.acts.signature import Arg, Opt
from mdmem.acts.telling import Told, beside
from mdmem.acts.text.sync import standing_lines, sync_lines
from mdmem.errors import MdmemError, UsageError
from mdmem.history.syncing import sync as syncing
from mdmem.history.syncing.sync import SyncReport, SyncRequest
from mdmem.note import moments
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault


def sync(
    face: Face,
    who: Annotated[Caller, Opt("Who syncs. Default: the agent, else git's user.", flags="--actor")],
    remote: Annotated[str, Arg()] = "",
    *,
    every: Annotated[str, Opt("Sync again and again, such as every 10m, until Ctrl-C.", metavar="AGE")] = "",
    commit_edits: Annotated[bool, "Commit edited notes first, in your name."] = False,
    dry_run: Annotated[bool, "Fetch, and show what would be done."] = False,
    seconds: Annotated[
        float, Opt("Seconds for each step that talks to the remote.", flags="--timeout", least=1)
    ] = 120.0,
    yes: Agreed = False,
) -> Told:
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
                face.tell(f"{error.message} ({error.hint})" if error.hint else error.message)
            else:
                face.show(_told(done), is_news=not done.is_void)
            sleep(pause)
    except KeyboardInterrupt:
        return Told([], [beside("stopped syncing; nothing was left half done")])


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
    from mdmem.history.syncing import standing

    known = standing.standings(vault)
    if not known:
        return Told([], [beside("this vault has no remote (git remote add origin URL)")])
    return Told(known, lambda style: [line for one in known for line in standing_lines(one, style)])

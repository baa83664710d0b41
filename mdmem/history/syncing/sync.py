"""Sync a vault with a remote: fetch, merge in objects, push, and only then move the working tree.

Until the push was taken nothing here has changed, so that a sync that is refused, or cut short, has done nothing.
A push that someone else overtook begins again, after a pause of random length, a limited number of times.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mdmem.errors import BusyError, ConflictError, MdmemError, StoppedError, UsageError
from mdmem.git import remotes, trees
from mdmem.history.syncing import moving, target
from mdmem.history.syncing.target import SyncTarget
from mdmem.note import layout
from mdmem.operation import Caller
from mdmem.vault.vault import Vault

TRIES = 40  # pushes that others may overtake
_AWAY_TRIES = 3  # for a remote that cannot be reached for a moment
_PAUSE, _LONGEST = 0.05, 2.0  # seconds: at most so long after the first try, and after any


class SyncRequest(NamedTuple):
    """What a sync is to do. `seconds` is the limit for each step that talks to the remote.

    `allow_loss` goes on where many notes would be deleted or history was rewritten.
    """

    remote: str = ""
    dry_run: bool = False
    commit_edits: bool = False
    allow_loss: bool = False
    seconds: float = remotes.SECONDS
    tries: int = TRIES


class SyncReport(NamedTuple):
    """What a sync did: the commits here before and after, and there before and after ("" for none).

    `edited` are the notes with edits that are not committed, and so not synced.
    """

    target: SyncTarget
    here: str
    there: str
    after: str
    edited: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def is_void(self) -> bool:
        """Whether both sides were the same already."""
        return self.here == self.there == self.after


class _OvertakenError(MdmemError):
    """Somebody was faster, here or there: the round begins again."""


def sync(
    vault: Vault, wanted: SyncRequest, who: Caller, pause: Callable[[float], None] = time.sleep
) -> SyncReport:
    """Have a vault and a remote hold the same.

    Raises ConflictError where an edit that is not committed is in the way, StoppedError where many notes would go
    or history was rewritten, AwayError or BusyError for a remote that does not answer, GitError for one that
    refuses.
    """
    where = target.find(vault, wanted.remote)
    away = 0
    for attempt in range(wanted.tries):
        try:
            return _Round(vault, where, wanted, who).run()
        except remotes.AwayError:
            away += 1
            if away >= min(_AWAY_TRIES, wanted.tries):
                raise
        except _OvertakenError:
            pass
        pause(random.uniform(0, min(_PAUSE * 2**attempt, _LONGEST)))  # noqa: S311 - only to be out of step
    raise BusyError(f"others keep pushing to {where.remote.name}: {wanted.tries} tries", "try again later")


class _Round:
    """One try."""

    def __init__(self, vault: Vault, where: SyncTarget, wanted: SyncRequest, who: Caller) -> None:
        self.vault, self.repo = vault, vault.repo
        self.where, self.wanted, self.who = where, wanted, who

    def run(self) -> SyncReport:
        """Fetch, merge, check, push, move."""
        here = self.repo.head()[0]
        there = remotes.fetch(self.repo, self.where.remote.name, self.where.branch, self.wanted.seconds)
        if not there:
            self._require_empty()
        if not (here or there):
            raise UsageError("nothing is committed here or there yet", "mdmem remember writes the first memory")
        after = here if here == there else self._after(here, there)
        edited = self._edited(here, after)
        report = SyncReport(self.where, here, there, after, edited, self.wanted.dry_run)
        if not self.wanted.dry_run:
            self._carry_out(report)
        return report

    def _require_empty(self) -> None:
        """A remote without our branch gets it, if it has no other."""
        name, branch = self.where.remote.name, self.where.branch
        others = remotes.branches(self.repo, name, self.wanted.seconds)
        if others:
            raise StoppedError(
                f"{name} has no branch {branch}; it has {', '.join(others[:3])}",
                f"to join it: git branch -m {others[0]}; for one of its own: git push -u {name} {branch}",
            )

    def _after(self, here: str, there: str) -> str:
        """The commit that both sides are to be at."""
        if not there:
            return here
        if not here:
            return there
        ahead, behind = trees.ahead_behind(self.repo, here, there)
        if not behind:
            return here
        if not ahead:
            return there
        raise ConflictError("both sides have commits of their own")

    def _edited(self, here: str, after: str) -> tuple[str, ...]:
        """The notes with edits that are not committed; raises ConflictError if one is in the way."""
        entries = trees.whole(self.repo).status().entries
        paths = [entry.path for entry in entries]
        if here != after and (blocking := moving.in_the_way(self.vault, here, after, paths)):
            raise ConflictError(
                f"{blocking[0]} is edited here and changed on the other side",
                "mdmem sync --commit-edits commits your edits first",
            )
        prefix = self.repo.prefix
        inner = (path.removeprefix(prefix) for path in paths if path.startswith(prefix))
        return tuple(path for path in inner if _is_note(self.vault, path))

    def _carry_out(self, report: SyncReport) -> None:
        name, branch = self.where.remote.name, self.where.branch
        if report.after != report.there:
            refusal = remotes.push(self.repo, name, report.after, branch, self.wanted.seconds)
            if refusal and refusal.overtaken:
                raise _OvertakenError(refusal.message)
            if refusal:
                raise ConflictError(f"{name} did not take the push: {refusal.message}", "nothing was changed here")
        if report.after != report.here and not moving.move(self.vault, report.here, report.after):
            raise _OvertakenError("HEAD moved")
        if not self.where.follows:
            target.follow(self.vault, self.where)
        target.remember(self.vault, self.where, report.after, self.who.now)


def _is_note(vault: Vault, path: str) -> bool:
    return layout.kind_of(path, vault.config) is layout.Kind.MEMORY


def edited_line(edited: Sequence[str]) -> str:
    """What is said of notes with edits that are not committed."""
    return f"{len(edited)} edited {'note' if len(edited) == 1 else 'notes'} not synced"

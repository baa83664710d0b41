"""Sync a vault with a remote: fetch, merge without touching files, push, and only then move the working tree.

Until the push has been accepted, nothing here changes, so a sync that is refused or cut short has no effect. If
someone else pushed first, the sync starts over after a random pause, a limited number of times.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import BusyError, ConflictError, MdmemError, Problem, StoppedError, UsageError
from mdmem.history.syncing import kinds, target
from mdmem.history.syncing.target import SyncTarget
from mdmem.note import memory
from mdmem.store import layout
from mdmem.store.git import commits, log, remotes, trees
from mdmem.store.git.command import AwayError
from mdmem.store.git.folder import PURGES, purges_of
from mdmem.store.git.repo import FILE, NOTHING, PathChange, Repo, TreeFile
from mdmem.store.git.trees import Fork
from mdmem.store.local import files, lock
from mdmem.store.operation import Caller, Operation
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.history.syncing.limits import SyncedChange


TRIES = 40  # attempts, if others keep pushing first
_AWAY_TRIES = 3  # attempts, if the remote cannot be reached
_PAUSE, _LONGEST = 0.05, 2.0  # seconds: the longest pause after the first try, and after any


class SyncRequest(NamedTuple):
    """What a sync should do. `seconds` limits each step that talks to the remote, `budget` all steps together.

    `allow_loss` lets it go on even if many notes would be deleted or history was rewritten.
    """

    remote: str = ""
    dry_run: bool = False
    commit_edits: bool = False
    allow_loss: bool = False
    seconds: float = remotes.SECONDS
    budget: float = inf
    tries: int = TRIES


class SyncReport(NamedTuple):
    """The result of a sync: the commits here and there before it, and the commit of both `after` it ("" for none).

    `came` and `went` are the notes that changed here and there, `edited` those with uncommitted edits, which are
    not synced. `conflicts` are the notes that hold both versions of something until a person settles it, `notices`
    say what was decided, and `secrets` are those that the remote had not seen yet.
    """

    target: SyncTarget
    here: str
    there: str
    after: str
    edited: tuple[str, ...] = ()
    came: tuple[SyncedChange, ...] = ()
    went: tuple[SyncedChange, ...] = ()
    conflicts: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    secrets: tuple[Problem, ...] = ()
    dry_run: bool = False

    @property
    def is_void(self) -> bool:
        """Whether both sides were the same already."""
        return self.here == self.there == self.after


def visible(vault: Vault, report: SyncReport) -> SyncReport:
    """The parts of a report that the clearance of the vault allows to be seen."""
    if vault.clearance.is_full:
        return report
    from mdmem.history.shown import PastSight

    sight = PastSight(vault)
    return report._replace(
        came=tuple(change for change in report.came if sight.shows(change.path)),
        went=tuple(change for change in report.went if sight.shows(change.path)),
        edited=tuple(filter(sight.shows, report.edited)),
        conflicts=tuple(filter(sight.shows, report.conflicts)),
        notices=tuple(map(sight.value, report.notices)),
        secrets=tuple(leak for leak in report.secrets if sight.shows(leak.path)),
    )


class _OvertakenError(MdmemError):
    """Somebody else was faster, here or there: start over."""


def sync(vault: Vault, wanted: SyncRequest, who: Caller) -> SyncReport:
    """Bring a vault and a remote to the same commit.

    Raises ConflictError if an uncommitted edit is in the way, StoppedError if many notes would be deleted, history
    was rewritten or a strict vault would send a secret, AwayError or BusyError for a remote that does not answer,
    GitError for one that refuses.
    """
    where = target.find(vault, wanted.remote)
    if wanted.commit_edits and not wanted.dry_run:
        commit_edits(vault, who)
    away, end = 0, time.monotonic() + wanted.budget
    for attempt in range(wanted.tries):
        try:
            return _Round(vault, where, wanted, who, end).run()
        except AwayError:
            away += 1
            if away >= min(_AWAY_TRIES, wanted.tries):
                raise
        except _OvertakenError:
            pass
        from random import uniform

        time.sleep(uniform(0, min(_PAUSE * 2**attempt, _LONGEST)))  # noqa: S311 - only to be out of step
    raise BusyError(f"others keep pushing to {where.remote.name}: {wanted.tries} tries", "try again later")


class _Round:
    """One attempt at a sync."""

    def __init__(self, vault: Vault, where: SyncTarget, wanted: SyncRequest, who: Caller, end: float) -> None:
        """`end` is the deadline, by the monotonic clock."""
        self.vault, self.repo = vault, vault.repo
        self.where, self.wanted, self.who, self.end = where, wanted, who, end
        self.remote = where.remote.name
        self.last = target.last(vault, where).head
        self.came: tuple[PathChange, ...] = ()  # how the commit after differs from the one here

    def run(self) -> SyncReport:
        """Fetch, merge, check, push, move."""
        here = self.repo.head_commit()
        known = self.last or self.repo.ref(remotes.tracking_ref(self.remote, self.where.branch))
        there = remotes.fetch(self.repo, self.remote, self.where.branch, self._seconds())
        if has_followed := here != there and not self.wanted.dry_run and self._follows_purge(there):
            here = self.repo.head()[0]
        if not there:
            self._require_empty()
        if not (here or there):
            raise UsageError("nothing is committed here or there yet", "mdmem remember writes the first memory")
        fork = trees.fork(self.repo, here, there)
        if known and there and not (self.wanted.allow_loss or has_followed):
            self._refuse_rewritten(known, there, fork)
        if here == there:
            report = SyncReport(self.where, here, there, here, self._edited(()), dry_run=self.wanted.dry_run)
        else:
            report = self._join(here, there, fork)
        if not self.wanted.dry_run:
            self._carry_out(report)
        return report

    def _follows_purge(self, there: str) -> bool:
        """Move over to any purge that the remote published; whether there was one."""
        if not any(self.repo.ids([PURGES, purges_of(self.remote)])):
            return False
        from mdmem.history.purging import published

        has_followed = published.follow(self.vault, self.remote, there, self.wanted.allow_loss)
        if has_followed:
            self.vault.tell("followed a purge: the history is that of the remote now, with your own commits kept")
        return has_followed

    def _seconds(self) -> float:
        """The time limit for the next step that waits for others. Raises BusyError if no time is left."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise BusyError(f"no time left to sync with {self.remote}", "mdmem sync takes the time it needs")
        return min(left, self.wanted.seconds)

    def _require_empty(self) -> None:
        """Raises StoppedError if a remote without our branch has other branches."""
        branch = self.where.branch
        if others := remotes.branches(self.repo, self.remote, self._seconds()):
            raise StoppedError(
                f"{self.remote} has no branch {branch}; it has {', '.join(others[:3])}",
                f"to join it: git branch -u {self.remote}/{others[0]}; "
                f"for one of its own: git push -u {self.remote} {branch}",
            )

    def _refuse_rewritten(self, known: str, there: str, fork: Fork) -> None:
        """Raises StoppedError for history rewritten since it was `known`: a merge would bring back old text."""
        if known in (there, fork.base, *fork.theirs):
            return
        if self.repo.ref(PURGES):
            from mdmem.history.purging.published import Purges

            known = Purges(self.repo.whole).renewed.get(known, known)
        if not (self.repo.has_commit(known) and self.repo.is_ancestor(known, there)):
            message = f"the history of {self.remote} was rewritten since the last sync"
            raise StoppedError(
                f"{message}: {known[:8]} is not in it any more",
                f"git log {there[:8]} shows the new one; mdmem sync --yes merges it with yours",
            )

    def _join(self, here: str, there: str, fork: Fork) -> SyncReport:
        """Plan how both sides get to one commit. Raises StoppedError for losses that nobody may want."""
        from mdmem.history.syncing import joining, limits

        repo = self.repo.whole
        if fork.ours and fork.theirs:
            joined = joining.join(self.vault, self.remote, fork, here, there, self.who)
        elif fork.ours:  # all that is there is here already
            own = () if self.who.allow_secret else fork.ours
            sent = tuple(zip(own, trees.changes_since(repo, own), strict=True))
            joined = joining.Joined((), tuple(log.changed(repo, there, here)), sent=sent, commit=here)
        else:
            joined = joining.Joined(tuple(log.changed(repo, here, there)), (), commit=there)
        self.came = joined.ours
        edited = self._edited(joined.ours)
        came, went = (limits.changes(self.vault, side) for side in (joined.ours, joined.theirs))
        secrets = limits.leaks(self.vault, joined.sent)
        limits.refuse_leaks(self.vault, self.remote, secrets)
        if not self.wanted.allow_loss:
            limits.check(self.vault, self.remote, came, went)
        return SyncReport(
            target=self.where,
            here=here,
            there=there,
            after=joined.commit,
            edited=edited,
            came=came,
            went=went,
            conflicts=joined.conflicts,
            notices=joined.notices,
            secrets=secrets,
            dry_run=self.wanted.dry_run,
        )

    def _edited(self, differences: Sequence[PathChange]) -> tuple[str, ...]:
        """The notes with uncommitted edits. Raises ConflictError if one is in the way of what comes."""
        paths, prefix = [entry.path for entry in self.repo.whole.status().entries], self.repo.prefix
        if differences and (blocking := _in_the_way(self.vault, differences, paths)):
            from mdmem.history.shown import PastSight

            is_shown = PastSight(self.vault).shows(blocking[0].removeprefix(prefix))
            name = blocking[0] if is_shown else "a note that is not shown here"
            hint = "git commit it, or put it aside; then: mdmem sync"
            if kinds.is_note(self.vault, blocking[0]):
                hint = "mdmem sync --commit-edits commits your edits first"
            raise ConflictError(f"{name} is edited here and changed on the other side", hint)
        return tuple(path.removeprefix(prefix) for path in paths if kinds.is_note(self.vault, path))

    def _carry_out(self, report: SyncReport) -> None:
        if report.after != report.there:
            refusal = remotes.push(self.repo, self.remote, report.after, self.where.branch, self._seconds())
            if refusal and refusal.overtaken:
                raise _OvertakenError(refusal.message)
            if refusal:
                raise ConflictError(
                    f"{self.remote} did not take the push: {refusal.message}",
                    "nothing was changed here; when the other side takes it: mdmem sync",
                )
        if report.after != report.here:
            patience = min(lock.PATIENCE, max(self.end - time.monotonic(), 1.0))
            if not move(self.vault, report.here, report.after, self.came, patience):
                raise _OvertakenError("HEAD moved")
        if not self.where.follows:
            target.follow(self.vault, self.where)
        if not self.last:
            self._set_driver()
        target.remember(self.vault, self.where, report.after, self.who.now)

    def _set_driver(self) -> None:
        """From the first sync on, let mdmem do git's own merges of notes, too; report what prevents that."""
        from mdmem.history.merging import setup

        try:
            setup.ensure_driver(self.repo)
        except (MdmemError, OSError) as error:
            self.vault.tell(f"git merges notes line by line here: {error}")


def commit_edits(vault: Vault, who: Caller) -> str:
    """Commit the notes with uncommitted edits in the name of git's user; the commit, "" if there are none.

    Raises what `vault.change` raises.
    """
    prefix = vault.repo.prefix
    paths = [entry.path for entry in vault.repo.status().entries if kinds.is_note(vault, prefix + entry.path)]
    if not paths:
        return ""
    with vault.change(Operation("revise", "Edited by hand.", when=who.now)) as tx:
        for path in paths:
            tx.include(path, even_gone=True)
    return tx.commit


def move(
    vault: Vault, old: str, new: str, differences: Sequence[PathChange], patience: float = lock.PATIENCE
) -> bool:
    """Move the vault to the commit `new`, a descendant of `old`; False if HEAD or git's index has moved since.

    `differences` are those of the two commits. Waits `patience` seconds for other writers. Edited files that no
    commit touched stay as they are. Raises ConflictError for a file that was both edited and changed by a commit;
    nothing is changed then.
    """
    homes = layout.homes(vault.config)
    with vault.following(), vault.locked(patience):
        if vault.repo.head_commit() != old:
            return False
        own, placed, others = _planned(vault, differences)
        with ExitStack() as on_failure:
            on_failure.callback(vault.journal.settle, homes)
            vault.journal.begin(old, "sync", own, new)
            vault.journal.replace(own, homes)
            if not trees.advance(vault.repo, old, new, placed, others):
                return False
            on_failure.pop_all()
        vault.journal.close()
        vault.moved(own)
        commits.tidy(vault.repo)
    return True


def _in_the_way(vault: Vault, differences: Sequence[PathChange], edited: Sequence[str]) -> list[str]:
    """The `edited` files (paths in the repository) that the commits with these `differences` would overwrite.

    Ignored files that a commit adds count, too; derived files do not. Raises StoppedError if the commits have
    local files of mdmem.
    """
    _refuse_state(vault, differences)
    cleared = _cleared(vault.repo, differences)
    touched = {change.path: change for change in differences if change.path not in cleared}
    added = [path for path, change in touched.items() if not change.old_blob]
    ignored = [path for path in added if os.path.lexists(os.path.join(vault.repo.top, path))]
    doubtful = dict.fromkeys([*(path for path in edited if path in touched), *ignored])
    now = trees.saved(vault.repo, (touched[path] for path in doubtful))
    wrong = [path for path in doubtful if now.get(path, "") != touched[path].blob]
    return [path for path in wrong if not kinds.is_derived(vault, path)]


def _cleared(repo: Repo, differences: Sequence[PathChange]) -> set[str]:
    """The new paths at which something stands that the same commits delete.

    That is a folder with all its files, or, on a disk that ignores case, the file under its name before. Raises
    ConflictError for files that such a disk would hold as one.
    """
    gone = {one.path for one in differences if not one.blob}
    ignores_case = repo.known("core.ignorecase") == "true"
    as_held = memory.fold if ignores_case else str
    held = {as_held(path): path for path in repo.whole.tracked(".")} if ignores_case else {}
    cleared = set()
    for path in [one.path for one in differences if not one.old_blob]:
        other = held.get(as_held(path), path)
        held[as_held(path)] = path
        if other != path and other not in gone:
            message = f"{other} and {path} are one file on this disk, which ignores case"
            raise ConflictError(message, "rename one of them on the other side, and sync there")
        inner = [f"{path}/{name}" for name in files.every(os.path.join(repo.top, path))]
        if other != path or (inner and gone.issuperset(inner)):
            cleared.add(path)
    return cleared


_Own = dict[str, tuple[bytes | None, bytes | None]]  # path in the vault -> its bytes before and after


def _planned(vault: Vault, differences: Sequence[PathChange]) -> tuple[_Own, list[TreeFile], bool]:
    """What a move has to do: (own files, entries for git's index, whether git has to replace other files).

    Raises ConflictError if an own file is edited.
    """
    repo = vault.repo
    _refuse_state(vault, differences)
    cleared = _cleared(repo, differences)
    saved = trees.saved(repo, (one for one in differences if one.path not in cleared))  # blobs of current files
    own: _Own = {}
    ours = _own(vault, differences)
    for path, change in sorted(ours.items(), key=lambda one: one[1].path in cleared):  # after what goes
        before = None if change.path in cleared else files.read_or_none(vault.root, path)
        is_known = saved.get(change.path, "") in (change.old_blob, change.blob)
        is_same = is_known and (before is not None) == (change.path in saved)
        if not (is_same or kinds.is_derived(vault, change.path)):
            message = f"{path} is edited here and changed on the other side"
            raise ConflictError(message, "commit or revert the edit")
        own[path] = before, repo.file(change.blob, path) if change.blob else None
    known = {change.path for change in ours.values()}
    others = [change for change in differences if change.path not in known]
    there = [one for one in others if saved.get(one.path, "") == one.blob and one.mode.startswith("100")]
    placed = [change.after or commits.gone(change.path) for change in [*ours.values(), *there]]
    return own, placed, len(there) < len(others)


def _own(vault: Vault, differences: Sequence[PathChange]) -> dict[str, PathChange]:
    """path in the vault -> the change there, for regular files that git was not told to skip."""
    repo, plain = vault.repo, {FILE, NOTHING}
    own = {
        one.path.removeprefix(repo.prefix): one
        for one in differences
        if one.path.startswith(repo.prefix) and {one.old_mode, one.mode} <= plain and "\n" not in one.path
    }
    unseen = repo.unseen(list(own))
    return {path: one for path, one in own.items() if path not in unseen and _is_real(vault.root, path)}


def _is_real(root: str, path: str) -> bool:
    """Whether a path in the vault goes through no symbolic link."""
    try:
        files.locate(root, path)
    except UsageError:
        return False
    return True


def _refuse_state(vault: Vault, differences: Sequence[PathChange]) -> None:
    """Raises StoppedError for another machine's local files of mdmem: they would be trusted here."""
    state = vault.repo.prefix + layout.STATE
    for one in differences:
        if one.blob and layout.within(one.path, state):
            raise StoppedError(
                f"the other side has {one.path} in git; mdmem's local files must not be",
                f"there: git rm -r {state}",
            )

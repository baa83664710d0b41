"""Undo: one commit that takes back all that matches, and nothing that came after it from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from mdmem.core.operation import Caller
from mdmem.errors import ConflictError, NoteError, NotFoundError
from mdmem.services import history
from mdmem.store.log import Change, Commit
from mdmem.store.vault import Vault


class Wanted(NamedTuple):
    """Which commits to undo. What is left empty asks nothing; at least one must be given."""

    last: int = 0
    session: str = ""
    actor: str = ""
    since: datetime | None = None
    commits: tuple[str, ...] = ()


class Conflict(NamedTuple):
    """A file whose change cannot be taken back alone: someone edited the same place since.

    `merged` shows both versions between conflict markers, or is "" where one of them is no file.
    """

    path: str
    commit: Commit
    message: str
    merged: str


class Plan(NamedTuple):
    """What an undo would do: the commits, the files it would write (None: delete), and the conflicts."""

    commits: tuple[Commit, ...]
    writes: Mapping[str, bytes | None]
    conflicts: tuple[Conflict, ...]


def plan(vault: Vault, wanted: Wanted) -> Plan:
    """Find what matches and work out the files without it. Raises NotFoundError if nothing matches."""
    chosen = select(vault, wanted)
    if not chosen:
        raise NotFoundError("nothing to undo matches", "mdmem log shows what was done, by whom, in which session")
    undoing = _Undoing(vault)
    for commit in chosen:
        for change in commit.changes:
            undoing.revert(commit, change)
    writes = {path: data for path, data in undoing.state.items() if data != undoing.before[path]}
    return Plan(tuple(chosen), writes, tuple(undoing.conflicts))


def apply(vault: Vault, plan: Plan, caller: Caller, reason: str = "", allow_loss: bool = False) -> str:
    """Commit a plan as one commit; its id, "" if everything was taken back already.

    Raises ConflictError, having changed nothing, if the plan has conflicts.
    """
    if plan.conflicts:
        names = ", ".join(conflict.path for conflict in plan.conflicts)
        raise ConflictError(
            f"{len(plan.conflicts)} of the files were edited since: {names}; nothing was changed",
            "undo less, or edit those by hand; --skip-conflicts undoes the others",
        )
    if not reason:
        subjects = {commit.operation.session or commit.actor for commit in plan.commits}
        reason = f"Took back {len(plan.commits)} commits of {', '.join(sorted(subjects))}."
    trailers = [("Undoes", commit.oid) for commit in plan.commits]
    with vault.change(caller.does("undo", reason, *trailers), allow_loss) as tx:
        for path, data in plan.writes.items():
            if data is None:
                tx.delete(path)
            else:
                tx.write(path, data)
    return tx.commit


def without_conflicts(plan: Plan) -> Plan:
    """The plan for the files that have no conflict."""
    skipped = {conflict.path for conflict in plan.conflicts}
    return plan._replace(
        writes={path: data for path, data in plan.writes.items() if path not in skipped}, conflicts=()
    )


def select(vault: Vault, wanted: Wanted) -> list[Commit]:
    """The commits that match, newest first. Merges, undos, and what was undone already are left out."""
    exact = {vault.repo.resolve(rev) for rev in wanted.commits}
    undone: set[str] = set()
    chosen: list[Commit] = []
    for commit in history.events(vault):
        is_undo = commit.operation.action == "undo"
        if is_undo and commit.oid not in undone:
            undone.update(commit.operation.get("Undoes"))
        if commit.oid in undone or (is_undo and commit.oid not in exact):
            continue
        if (not exact or commit.oid in exact) and _matches(commit, wanted):
            chosen.append(commit)
        if wanted.last and len(chosen) == wanted.last:
            break
    return chosen


def _matches(commit: Commit, wanted: Wanted) -> bool:
    if wanted.since and commit.when < wanted.since:
        return False
    return history.by(commit, wanted.actor, wanted.session)


class _Undoing:
    """The files as they would be with commits taken back, newest first; `before` is what is on disk."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self.state: dict[str, bytes | None] = {}
        self.before: dict[str, bytes | None] = {}
        self.conflicts: list[Conflict] = []

    def revert(self, commit: Commit, change: Change) -> None:
        """Take back one change of one file."""
        now = self._now(change.path)
        earlier, later = self._blob(change.before, now), self._blob(change.after, now)
        if change.letter == "R":
            self._revert_rename(commit, change, earlier, later)
        elif now == later:
            self.state[change.path] = earlier
        elif now == earlier or (now is None and earlier is not None):
            return  # taken back already, or deleted since: nothing of it is left
        elif later is None:
            self._conflict(commit, change.path, "was made anew after it was deleted")
        elif earlier is None:
            self._conflict(commit, change.path, "was edited after it was made")
        else:
            assert now is not None
            self.state[change.path] = self._merge(commit, change.path, later, now, earlier)

    def _revert_rename(self, commit: Commit, change: Change, earlier: bytes | None, later: bytes | None) -> None:
        now, there = self._now(change.path), self._now(change.old_path)
        if now is None:
            return
        if there is not None:
            self._conflict(commit, change.old_path, "its old name is in use again")
            return
        assert earlier is not None
        assert later is not None
        self.state[change.old_path] = (
            earlier if now == later else self._merge(commit, change.path, later, now, earlier)
        )
        self.state[change.path] = None

    def _now(self, path: str) -> bytes | None:
        if path not in self.state:
            from mdmem.store import files

            self.state[path] = self.before[path] = files.read_or_none(self.vault.root, path)
        return self.state[path]

    def _blob(self, oid: str, like: bytes | None) -> bytes | None:
        """A blob's bytes, with the line ends of the file it is compared with (git may convert them)."""
        if not oid:
            return None
        (data,) = self.vault.repo.blobs([oid])
        if like and b"\r\n" in like and b"\r\n" not in data:
            return data.replace(b"\n", b"\r\n")
        return data

    def _merge(self, commit: Commit, path: str, base: bytes, ours: bytes, theirs: bytes) -> bytes:
        """`ours` without what `theirs` lacks of `base`; `ours` itself, and a conflict noted, if that cannot be."""
        merged, clean = self.vault.repo.merge(base, ours, theirs, ("now", "then", f"without {commit.oid[:8]}"))
        if clean and not self._breaks(ours, merged, path):
            return merged
        text = "" if clean else merged.decode("utf-8", "replace")
        self._conflict(commit, path, "was edited since in the same place", text)
        return ours

    def _breaks(self, old: bytes, new: bytes, path: str) -> bool:
        """Whether a merge that git calls clean leaves a header that cannot be read, where it could before."""
        try:
            return bool(self.vault.parse(new, path).problems) and not self.vault.parse(old, path).problems
        except NoteError:
            return True

    def _conflict(self, commit: Commit, path: str, message: str, merged: str = "") -> None:
        self.conflicts.append(Conflict(path, commit, message, merged))

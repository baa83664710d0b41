"""Undo: one commit that takes back all matching commits, and nothing that came after them from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError, NotFoundError
from mdmem.history import bearing, past, trail
from mdmem.history.reversal import Conflict, Reversal
from mdmem.history.selection import Selection, UndoRequest
from mdmem.history.shown import PastSight
from mdmem.store import registry
from mdmem.store.git.log import Commit
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault

_MOST_NAMED = 3  # how many imports are named


class UndoPlan(NamedTuple):
    """What an undo would do. `commits` are those that match; `undone` are the ones it would take back as a whole.

    `writes` maps paths to bytes (None: delete); `moves` says which of these files move (old path -> new path).
    """

    commits: tuple[Commit, ...]
    undone: tuple[Commit, ...]
    writes: Mapping[str, bytes | None]
    moves: Mapping[str, str]
    conflicts: tuple[Conflict, ...]


class UndoConflictError(ConflictError):
    """The `plan` has conflicts; nothing was changed."""

    def __init__(self, plan: UndoPlan, hint: str) -> None:
        names = ", ".join(dict.fromkeys(conflict.path for conflict in plan.conflicts))
        super().__init__(
            f"edited since, so that it cannot be taken back alone: {names}; nothing was changed", hint
        )
        self.plan = plan


def undo(
    vault: Vault,
    wanted: UndoRequest,
    caller: Caller,
    reason: str = "",
    skip_conflicts: bool = False,
    allow_loss: bool = False,
) -> tuple[UndoPlan, str]:
    """Take back the matching commits in one commit; (the plan, the new commit's id, "" if nothing was left to do).

    A session of which nothing is left is ended, so that nothing more is written in it. The plan is made while
    nobody else can write. Raises NotFoundError if nothing matches, UndoConflictError for
    conflicts (with `skip_conflicts`, only if nothing else is left to take back), StoppedError if many or all
    memories would be lost (unless `allow_loss`) and at the edge of a shallow clone.
    """
    with vault.change(caller.does("undo", reason), allow_loss) as tx:
        found = _planned(vault, wanted, skip_conflicts)
        if found.conflicts and not skip_conflicts:
            raise UndoConflictError(
                _shown(vault, found), "undo less, or edit those by hand; --skip-conflicts undoes the others"
            )
        if found.conflicts and not found.writes:
            raise UndoConflictError(_shown(vault, found), "edit those by hand")
        trailers = tuple(("Undoes", commit.oid) for commit in found.undone)
        reason = tx.operation.reason or _reason(found)
        tx.operation = tx.operation._replace(reason=reason, extra=(*tx.operation.extra, *trailers))
        _stage(tx, found)
    _end_sessions(vault, wanted, found, caller)
    return _shown(vault, found), tx.commit


def _end_sessions(vault: Vault, wanted: UndoRequest, plan: UndoPlan, caller: Caller) -> None:
    """End the sessions that were taken back, and tell what else came from them; not for single writes."""
    if wanted.last or wanted.commits or wanted.run:
        return
    named = {commit.operation.session for commit in plan.commits} - {""}
    is_whole = wanted.session and not (wanted.actor or wanted.since)
    undone = named if is_whole else past.undone_sessions(vault, named)
    try:
        for id in Sessions(vault.root, vault.repo, vault.tell).end(sorted(undone), caller.now):
            vault.tell(f"the session {id} was still open; it is ended")
    except (MdmemError, OSError) as error:
        vault.tell(f"what was written is taken back, but its session stays open: {error}")
    registry.tell_undone(vault, undone)


def plan(vault: Vault, wanted: UndoRequest, skip_conflicts: bool = False) -> UndoPlan:
    """Find the matching commits and work out the files without them. Raises NotFoundError if nothing matches.

    With `skip_conflicts`, a memory with a conflict is left as it is, at the path it has.
    """
    return _shown(vault, _planned(vault, wanted, skip_conflicts))


def _shown(vault: Vault, plan: UndoPlan) -> UndoPlan:
    """The parts of a plan that the reader may see."""
    sight = PastSight(vault)
    if sight.is_full:
        return plan
    return UndoPlan(
        tuple(sight.commits(plan.commits)),
        tuple(sight.commits(plan.undone)),
        {path: data for path, data in plan.writes.items() if sight.shows(path)},
        {old: new for old, new in plan.moves.items() if sight.shows(old) and sight.shows(new)},
        tuple(conflict for conflict in plan.conflicts if sight.shows(conflict.path)),
    )


def _planned(vault: Vault, wanted: UndoRequest, skip_conflicts: bool) -> UndoPlan:
    vault.open_index().freshen()
    undoing = Reversal(vault, frozenset())
    choice = Selection(vault, wanted)
    walked = list(_walk(vault, choice, undoing))
    _tell_of_imports(vault, choice)
    if not any(PastSight(vault).commits(commit for commit, chosen in walked if chosen)):
        raise NotFoundError("nothing to undo matches", "mdmem log shows what was done, by whom, in which session")
    conflicts = list(undoing.conflicts)
    while skip_conflicts and undoing.conflicts:
        undoing = Reversal(vault, undoing.skipped | {conflict.path for conflict in undoing.conflicts})
        for commit, chosen in walked:
            undoing.go_back(commit, chosen)
        conflicts += undoing.conflicts
    commits = tuple(commit for commit, chosen in walked if chosen)
    undone = tuple(commit for commit in commits if commit.oid not in undoing.incomplete)
    return UndoPlan(commits, undone, undoing.writes(), undoing.moves(), tuple(conflicts))


def _tell_of_imports(vault: Vault, choice: Selection) -> None:
    """Report which imports stay: an import may be all that a person has, so a date or an actor spares it."""
    for commit in choice.passed_over[:_MOST_NAMED]:
        oid = commit.oid[:8]
        vault.tell(f"the import {oid} is left alone; mdmem undo --commit {oid} takes it back")


def _reason(plan: UndoPlan) -> str:
    who = sorted({commit.operation.session or commit.actor for commit in plan.commits})
    count = len(plan.commits)
    return f"Took back {count} {'commit' if count == 1 else 'commits'} of {', '.join(who)}."


def _stage(tx: Transaction, plan: UndoPlan) -> None:
    """Put a plan into a transaction. Moves stay moves, so that they do not count as a loss."""
    for old, new in plan.moves.items():
        if not tx.exists(new):  # if it does, that file is about to move too: both are written in full
            tx.move(old, new)
    for path, data in plan.writes.items():
        if data is not None:
            tx.write(path, data)
        elif tx.exists(path):
            tx.delete(path)


def _walk(vault: Vault, choice: Selection, undoing: Reversal) -> Iterator[tuple[Commit, bool]]:
    """The commits from HEAD back to the oldest chosen one, newest first, each with whether it is chosen."""
    wanted = choice.wanted
    left = wanted.last or len(choice.exact)
    named = bearing.named(vault, wanted, choice.exact)
    if named == []:
        return
    end = named[-1] if named else ""
    for commit in trail.commits(vault, bearing.on(vault, named) if named else None):
        chosen = choice.falls_on(commit)
        effect = undoing.go_back(commit, chosen)
        chosen = chosen and (effect or not wanted.last)
        yield commit, chosen
        left -= chosen
        if commit.oid == end or (not left and (wanted.last or choice.exact)):
            return

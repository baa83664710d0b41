"""Undo: one commit that takes back all that matches, and nothing that came after it from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mdmem.errors import ConflictError, NotFoundError
from mdmem.git.log import Commit
from mdmem.history import bearing, trail
from mdmem.history.reversal import Conflict, Reversal
from mdmem.history.selection import Selection, UndoRequest
from mdmem.history.shown import PastSight
from mdmem.operation import Caller
from mdmem.values import NamedTuple
from mdmem.vault.transaction import Transaction
from mdmem.vault.vault import Vault

_TOLD = 3  # imports that are named


class UndoPlan(NamedTuple):
    """What an undo would do: the commits that match, those of them that it takes back as a whole, the files.

    `writes` maps paths to bytes (None: delete); `moves` tells which of them are moved (old -> new path).
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
    """Take back what matches, as one commit: what was done, and the commit's id, "" if nothing was left to do.

    It is planned while nobody else can write. Raises NotFoundError if nothing matches, UndoConflictError for
    conflicts (with `skip_conflicts` only if nothing else is left to take back), StoppedError for the loss of
    many memories or of all (unless `allow_loss`) and at the edge of a shallow clone.
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
    return _shown(vault, found), tx.commit


def plan(vault: Vault, wanted: UndoRequest, skip_conflicts: bool = False) -> UndoPlan:
    """Find what matches and work out the files without it. Raises NotFoundError if nothing matches.

    With `skip_conflicts` a memory with a conflict is left as it is, under the path it has.
    """
    return _shown(vault, _planned(vault, wanted, skip_conflicts))


def _shown(vault: Vault, plan: UndoPlan) -> UndoPlan:
    """What may be seen of a plan."""
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
    if not any(chosen for _, chosen in walked):
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
    """Say which imports stay: they may be all that a person has, and so have to be named."""
    for commit in choice.passed_over[:_TOLD]:
        oid = commit.oid[:8]
        vault.tell(f"the import {oid} is left alone; mdmem undo --commit {oid} takes it back")


def _reason(plan: UndoPlan) -> str:
    who = sorted({commit.operation.session or commit.actor for commit in plan.commits})
    count = len(plan.commits)
    return f"Took back {count} {'commit' if count == 1 else 'commits'} of {', '.join(who)}."


def _stage(tx: Transaction, plan: UndoPlan) -> None:
    """Put a plan into a transaction; moves as such, so that they do not count as a loss."""
    for old, new in plan.moves.items():
        if not tx.exists(new):  # else it is itself about to move: then both are written out
            tx.move(old, new)
    for path, data in plan.writes.items():
        if data is not None:
            tx.write(path, data)
        elif tx.exists(path):
            tx.delete(path)


def _walk(vault: Vault, choice: Selection, undoing: Reversal) -> Iterator[tuple[Commit, bool]]:
    """The commits back to the last one that is chosen, newest first, each with whether it is."""
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

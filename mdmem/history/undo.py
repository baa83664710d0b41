"""Undo: one commit that takes back all matching commits, and nothing that came after them from elsewhere."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError, NotFoundError, StoppedError, UsageError
from mdmem.history import past, trail
from mdmem.history.reversal import Conflict, Reversal
from mdmem.history.shown import PastSight
from mdmem.note.plural import counted
from mdmem.store import config, layout, registry
from mdmem.store.git.log import Commit, FileChange
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault


class UndoRequest(NamedTuple):
    """Which commits to undo. Fields left empty match anything; at least one must be given.

    `last` counts only commits with something left to take back; `run` is a run of the gardener. With
    `with_children`, a session includes those of its subagents.
    """

    last: int = 0
    session: str = ""
    actor: str = ""
    since: datetime | None = None
    commits: tuple[str, ...] = ()
    run: str = ""
    with_children: bool = False


class Selection:
    """Decides for each commit, newest first, whether a request selects it.

    Undos, the commits they undid, purges and rebuilds are selected only by their own ids. So is the creation of
    the vault. That commit and the ones before it are never selected by a number, a date or an actor alone: that
    would take away the person's own notes. Nor are imports selected by a date or an actor; a number of last
    writes does count them.
    """

    def __init__(self, vault: Vault, wanted: UndoRequest) -> None:
        self.vault = vault
        self.wanted = wanted
        self.exact = {vault.repo.resolve(rev) for rev in wanted.commits}
        self.sessions = past.family(vault, wanted.session) if wanted.with_children else {wanted.session}
        self._edge = vault.repo.shallow()
        self._undone: set[str] = set()  # ids of commits that a later one undid
        self._founded = False  # the vault was created by this commit or a later one
        self.passed_over: list[Commit] = []  # imports that a date or an actor does not select

    def falls_on(self, commit: Commit) -> bool:
        """Whether a commit is to be undone.

        Raises StoppedError for the edge of a shallow clone, UsageError for a merge that was requested by its id.
        """
        trail.note_undone(commit, self._undone)
        founds = self._founds(commit)
        self._founded = self._founded or founds
        if not self._matches(commit, founds):
            return False
        if self.exact and len(commit.parents) > 1:
            raise UsageError(
                f"{commit.oid[:8]} is a merge: its changes are those of the commits that it joined",
                "mdmem log lists them; mdmem undo --commit ID takes one back",
            )
        if commit.oid in self._edge:
            raise StoppedError(
                f"{commit.oid[:8]} is where this shallow clone was cut off; what it changed is not known",
                "git fetch --unshallow, then try again",
            )
        return True

    def _matches(self, commit: Commit, founds: bool) -> bool:
        """Whether the request selects a commit, of which is known if it created the vault."""
        wanted, action = self.wanted, commit.operation.action
        is_asked = self._is_asked(commit)
        if self.exact or not is_asked:
            return is_asked
        names_work = bool(wanted.session or wanted.run)  # and so everything that it wrote
        is_undone = action in trail.NEVER_UNDONE or commit.oid in self._undone
        is_about_no_memory = not action and not trail.memory_changes(self.vault, commit)
        if is_undone or is_about_no_memory or founds or (self._founded and not names_work):
            return False
        if action == "import" and not (names_work or wanted.last):
            self.passed_over.append(commit)
            return False
        return True

    def _is_asked(self, commit: Commit) -> bool:
        """Whether a commit has the id, the time, the actor, the session and the run of the request."""
        wanted = self.wanted
        is_named = not self.exact or commit.oid in self.exact
        is_old = wanted.since is not None and commit.when < wanted.since
        return is_named and not is_old and past.by_any(commit, wanted.actor, self.sessions, wanted.run)

    def _founds(self, commit: Commit) -> bool:
        """Whether mdmem created the vault in this commit. At the edge of a shallow clone it only looks so."""
        if commit.oid in self._edge or commit.operation.action not in ("create", "import", "adopt"):
            return False
        return any(change.letter == "A" and change.path == config.FILE for change in commit.changes)


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

    def is_stopped(self, skip_conflicts: bool) -> bool:
        """Whether conflicts stop it; those that are skipped do so only if nothing else is left."""
        return bool(self.conflicts and not (skip_conflicts and self.writes))


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
        vault.look_again()  # others may have written until it was this change's turn
        found = _planned(vault, wanted, skip_conflicts)
        if found.is_stopped(skip_conflicts):
            less = "undo less, or edit those by hand; --skip-conflicts undoes the others"
            raise UndoConflictError(_shown(vault, found), "edit those by hand" if skip_conflicts else less)
        trailers = tuple(("Undoes", commit.oid) for commit in found.undone)
        who = sorted({commit.operation.session or commit.actor for commit in found.commits})
        count = counted(len(found.commits), "commit")
        reason = tx.operation.reason or f"Took back {count} of {', '.join(who)}."
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
        for id in Sessions(vault).end(sorted(undone), caller.now):
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
    undoing = Reversal(vault, frozenset())
    choice = Selection(vault, wanted)
    walked = list(_walk(vault, choice, undoing))
    for commit in choice.passed_over[:_MOST_NAMED]:  # one may be all that a person has
        oid = commit.oid[:8]
        vault.tell(f"the import {oid} is left alone; mdmem undo --commit {oid} takes it back")
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
    names = past.names({wanted.actor}, choice.sessions, {wanted.run})
    named = vault.whole_index.told(*names, since=wanted.since, among=choice.exact or None)
    is_work = bool(choice.exact or wanted.session or wanted.run)  # else it matters which commit created the vault
    bearing = bearing_on(vault, named) if is_work or not named else None
    _bring_ahead(vault, named, wanted.last)
    for commit in trail.commits(vault) if bearing is None else bearing:
        chosen = choice.falls_on(commit)
        effect = undoing.go_back(commit, chosen)
        chosen = chosen and (effect or not wanted.last)
        yield commit, chosen
        left -= chosen
        if commit.oid == named[-1] or (not left and (wanted.last or choice.exact)):
            return


def bearing_on(vault: Vault, chosen: Sequence[str]) -> list[Commit] | None:
    """The commits that may affect an undo of `chosen`, newest first.

    These are the chosen commits, all undos, and those of what the chosen ones changed, wherever it was since. None
    if the index does not cover every file that they changed.
    """
    index, read = vault.whole_index, dict[str, Commit]()
    changes = _read(vault, chosen, read)
    _bring(vault, changes)
    if not all(layout.is_indexed(change.path, vault.config) for change in changes):
        return None
    places = {change.old_path for change in changes}
    others = {*index.told({"undo"})} if chosen else set[str]()
    while changes:
        places |= index.heirs(change.path for change in changes if change.old_path in places)
        others |= _returns(vault, changes)
        changes = _read(vault, index.commits_of(places) - read.keys(), read)
    _read(vault, others - read.keys(), read)
    return [read[oid] for oid in index.told(among=read)]


def _bring_ahead(vault: Vault, chosen: Sequence[str], most: int) -> None:
    """Fetch what a partial clone lacks of what the first of some commits changed (0: all of them)."""
    if vault.repo.promisor:
        _bring(vault, _read(vault, chosen[: most or None], {}))


def _bring(vault: Vault, changes: Iterable[FileChange]) -> None:
    """Fetch what a partial clone lacks of these changes, all at once. Raises AwayError."""
    vault.repo.bring(blob for change in changes for blob in (change.before, change.after))


def _read(vault: Vault, oids: Collection[str], read: dict[str, Commit]) -> list[FileChange]:
    """Read commits into `read`; their changes."""
    found = {commit.oid: commit for commit in trail.commits(vault, list(oids))}
    read |= found
    return [change for commit in found.values() for change in commit.changes]


def _returns(vault: Vault, changes: Iterable[FileChange]) -> set[str]:
    """The commits of memories that exist now although some of these changes deleted them."""
    index = vault.whole_index
    gone = {trail.id_before(vault, change) for change in changes if change.letter == "D"}
    again = {path for paths in index.homes(gone).values() for path in paths}
    return {version.commit for path in again for version in index.versions(path)}

"""Which commits an undo is about."""

from __future__ import annotations

from datetime import datetime

from mdmem import config
from mdmem.errors import StoppedError, UsageError
from mdmem.git.log import Commit
from mdmem.history import past, trail
from mdmem.values import NamedTuple
from mdmem.vault.vault import Vault


class UndoRequest(NamedTuple):
    """Which commits to undo. What is left empty asks nothing; at least one must be given.

    `last` counts commits of which something is left to take back; `run` is one of the gardeners. With
    `with_children` a session includes those of its subagents.
    """

    last: int = 0
    session: str = ""
    actor: str = ""
    since: datetime | None = None
    commits: tuple[str, ...] = ()
    run: str = ""
    with_children: bool = False


class Selection:
    """Which commits are meant by a request; to be asked about each commit, newest first.

    Undos, what they undid, purges and rebuilt files are meant only by their own id. So is the making of the vault;
    it and what was there before it are not meant by a number, a date or a name alone: that would take away the
    person's own notes. So would a date or a name with an import; who counts the last writes means it, too.
    """

    def __init__(self, vault: Vault, wanted: UndoRequest) -> None:
        self.vault = vault
        self.wanted = wanted
        self.exact = {vault.repo.resolve(rev) for rev in wanted.commits}
        self._sessions = past.family(vault, wanted.session) if wanted.with_children else {wanted.session}
        self._edge = vault.repo.shallow()
        self._undone: set[str] = set()  # commits that a later one undid
        self._founded = False  # the vault was made by a commit asked about before, or by this one
        self.passed_over: list[Commit] = []  # imports that would be meant if they were named

    def falls_on(self, commit: Commit) -> bool:
        """Whether a commit is to be undone. Raises StoppedError for the edge of a shallow clone, UsageError for a
        merge that is asked for by its id."""
        self._remember(commit)
        if not self._matches(commit):
            return False
        if self.exact and len(commit.parents) > 1:
            raise UsageError(
                f"{commit.oid[:8]} is a merge: what it brought was written by the commits that it joined",
                "mdmem log lists them; mdmem undo --commit ID takes one back",
            )
        if commit.oid in self._edge:
            raise StoppedError(
                f"{commit.oid[:8]} is where this shallow clone was cut off; what it changed is not known",
                "git fetch --unshallow, then try again",
            )
        return True

    def _remember(self, commit: Commit) -> None:
        """Note what a commit tells about itself and those before it."""
        trail.note_undone(commit, self._undone)
        if self._founds(commit):
            self._founded = True

    def _matches(self, commit: Commit) -> bool:
        wanted, action = self.wanted, commit.operation.action
        is_too_old = wanted.since is not None and commit.when < wanted.since
        if is_too_old or not past.by_any(commit, wanted.actor, self._sessions, wanted.run):
            return False
        if self.exact:
            return commit.oid in self.exact
        is_undone = action in ("undo", "rebuild", "purge") or commit.oid in self._undone
        is_about_no_memory = not action and not trail.memory_changes(self.vault, commit)
        if is_undone or is_about_no_memory or self._is_of_the_start(commit):
            return False
        if action == "import" and not (self._names_work or wanted.last):
            self.passed_over.append(commit)
            return False
        return True

    @property
    def _names_work(self) -> bool:
        """Whether a session or a run is meant, and so all that it wrote."""
        return bool(self.wanted.session or self.wanted.run)

    def _is_of_the_start(self, commit: Commit) -> bool:
        """Whether this is the making of the vault, or what was there before it."""
        return self._founds(commit) or (self._founded and not self._names_work)

    def _founds(self, commit: Commit) -> bool:
        """Whether mdmem made the vault with this commit. The edge of a shallow clone only looks as if it did."""
        if commit.oid in self._edge or commit.operation.action not in ("create", "import", "adopt"):
            return False
        return any(change.letter == "A" and change.path == config.FILE for change in commit.changes)

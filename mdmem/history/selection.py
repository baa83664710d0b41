"""Which commits an undo request selects."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from mdmem.errors import StoppedError, UsageError
from mdmem.history import past, trail
from mdmem.store import config
from mdmem.store.git.log import Commit
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
        self._sessions = past.family(vault, wanted.session) if wanted.with_children else {wanted.session}
        self._edge = vault.repo.shallow()
        self._undone: set[str] = set()  # ids of commits that a later one undid
        self._founded = False  # the vault was created by this commit or a later one
        self.passed_over: list[Commit] = []  # imports that a date or an actor does not select

    def falls_on(self, commit: Commit) -> bool:
        """Whether a commit is to be undone.

        Raises StoppedError for the edge of a shallow clone, UsageError for a merge that was requested by its id.
        """
        self._remember(commit)
        if not self._matches(commit):
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

    def _remember(self, commit: Commit) -> None:
        """Record what a commit says about itself and those before it."""
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
        is_undone = action in trail.NEVER_UNDONE or commit.oid in self._undone
        is_about_no_memory = not action and not trail.memory_changes(self.vault, commit)
        if is_undone or is_about_no_memory or self._is_of_the_start(commit):
            return False
        if action == "import" and not (self._names_work or wanted.last):
            self.passed_over.append(commit)
            return False
        return True

    @property
    def _names_work(self) -> bool:
        """Whether the request names a session or a run, and so everything that it wrote."""
        return bool(self.wanted.session or self.wanted.run)

    def _is_of_the_start(self, commit: Commit) -> bool:
        """Whether this commit created the vault, or is older and not of a session or run that was asked for."""
        return self._founds(commit) or (self._founded and not self._names_work)

    def _founds(self, commit: Commit) -> bool:
        """Whether mdmem created the vault in this commit. At the edge of a shallow clone it only looks so."""
        if commit.oid in self._edge or commit.operation.action not in ("create", "import", "adopt"):
            return False
        return any(change.letter == "A" and change.path == config.FILE for change in commit.changes)

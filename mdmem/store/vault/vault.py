"""A vault: find it, read its memories, and change it in the only way there is, `with vault.change(...)`.

A change is prepared in memory and then applied as a whole: the files are replaced one by one under a journal, one
commit is made of exactly them, and the index follows. If anything fails, or the process dies in between, the
previous bytes come back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from mdmem.errors import BusyError, MdmemError, Problem, StoppedError, UsageError, of_system
from mdmem.note import memory, moments
from mdmem.note.memory import Memory
from mdmem.note.trust import sensitivity
from mdmem.note.trust.sensitivity import EVERYTHING, Clearance
from mdmem.store import config, identity, layout
from mdmem.store.git.folder import Identity
from mdmem.store.git.repo import Repo
from mdmem.store.local import files, lock, place, state
from mdmem.store.local.journal import Journal

if TYPE_CHECKING:
    from mdmem.store.git.log import Step
    from mdmem.store.index.freshness import Index
    from mdmem.store.operation import Operation
    from mdmem.store.vault.transaction import Transaction


def tell_nobody(line: str) -> None:
    """A `tell` for callers that have nobody to tell."""
    del line


class Vault:
    """An open vault. `root` is absolute; paths are relative to it, with `/`. Close it, or use `with`.

    `tell` gets one line at a time for the person (waiting, rebuilding, identity). Memories that the `clearance`
    hides are not in `index`, and so not in any answer.
    """

    def __init__(
        self,
        root: str,
        tell: Callable[[str], None] = tell_nobody,
        repo: Repo | None = None,
        clearance: Clearance = EVERYTHING,
    ) -> None:
        self.root = os.path.realpath(root)
        self.tell = tell
        self.repo = repo or Repo.around(self.root)
        data = files.read_or_none(self.root, config.FILE)
        self.config, self.config_problems = config.read(data or b"")
        self.journal = Journal(self.root, self.repo, tell)
        self.clearance = clearance
        self.patience = lock.PATIENCE  # seconds that a change waits for another writer
        self._index: Index | None = None
        self._seen: tuple[Index, Clearance, Index] | None = None
        self._fresh = False
        self._followings = 0  # blocks of `following` that are open
        self._off_branch_told = False
        self._touched: set[str] = set()  # paths of changes that no follower has seen yet

    @classmethod
    def open(
        cls,
        root: str | None = None,
        tell: Callable[[str], None] = tell_nobody,
        environ: Mapping[str, str] = os.environ,
        max_sensitivity: str = "",
        scopes: Sequence[str] = (),
    ) -> Vault:
        """The vault at `root`, else the one that `place.locate` finds by the environment and the current folder.

        It shows memories of these `scopes` up to `max_sensitivity` ("": as much as the one may see who runs this,
        by `environ`).
        Raises NotFoundError if there is no vault, UsageError for settings that are not allowed, and for more than
        an agent may see.
        """
        vault = cls(place.locate(root), tell)
        vault.clear_for(identity.actor_of(environ), max_sensitivity, scopes)
        return vault

    def __enter__(self) -> Vault:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the index, and end git's helper processes."""
        if self._index is not None:
            self._index.close()
            self._index, self._fresh = None, False
        self.repo.close()

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """The vault's local folder, absolute."""
        return os.path.join(self.root, layout.STATE)

    def prepare_state(self) -> str:
        """Make that folder if it is not there; its path. Raises OSError, MdmemError: see `state.prepare`."""
        return state.prepare(self.root, self.repo)

    def clear_for(self, actor: str, max_sensitivity: str = "", scopes: Sequence[str] = ()) -> None:
        """Show what an agent with that name ("": a person) may see, or less if requested.

        Raises UsageError for an unknown level, and if an agent requests more.
        """
        asked = sensitivity.limit_of(max_sensitivity, "--max-sensitivity") if max_sensitivity else ""
        own = self._own_limit(sensitivity.SETTING) if actor or self.config.trust.max_sensitivity else ""
        limit = sensitivity.granted(bool(actor), self.config.trust.max_sensitivity, own, asked)
        self.clearance = Clearance(limit, tuple(scopes))

    def look_again(self) -> None:
        """Let the next question see what others have done since the last, to files, commits and git's settings."""
        self._fresh = self._off_branch_told = False
        self.repo.reread()

    def for_derived(self, name: str) -> Vault:
        """The vault as the derived files of that `name` may show it: the mirror, pages, the list of events."""
        own = self._own_limit(f"mdmem.{name}-max-sensitivity")
        limit = sensitivity.granted_derived(self.config.trust.max_sensitivity, own)
        self._freshened()  # once, for all derived files
        from copy import copy

        seen = copy(self)
        seen.clearance = Clearance(limit)
        return seen

    def _own_limit(self, setting: str) -> str:
        said = self.repo.personal(setting)
        return sensitivity.limit_of(said, f"git's {setting}") if said else ""

    @property
    def index(self) -> Index:
        """The part of the index that the reader may see; see `whole_index`."""
        return self.seen(self.whole_index)

    def seen(self, whole: Index) -> Index:
        """The part of an index that the reader may see; always the same object for the same clearance."""
        if self._seen is None or self._seen[:2] != (whole, self.clearance):
            self._seen = whole, self.clearance, whole.seen_with(self.clearance)
        return self._seen[2]

    @property
    def whole_index(self) -> Index:
        """The index, freshened at its first use. Raises StoppedError if many memories have vanished.

        It is for code that must know of every memory, for instance whether a name is taken, without showing what
        it finds.
        """
        return self._freshened()

    def _freshened(self) -> Index:
        index = self.open_index()
        if not self._fresh:
            index.freshen()
            self._fresh = True
        return index

    def open_index(self, patience: float | None = None) -> Index:
        """The index without freshening it, for callers that do so themselves.

        Waits up to `patience` seconds for other processes; None is `database.PATIENCE`.
        """
        if self._index is None:
            from mdmem.store.index import database  # loads SQLite, which the pre-commit hook does without
            from mdmem.store.index.freshness import Index

            self._finish_broken_change()
            patience = database.PATIENCE if patience is None else patience
            self._index = Index(self.root, self.config, self.repo, self.tell, patience)
        return self._index

    def catch_up(self, patience: float, at_most: int) -> None:
        """Freshen the index as far as possible without waiting: up to `at_most` notes are read again.

        Raises BusyError if another process has kept it locked for `patience` seconds, or if it cannot be kept in a
        file.
        """
        index = self.open_index(patience)
        if not index.is_kept:
            raise BusyError("the index cannot be opened just now; try again later")
        index.catch_up(at_most)
        self._fresh = True

    def staleness(self) -> list[Problem]:
        """Freshen the index. What prevents that is returned as problems; the index then stays as it was."""
        try:
            self.open_index().freshen()
        except StoppedError as error:
            return [Problem("memories-gone", self.config.memories, 0, error.message, error.hint)]
        finally:
            self._fresh = True
        return []

    def rebuild(self, progress: Callable[[int, int], None], allow_loss: bool = False) -> int:
        """Discard the index and rebuild it; the number of notes read. `progress` gets (done, total)."""
        count = self.open_index().rebuild(allow_loss, progress)
        self._fresh = True
        return count

    def read(self, path: str) -> bytes:
        """The bytes of a file of the vault. Raises NotFoundError, UsageError for a path that leads out of it."""
        return files.read(self.root, path)

    def shown(self, path: str) -> bytes:
        """The bytes of a file without the names of memories that the reader may not see."""
        data = self.read(path)
        return data if self.clearance.is_full else self.redacted(data)

    def redacted(self, data: bytes) -> bytes:
        """The bytes of a text without the names of memories that the reader may not see."""
        text = data.decode("utf-8", "surrogateescape")
        redact = self.index.concealed.redact
        return redact(text).encode("utf-8", "surrogateescape")

    def get(self, path: str) -> Memory:
        """The memory at a path, from the file itself. Raises NotFoundError, NoteError."""
        return self.parse(self.read(path), path)

    def file_paths(self) -> set[str]:
        """The relative paths of all files of the vault, memories or not, except for those in dot folders."""
        return set(files.every(self.root, lambda name: not name.startswith(".")))

    def parse(self, data: bytes, path: str) -> Memory:
        """Parse bytes as a memory of this vault."""
        return memory.parse(data, path, self.config.id)

    def resolve(self, rev: str) -> str:
        """The commit for a revision, or for a date or time: the last commit before its end.

        Raises UsageError, also for a date before the first commit.
        """
        when = moments.end(rev)
        if when is None:
            return self.repo.resolve(rev)
        commit = next(iter(self.whole_index.told(by=when, most=1)), "")
        if not commit and self.repo.shallow():
            raise UsageError(f"this shallow clone has no commit as early as {rev}", "git fetch --unshallow")
        if not commit:
            raise UsageError(f"the vault has no commit as early as {rev}", "mdmem log shows its first")
        return commit

    # -- writing -------------------------------------------------------------------------------------------

    @contextmanager
    def change(self, what: Operation, allow_loss: bool = False) -> Iterator[Transaction]:
        """The only way to write: stage files on the transaction; leaving the block commits them all at once.

        If the block raises an exception, nothing is changed. Raises StoppedError for a change that deletes or
        empties more memories than the circuit breaker allows (unless `allow_loss`), BusyError if another writer
        does not finish, ConflictError for files with half-staged edits or merge conflicts.
        """
        from mdmem.store.vault.transaction import Transaction

        with self.following(), self.locked(self.patience):
            tx = Transaction(self, what, self._current_head(allow_loss))
            yield tx
            tx.apply(allow_loss)
            self._touched.update(tx.paths)
            self._warn_off_branch()

    def _warn_off_branch(self) -> None:
        """Say once that commits on a detached HEAD are left behind when HEAD returns to a branch."""
        reason = self.repo.off_branch()
        if reason and not self._off_branch_told:
            self.tell(
                f"{reason}: this is saved, but on no branch; if it is missing later, mdmem doctor says how to get"
                " it back"
            )
            self._off_branch_told = True

    @contextmanager
    def following(self) -> Iterator[None]:
        """Run the followers (see store.registry) once for all changes in the block, when it ends.

        That includes a block that raises: changes committed until then are saved. Blocks may be nested.
        """
        self._followings += 1
        try:
            yield
        finally:
            self._followings -= 1
            if not self._followings and self._touched:
                self._follow_up()

    def _follow_up(self) -> None:
        from mdmem.store.vault import following

        touched, self._touched = frozenset(self._touched), set()
        for complaint in following.follow(self, touched):
            self.tell(complaint)
        if self.config.derived.commit:
            following.track(self)

    def _current_head(self, allow_loss: bool) -> str:
        """The commit at HEAD; the index learns of it if another process has committed since it was opened."""
        if self._index is None:
            return self.repo.head_commit()
        self._index.follow_head(allow_loss)
        return self._index.head

    @contextmanager
    def locked(self, patience: float = lock.PATIENCE) -> Iterator[None]:
        """Hold the vault's lock, as its only writer. An unfinished change of a dead process is settled first.

        Raises BusyError after waiting `patience` seconds, MdmemError if the vault cannot be written.
        """
        with ExitStack() as held:
            try:
                self.prepare_state()
                held.enter_context(lock.held(self.repo.writing(), self.tell, patience))
            except OSError as error:
                refused = of_system(error)
                raise MdmemError(f"the vault cannot be written: {refused.message}", refused.hint) from None
            self.journal.settle(layout.homes(self.config))
            if self._is_purging():
                from mdmem.store import registry

                registry.settle_purge(self)
            yield

    def follow(self, step: Step, notes: Mapping[str, Memory]) -> None:
        """Tell the index of a commit just made; if that fails, its next opening will notice.

        `notes` are those of its memories that were parsed already, by path. The memory is saved by then, so
        trouble with the index is only reported.
        """
        if self._index is not None and step.commit.oid:
            try:
                self._index.freshen_commit(step, notes)
            except (MdmemError, OSError) as error:
                self._fresh = False
                self.tell(f"saved; the index will follow at its next opening ({error})")

    def moved(self, paths: Iterable[str]) -> None:
        """Note that HEAD is another commit now, and which files it changed; the followers run later."""
        self._touched.update(paths)
        self._fresh = False

    def identity(self) -> Identity:
        """Who commits; mdmem trusts them here from then on. If git knows nobody, the stand-in is reported once."""
        identity = self.repo.identity()
        if not self.repo.names_people():
            self.repo.trust(identity.email)
        marker = os.path.join(self.state, "identity-told")
        if not identity.configured and not os.path.exists(marker):
            self.tell(
                f"git has no user.name here; committing as {identity.name} <{identity.email}>"
                " (set yours: git config --global user.name ..., user.email ...)"
            )
            with open(marker, "w", encoding="utf-8"):
                pass
        return identity

    def unfinished(self) -> bool:
        """Whether a process died in the middle of a change or a purge."""
        return self.journal.open or self._is_purging()

    def _is_purging(self) -> bool:
        return os.path.isdir(os.path.join(self.state, state.PURGE))

    def _finish_broken_change(self) -> None:
        """Settle the unfinished change of a dead process; readers go on even if that fails."""
        if not self.unfinished():
            return
        try:
            with self.locked(patience=0):
                pass
        except BusyError:
            return  # its process is alive and working
        except (MdmemError, OSError) as error:
            self.tell(f"a change was interrupted and cannot be taken back yet: {error}")

"""A vault: find it, read its memories, and change it in the only way there is, `with vault.change(...)`.

A change is prepared in memory, then happens as a whole: files are replaced one by one behind a journal, one
commit is made of exactly them, the index follows. If anything fails, or the process dies in between, the
bytes that were there before come back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from mdmem import config, identity
from mdmem.errors import BusyError, MdmemError, Problem, StoppedError, UsageError
from mdmem.git.folder import Identity
from mdmem.git.repo import Repo
from mdmem.local import files, lock, place, state
from mdmem.local.journal import Journal
from mdmem.note import layout, memory
from mdmem.note.memory import Memory
from mdmem.note.trust import sensitivity
from mdmem.note.trust.sensitivity import EVERYTHING, Clearance
from mdmem.text import moments
from mdmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from mdmem.git.log import Step
    from mdmem.index.catalogue import SqliteCatalogue
    from mdmem.index.freshness import Index
    from mdmem.operation import Operation
    from mdmem.vault.transaction import Transaction


def tell_nobody(line: str) -> None:
    """A `tell` for callers with nobody to tell."""
    del line


class Vault:
    """An open vault. `root` is absolute; paths are relative to it, with `/`. Close it, or use `with`.

    `tell` gets one line at a time of what the person should know (waiting, rebuilding, identity). What the
    `clearance` keeps back is not in `index`, and so in no answer.
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
        self._touched: set[str] = set()  # paths of changes that nothing has followed yet

    @classmethod
    def open(
        cls,
        root: str | None = None,
        tell: Callable[[str], None] = tell_nobody,
        environ: Mapping[str, str] = os.environ,
        max_sensitivity: str = "",
        scopes: Sequence[str] = (),
    ) -> Vault:
        """The vault at `root`, else at $MDMEM_VAULT, else around the current folder, else the platform's own.

        It shows memories up to `max_sensitivity`, "" for as much as who runs this may see, and of these `scopes`.
        Raises NotFoundError if there is none, UsageError for settings that are not allowed, and for more than an
        agent may see.
        """
        vault = cls(place.locate(root, environ), tell)
        vault.clear_for(identity.actor_of(environ), max_sensitivity, scopes)
        return vault

    def __enter__(self) -> Vault:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index and of git's helper processes."""
        if self._index is not None:
            self._index.close()
            self._index, self._fresh = None, False
        self.repo.close()

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """The vault's local folder, absolute."""
        return os.path.join(self.root, layout.STATE)

    def clear_for(self, actor: str, max_sensitivity: str = "", scopes: Sequence[str] = ()) -> None:
        """Show what an agent of that name may see ("": a person), or less if that is asked for.

        Raises UsageError for a level that is not known, and if an agent asks for more.
        """
        asked = sensitivity.limit_of(max_sensitivity, "--max-sensitivity") if max_sensitivity else ""
        own = self._own_limit(sensitivity.SETTING) if actor or self.config.trust.max_sensitivity else ""
        limit = sensitivity.granted(bool(actor), self.config.trust.max_sensitivity, own, asked)
        self.clearance = Clearance(limit, tuple(scopes))

    def look_again(self) -> None:
        """Have the next question see what others did since the last: to files, commits and git's settings."""
        self._fresh = False
        self.repo.reread()

    def for_derived(self, name: str) -> Vault:
        """The vault as what is made of it under that `name` may show it: the mirror, pages, the list of events."""
        own = self._own_limit(f"mdmem.{name}-max-sensitivity")
        limit = sensitivity.granted_derived(self.config.trust.max_sensitivity, own)
        self._freshened()  # once, for all that is derived
        from copy import copy

        seen = copy(self)
        seen.clearance = Clearance(limit)
        return seen

    def _own_limit(self, setting: str) -> str:
        said = self.repo.personal(setting)
        return sensitivity.limit_of(said, f"git's {setting}") if said else ""

    @property
    def index(self) -> Index:
        """What may be seen of the index; see `whole_index`."""
        return self.seen(self.whole_index)

    def seen(self, whole: Index) -> Index:
        """What may be seen of the index as it is; always the same object for the same clearance."""
        if self.clearance.is_full:
            return whole
        if self._seen is None or self._seen[:2] != (whole, self.clearance):
            from mdmem.index.cleared import seen_with

            self._seen = whole, self.clearance, seen_with(whole, self.clearance)
        return self._seen[2]

    @property
    def whole_index(self) -> Index:
        """The index, freshened when first asked for. Raises StoppedError if many memories have vanished.

        It is for what has to know of every memory, as a name that is taken, and shows nothing of what it finds.
        """
        return self._freshened()

    def _freshened(self) -> Index:
        index = self.open_index()
        if not self._fresh:
            index.freshen()
            self._fresh = True
        return index

    def open_index(self, patience: float | None = None) -> Index:
        """The index as it is, for callers that freshen it themselves.

        Waits up to `patience` seconds for other processes; None is `database.PATIENCE`.
        """
        if self._index is None:
            from mdmem.index import database  # and SQLite, which the hook before a commit does without
            from mdmem.index.freshness import Index

            self._finish_broken_change()
            patience = database.PATIENCE if patience is None else patience
            self._index = Index(self.root, self.config, self.repo, self.tell, patience)
        return self._index

    def catch_up(self, patience: float, at_most: int) -> None:
        """Have `index` be as fresh as it gets without waiting: with up to `at_most` notes read again.

        Raises BusyError if another process has it locked for `patience` seconds, or if it cannot be kept in a
        file.
        """
        index = self.open_index(patience)
        if not index.is_kept:
            raise BusyError("the index cannot be opened just now; try again later")
        index.catch_up(at_most)
        self._fresh = True

    def staleness(self) -> list[Problem]:
        """What keeps the index from being fresh, as problems to show; `index` is then what it was before."""
        try:
            self.open_index().freshen()
        except StoppedError as error:
            return [Problem("memories-gone", self.config.memories, 0, error.message, error.hint)]
        finally:
            self._fresh = True
        return []

    def rebuild(self, progress: Callable[[int, int], None], allow_loss: bool = False) -> int:
        """Discard the index and rebuild it; how many notes were read. `progress` gets (done, total)."""
        count = self.open_index().rebuild(allow_loss, progress)
        self._fresh = True
        return count

    def read(self, path: str) -> bytes:
        """The bytes of a file of the vault. Raises NotFoundError, UsageError for a path that leads out."""
        return files.read(self.root, path)

    def shown(self, path: str) -> bytes:
        """The bytes of a file without the names of memories that may not be seen."""
        data = self.read(path)
        return data if self.clearance.is_full else self.redacted(data)

    def seen_then(self, past: SqliteCatalogue) -> SqliteCatalogue:
        """What may be seen of a past state: what might have been seen then, and may be now."""
        if self.clearance.is_full:
            return past
        from mdmem.index.cleared import seen_with

        return seen_with(past, self.clearance, self.index.concealed)

    def redacted(self, data: bytes) -> bytes:
        """The bytes of a text without the names of memories that may not be seen."""
        text = data.decode("utf-8", "surrogateescape")
        redact = self.index.concealed.redact
        return redact(text).encode("utf-8", "surrogateescape")

    def get(self, path: str) -> Memory:
        """The memory at a path, from the file itself. Raises NotFoundError, NoteError."""
        return self.parse(self.read(path), path)

    def file_paths(self) -> set[str]:
        """The path of every file of the vault, memory or not, relative to it; those in dot folders left out."""
        found: set[str] = set()
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            inner = os.path.relpath(folder, self.root).replace(os.sep, "/")
            found.update(names if inner == "." else (f"{inner}/{name}" for name in names))
        return found

    def parse(self, data: bytes, path: str) -> Memory:
        """Bytes as a memory of this vault."""
        return memory.parse(data, path, self.config.id)

    def resolve(self, rev: str) -> str:
        """The commit that a revision means, or that a date or time does: the last one until its end.

        Raises UsageError, also for a date before the first commit.
        """
        when = moments.end(rev)
        if when is None:
            return self.repo.resolve(rev)
        commit = self.repo.commit_before(when)
        if not commit:
            raise UsageError(f"the vault has no commit as early as {rev}", "mdmem log shows its first")
        return commit

    def count_memories(self) -> int:
        """How many memories the index holds."""
        return self.index.count()

    # -- writing -------------------------------------------------------------------------------------------

    @contextmanager
    def change(self, what: Operation, allow_loss: bool = False) -> Iterator[Transaction]:
        """The only way to write: stage files on the transaction; leaving the block commits them all at once.

        An exception in the block means nothing happened. Raises StoppedError for a change that deletes or
        empties more memories than the circuit breaker allows (unless `allow_loss`), BusyError if another
        writer does not finish, ConflictError for files with half-staged edits or merge conflicts.
        """
        from mdmem.vault.transaction import Transaction

        with self.following(), self.locked(self.patience):
            tx = Transaction(self, what, self._current_head(allow_loss))
            yield tx
            tx.apply(allow_loss)
            self._touched.update(tx.paths)
            self._warn_off_branch()

    def _warn_off_branch(self) -> None:
        """Say once that what is written on no branch is left behind when HEAD goes back to one."""
        reason = self.repo.off_branch()
        if reason and not self._off_branch_told:
            self.tell(
                f"{reason}: this is saved, but on no branch; if it is missing later, mdmem doctor says how to get"
                " it back"
            )
            self._off_branch_told = True

    @contextmanager
    def following(self) -> Iterator[None]:
        """Have what follows a write (see mdmem.registry) happen once for all changes within, as the block ends.

        That is so after an exception, too: what was committed until then is saved. Blocks may be nested.
        """
        self._followings += 1
        try:
            yield
        finally:
            self._followings -= 1
            if not self._followings and self._touched:
                self._follow_up()

    def _follow_up(self) -> None:
        from mdmem.vault import following

        touched, self._touched = frozenset(self._touched), set()
        for complaint in following.follow(self, touched):
            self.tell(complaint)
        if self.config.derived.commit:
            following.track(self)

    def _current_head(self, allow_loss: bool) -> str:
        """The commit that HEAD is; the index learns of it if another process has written since it was opened."""
        if self._index is None:
            return self.repo.head_commit()
        self._index.follow_head(allow_loss)
        return self._index.head

    @contextmanager
    def locked(self, patience: float = lock.PATIENCE) -> Iterator[None]:
        """Be the only writer. A change that a dead process left half done is settled first.

        Raises BusyError after waiting `patience` seconds, MdmemError if the vault cannot be written.
        """
        with ExitStack() as held:
            try:
                folder = state.prepare(self.root, self.repo)
                held.enter_context(lock.held(os.path.join(folder, "lock"), self.tell, patience))
            except OSError as error:
                raise MdmemError(f"the vault cannot be written: {error}", "fix its permissions") from None
            self.journal.settle(layout.homes(self.config))
            if self._is_purging():
                from mdmem import registry

                registry.settle_purge(self)
            yield

    def follow(self, step: Step, notes: Mapping[str, Memory]) -> None:
        """Have the index learn of a commit just made; if it cannot, its next opening will. Never raises.

        `notes` are those of its memories that were parsed already, by path.

        The memory is saved by then: no trouble with the index may look as if it was not.
        """
        if self._index is not None and step.oid:
            try:
                self._index.freshen_commit(step, notes)
            except (MdmemError, OSError) as error:
                self._fresh = False
                self.tell(f"saved; the index will follow at its next opening ({error})")

    def moved(self, paths: Iterable[str]) -> None:
        """Learn that HEAD is another commit now, and which files it brought; what follows a write follows."""
        self._touched.update(paths)
        self._fresh = False

    def identity(self) -> Identity:
        """Who commits, and is trusted here from then on. A stand-in, if git does not know, is said once."""
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
        """Settle what a dead process left; readers go on if that cannot be done."""
        if not self.unfinished():
            return
        try:
            with self.locked(patience=0):
                pass
        except BusyError:
            return  # its process is alive and at work
        except (MdmemError, OSError) as error:
            self.tell(f"a change was interrupted and cannot be taken back yet: {error}")

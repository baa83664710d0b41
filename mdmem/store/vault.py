"""A vault: find it, read its memories, and change it in the only way there is, `with vault.change(...)`.

A change is prepared in memory, then happens as a whole: files are replaced one by one behind a journal, one
commit is made of exactly them, the index follows. If anything fails, or the process dies in between, the
bytes that were there before come back (promise 4).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import NamedTuple

from mdmem.core import config as settings
from mdmem.core import layout, memory, moments, operation
from mdmem.core.memory import Memory
from mdmem.core.operation import Operation
from mdmem.errors import (
    BusyError,
    ConflictError,
    MdmemError,
    NoteError,
    NotFoundError,
    Problem,
    StoppedError,
    UsageError,
)
from mdmem.store import commits, database, files, lock
from mdmem.store.index import Index, breaks
from mdmem.store.repo import Identity, Repo

ENV = "MDMEM_VAULT"
_JOURNAL = "journal.json"


def find(start: str) -> str | None:
    """The nearest folder from `start` up that is a vault: it holds mdmem.toml or allmemories/."""
    folder = os.path.abspath(start)
    while not is_vault(folder):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def is_vault(folder: str) -> bool:
    """Whether a folder is the root of a vault."""
    return os.path.isfile(os.path.join(folder, settings.FILE)) or os.path.isdir(
        os.path.join(folder, settings.VaultConfig().memories)
    )


def default_root() -> str:
    """Where a vault lies on this platform if nothing else is said."""
    import platformdirs

    return os.path.join(platformdirs.user_data_dir("mdmem", appauthor=False), "vault")


def silent(line: str) -> None:
    """A `tell` for callers with nobody to tell."""
    del line


class Vault:
    """An open vault. `root` is absolute; paths are relative to it, with `/`. Close it, or use `with`.

    `tell` gets one line at a time of what the person should know (waiting, rebuilding, identity).
    """

    def __init__(self, root: str, tell: Callable[[str], None] = silent) -> None:
        self.root = os.path.realpath(root)
        self.tell = tell
        self.repo = Repo.around(self.root)
        data = files.read_or_none(self.root, settings.FILE)
        self.config, self.config_problems = settings.read(data or b"")
        self._index: Index | None = None

    @classmethod
    def open(
        cls,
        root: str | None = None,
        tell: Callable[[str], None] = silent,
        environ: Mapping[str, str] = os.environ,
    ) -> Vault:
        """The vault at `root`, else at $MDMEM_VAULT, else around the current folder, else the platform's own.

        Raises NotFoundError if there is none, UsageError for settings that are not allowed.
        """
        given = root or environ.get(ENV)
        if given:
            if not is_vault(given):
                raise NotFoundError(f"{given} is no vault", f"make it one: mdmem init {given}")
            return cls(given, tell)
        found = find(os.getcwd())
        if found is None and is_vault(default_root()):
            found = default_root()
        if found is None:
            raise NotFoundError(
                "there is no vault here",
                "run mdmem init, go to a vault, or name one with --vault or MDMEM_VAULT",
            )
        return cls(found, tell)

    def __enter__(self) -> Vault:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index and of git's helper processes."""
        if self._index is not None:
            self._index.close()
            self._index = None
        self.repo.close()

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """The vault's local folder, absolute."""
        return os.path.join(self.root, layout.STATE)

    @property
    def index(self) -> Index:
        """The index, freshened when first asked for."""
        if self._index is None:
            index = self.open_index()
            index.freshen()
        return self.open_index()

    def open_index(self) -> Index:
        """The index as it is, for who wants to freshen it in a way of its own."""
        if self._index is None:
            self._finish_broken_change()
            self._index = Index(self.root, self.config, self.repo, self.tell)
        return self._index

    def rebuild(self, progress: Callable[[int, int], None], allow_loss: bool = False) -> int:
        """Throw the index away and fill it anew; how many notes were read. `progress` gets (done, total)."""
        if self._index is not None:
            self._index.close()
            self._index = None
        database.discard(self.root)
        return self.open_index().freshen(allow_loss, progress)

    def read(self, path: str) -> bytes:
        """The bytes of a file of the vault. Raises NotFoundError, UsageError for a path that leads out."""
        return files.read(self.root, path)

    def get(self, path: str) -> Memory:
        """The memory at a path, from the file itself. Raises NotFoundError, NoteError."""
        return self.parse(self.read(path), path)

    def parse(self, data: bytes, path: str) -> Memory:
        """Bytes as a memory of this vault."""
        return memory.parse(data, path, self.config.id)

    def all(self) -> tuple[list[Memory], list[Problem]]:
        """Every memory by path, and what is wrong with files."""
        found, problems = [], []
        for record in self.index.records():
            try:
                found.append(self.get(record.path))
            except NoteError as error:
                problems.append(error.problem)
        return found, problems + self.index.problems()

    def resolve(self, rev: str) -> str:
        """The commit that a revision means, or that a date or time does: the last one before it.

        Raises UsageError, also for a date before the first commit.
        """
        when = moments.parse(rev)
        if when is None:
            return self.repo.resolve(rev)
        end = when + timedelta(days=1) if len(rev.strip()) <= len("2026-03-01") else when
        commit = self.repo.commit_before(moments.render(end))
        if not commit:
            raise UsageError(f"the vault has no commit as early as {rev}", "mdmem log shows its first")
        return commit

    # -- writing -------------------------------------------------------------------------------------------

    @contextmanager
    def change(self, what: Operation, allow_loss: bool = False) -> Iterator[Transaction]:
        """The only way to write: stage files on the transaction; leaving the block commits them all at once.

        An exception in the block means nothing happened. Raises StoppedError for a change that deletes or
        empties more memories than the circuit breaker allows (unless `allow_loss`), BusyError if another
        writer does not finish, ConflictError for files with half-staged edits or merge conflicts.
        """
        with self.locked():
            tx = Transaction(self, what)
            yield tx
            tx._apply(allow_loss)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only writer. A change that a dead process left half done is taken back first."""
        try:
            database.prepare_state(self.root)
            path = os.path.join(self.state, "lock")
            with lock.held(path, self.tell):
                self._recover()
                yield
        except PermissionError as error:
            raise MdmemError(f"the vault cannot be written: {error}", "mend its permissions") from None

    def identity(self) -> Identity:
        """Who commits. If git does not know, a stand-in, which is said once for each vault."""
        identity = self.repo.identity()
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
        """Whether a process died in the middle of a change."""
        return os.path.exists(os.path.join(self.state, _JOURNAL))

    def _finish_broken_change(self) -> None:
        if self.unfinished():
            try:
                with lock.held(os.path.join(self.state, "lock"), self.tell, patience=0):
                    self._recover()
            except BusyError:
                return  # its process is alive and at work

    def _recover(self) -> None:
        """Take back what a dead process had begun; or, if its commit was made, complete the rest."""
        place = os.path.join(self.state, _JOURNAL)
        if not os.path.exists(place):
            return
        with open(place, encoding="utf-8") as file:
            planned: dict[str, str] = json.load(file)
        head = self.repo.head()[0]
        committed = {path: self.repo.read_as_file(head, path) if head else None for path in planned}
        if any(_digest(committed[path]) != wanted for path, wanted in planned.items()):
            for path, wanted in planned.items():
                if _digest(files.read_or_none(self.root, path)) == wanted:
                    self._put(path, committed[path])
            self.tell("took back a change that was interrupted")
        commits.stage(self.repo, list(planned))
        os.unlink(place)

    def _put(self, path: str, data: bytes | None) -> None:
        if data is None:
            files.remove(self.root, path, keep=self.config.memories)
        else:
            files.write(self.root, path, data, os.path.join(self.state, "tmp"))

    def _write_journal(self, staged: Mapping[str, bytes | None]) -> None:
        text = json.dumps({path: _digest(data) for path, data in staged.items()})
        files.write(self.root, f"{layout.STATE}/{_JOURNAL}", text.encode(), os.path.join(self.state, "tmp"))

    def _drop_journal(self) -> None:
        os.unlink(os.path.join(self.state, _JOURNAL))


class Touched(NamedTuple):
    """A memory before and after a change; None where it was or is not there."""

    before: Memory | None
    after: Memory | None

    @property
    def subject(self) -> Memory:
        found = self.after or self.before
        assert found is not None
        return found


class Transaction:
    """The files of one change, staged in memory. `commit` is the new commit's id once it is made."""

    def __init__(self, vault: Vault, what: Operation) -> None:
        self.vault = vault
        self.operation = what
        self.commit = ""
        self._staged: dict[str, bytes | None] = {}
        self._included: list[str] = []
        self._origin: dict[str, str] = {}  # new path -> old path of what this change moves

    def read(self, path: str) -> bytes | None:
        """A file as this change leaves it; None if it is not there."""
        if path in self._staged:
            return self._staged[path]
        return files.read_or_none(self.vault.root, path)

    def exists(self, path: str) -> bool:
        """Whether a file is there as this change leaves it."""
        return self.read(path) is not None

    def write(self, path: str, data: bytes) -> None:
        """Create or replace a file. Raises UsageError for a path that leads out of the vault."""
        files.locate(self.vault.root, path)
        self._staged[path] = data

    def delete(self, path: str) -> None:
        """Delete a file. Raises NotFoundError if there is none."""
        if self.read(path) is None:
            raise NotFoundError(f"there is no file {path}")
        self._staged[path] = None

    def move(self, old: str, new: str) -> None:
        """Rename a file. Raises NotFoundError, and ConflictError if `new` is there already."""
        data = self.read(old)
        if data is None:
            raise NotFoundError(f"there is no file {old}")
        if self.exists(new):
            raise ConflictError(f"{new} is there already", "choose another name")
        self.write(new, data)
        self._staged[old] = None
        self._origin[new] = old

    def include(self, path: str) -> None:
        """Commit a file as it is, such as one that git does not know yet. Raises NotFoundError."""
        if self.read(path) is None:
            raise NotFoundError(f"there is no file {path}")
        self._included.append(path)

    # -- applying ------------------------------------------------------------------------------------------

    def _apply(self, allow_loss: bool) -> None:
        vault = self.vault
        before = {path: files.read_or_none(vault.root, path) for path in self._staged}
        changed = {path: data for path, data in self._staged.items() if data != before[path]}
        included = {path: self.read(path) for path in self._included}
        if not changed and not included:
            return
        touched = self._touched({**included, **changed}, before)
        if not allow_loss:
            self._check_loss(touched)
        subjects = {item.subject.id: item.subject.name for item in touched}
        self.operation = self.operation._replace(names=tuple(subjects.values()), ids=tuple(subjects))
        identity = vault.identity()
        self._commit_hand_edits([path for path in changed if before[path] is not None], identity)
        self._write_and_commit(changed, before, identity)
        commits.tidy(vault.repo)

    def _touched(self, changed: Mapping[str, bytes | None], before: Mapping[str, bytes | None]) -> list[Touched]:
        """The memories of the change, each before and after: one at the same path, moved, or of the same id."""
        found: list[Touched] = []
        gone: dict[str, Memory] = {}
        made: dict[str, Memory] = {}
        for path, data in changed.items():
            if not layout.is_memory(path, self.vault.config):
                continue
            origin = self._origin.get(path, path)
            old, new = self._parsed(before.get(origin), origin), self._parsed(data, path)
            if old and new:
                found.append(Touched(old, new))
            elif old and path not in self._origin.values():
                gone[old.id] = old
            elif new:
                made[new.id] = new
        return found + [Touched(gone.get(id), made.get(id)) for id in {**made, **gone}]

    def _parsed(self, data: bytes | None, path: str) -> Memory | None:
        if data is None:
            return None
        try:
            return self.vault.parse(data, path)
        except NoteError:  # it counts all the same: by its name, as an empty note
            return Memory(path, memory.derived_id(path, self.vault.config.id), {}, "", "none", 1)

    def _check_loss(self, touched: list[Touched]) -> None:
        """The circuit breaker for what this change deletes or empties."""
        lost = [
            item.before
            for item in touched
            if item.before and (item.after is None or (item.before.body.strip() and not item.after.body.strip()))
        ]
        if len(lost) > 1 and breaks(len(lost), total := self.vault.index.count()):
            names = ", ".join(note.name for note in lost[:3])
            raise StoppedError(
                f"this would delete or empty {len(lost)} of {total} memories ({names} ...); nothing was changed",
                "if that is what you want, say so with --yes",
            )

    def _commit_hand_edits(self, paths: list[str], identity: Identity) -> None:
        """What a person changed in these files and did not commit becomes a commit of its own, in their name."""
        if not paths:
            return
        vault = self.vault
        entries = vault.repo.status(paths).entries
        for entry in entries:
            if entry.staged == "U":
                raise ConflictError(f"{entry.path} has a merge conflict", "resolve it first, then try again")
            if entry.staged not in ".?" and entry.worktree != ".":
                raise ConflictError(
                    f"{entry.path} is staged in one version and saved in another",
                    "git add it, or commit or unstage it, then try again",
                )
        if entries:
            names = ", ".join(memory.stem(entry.path) for entry in entries[:3])
            draft = commits.Draft(
                paths=tuple(entry.path for entry in entries),
                message=f"edit by hand: {names}\n\nCommitted before mdmem changed the same file.\n",
                author=identity,
                committer=identity,
                when=self.operation.when,
            )
            parent = vault.repo.head()[0]
            oid = commits.commit(vault.repo, draft, os.path.join(vault.state, "tmp"))
            self._follow(parent, oid)

    def _write_and_commit(
        self, changed: Mapping[str, bytes | None], before: Mapping[str, bytes | None], identity: Identity
    ) -> None:
        vault = self.vault
        what = self.operation
        author = _author(what.actor, identity)
        signed = what._replace(actor=what.actor or identity.name)
        paths = tuple(dict.fromkeys([*self._included, *changed]))
        draft = commits.Draft(paths, operation.message(signed), author, identity, what.when)
        vault._write_journal(changed)
        with ExitStack() as on_failure:
            on_failure.callback(vault._drop_journal)
            on_failure.callback(self._put_back, before, tuple(changed))
            for path, data in changed.items():
                vault._put(path, data)
            parent = vault.repo.head()[0]
            self.commit = commits.commit(vault.repo, draft, os.path.join(vault.state, "tmp"))
            on_failure.pop_all()
        vault._drop_journal()
        self._follow(parent, self.commit)

    def _put_back(self, before: Mapping[str, bytes | None], paths: tuple[str, ...]) -> None:
        for path in paths:
            self.vault._put(path, before[path])
        commits.stage(self.vault.repo, paths)

    def _follow(self, parent: str, oid: str) -> None:
        """The index learns of the commit at once, if it is open; else at its next opening."""
        if self.vault._index is not None and oid:
            self.vault._index.freshen_commit(parent, oid)


def _author(actor: str, identity: Identity) -> Identity:
    """git's author for an actor: the person's identity, or the agent under its own name."""
    name = "".join(char for char in actor if char.isprintable() and char not in "<>").strip()
    if not name or name == identity.name or not any(char.isalnum() for char in name):
        return identity
    address = "".join(char if char.isalnum() and char.isascii() else "-" for char in name.lower()).strip("-")
    return Identity(name, f"{address or 'agent'}@agents.mdmem.invalid")


def _digest(data: bytes | None) -> str:
    return hashlib.sha256(data).hexdigest() if data is not None else ""

"""The search index of a vault: a Catalogue that is made fresh at every opening (DESIGN section 5).

It remembers the commit it was filled from and which files differed from it then. To freshen it, git names
what changed since (`diff-tree`) and what is not committed (`status`); only those files are read. Nothing is
ever dropped because a folder could not be read: a file is gone when git says so.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

from mdmem.core import layout, memory, moments
from mdmem.core.config import VaultConfig
from mdmem.errors import BusyError, MdmemError, NoteError, NotFoundError, Problem, StoppedError
from mdmem.store import database, files, log
from mdmem.store.catalogue import Catalogue
from mdmem.store.repo import Repo, Status

BREAKER_COUNT, BREAKER_SHARE = 10, 0.2
_RACY = 2_000_000_000  # ns: a file changed this shortly before it was read is read again next time
_SUBMODULE = "160000"
_T = TypeVar("_T")


def _no_progress(done: int, total: int) -> None:
    del done, total


class Plan(NamedTuple):
    """What to do to be fresh: notes to read again, commits whose versions to add, and what to forget first."""

    paths: tuple[str, ...]
    steps: tuple[log.Step, ...]
    everything: bool  # forget all rows: a first build, or other settings
    history: bool  # forget the versions: HEAD is no descendant of the commit known before


class Index(Catalogue):
    """The index of one vault, kept in its local folder."""

    def __init__(self, root: str, config: VaultConfig, repo: Repo, tell: Callable[[str], None]) -> None:
        """Open the index file, making it anew if it is missing, damaged or of another schema.

        On a disk that cannot be written the index is kept in memory; `tell` gets one line about that.
        """
        self.root = root
        self.config = config
        self.repo = repo
        self._tell = tell
        self._path = os.path.join(root, layout.STATE, "index.sqlite")
        super().__init__(self._open())

    def _open(self) -> sqlite3.Connection:
        try:
            database.prepare_state(self.root)
            return database.connect(self._path)
        except (OSError, sqlite3.OperationalError) as error:
            return self._in_memory(error)
        except sqlite3.DatabaseError as error:
            return self._replace(error)

    def _in_memory(self, error: Exception) -> sqlite3.Connection:
        self._tell(f"the index cannot be kept in {layout.STATE} ({error}); building it in memory")
        self._path = ":memory:"
        return database.connect(self._path)

    def _replace(self, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        self._tell(f"the index was damaged ({error}); building it anew")
        database.discard(self.root)
        return database.connect(self._path)

    def _healing(self, action: Callable[[], _T]) -> _T:
        """The result of `action`; a damaged file found on the way is replaced, filled, and asked again."""
        try:
            return action()
        except sqlite3.OperationalError as error:
            if "readonly" not in str(error) or self._path == ":memory:":
                raise
            self._db.close()
            self._db = self._in_memory(error)
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            self._db.close()
            self._db = self._replace(error)
        self._freshen()
        return action()

    # -- freshness -----------------------------------------------------------------------------------------

    def freshen(
        self,
        allow_loss: bool = False,
        progress: Callable[[int, int], None] = _no_progress,
        at_most: int = sys.maxsize,
    ) -> int:
        """Make the index agree with HEAD and the files as they are now; returns how many notes were read.

        With more than `at_most` notes to read nothing is done: the next opening will. Raises StoppedError if
        memories have vanished from the folder, uncommitted, beyond the circuit breaker (unless `allow_loss`),
        and MdmemError for folders that cannot be read.
        """
        return self._healing(lambda: self._freshen(allow_loss, progress, at_most))

    def _freshen(
        self,
        allow_loss: bool = False,
        progress: Callable[[int, int], None] = _no_progress,
        at_most: int = sys.maxsize,
    ) -> int:
        status = self.repo.status()
        if self._is_fresh(status):
            return 0
        with self._writing():
            plan = self._plan(status)
            if len(plan.paths) > at_most:
                return 0
            self._check_loss(status, plan.everything, allow_loss)
            if plan.everything:
                self.clear()
            if plan.history:
                self._db.execute("DELETE FROM versions")
            self._add_versions(plan.steps)
            self._read_all(plan.paths, set(self._dirty(status)), progress)
            self._remember(status)
        return len(plan.paths)

    def freshen_commit(self, parent: str, oid: str) -> None:
        """Take in a commit just made on top of `parent` ("" for none).

        If the index is older than that this does nothing: `freshen` will.
        """
        if self._state("head") != (parent or "none") or self._state("basis") != self._basis():
            return
        with self._writing():
            step = log.step(self.repo, oid)
            self._add_versions([step])
            paths = [file.path for _, file in step.changed if layout.is_memory(file.path, self.config)]
            self._read_all(paths, set(), _no_progress)
            self._db.executemany("DELETE FROM dirty WHERE path=?", [(path,) for path in paths])
            self._set_state("head", oid)

    @property
    def head(self) -> str:
        """The commit the index was freshened to; "" before the first."""
        head = self._state("head")
        return "" if head == "none" else head

    def uncommitted(self) -> set[str]:
        """The paths of memories that differed from HEAD when the index was freshened."""
        return set(self._known_dirty())

    def _is_fresh(self, status: Status) -> bool:
        if self._state("head") != (status.head or "none") or self._state("basis") != self._basis():
            return False
        known = self._known_dirty()
        return known == self._dirty(status) and not any(stamp.startswith("racy") for stamp in known.values())

    def _known_dirty(self) -> dict[str, str]:
        return dict(self._db.execute("SELECT path, stamp FROM dirty"))

    def _dirty(self, status: Status) -> dict[str, str]:
        """Uncommitted memories -> what tells whether they changed again."""
        found = (entry.path for entry in status.entries if layout.is_memory(entry.path, self.config))
        return {path: _stamp(os.path.join(self.root, path)) for path in found}

    def _plan(self, status: Status) -> Plan:
        old, head = self._state("head"), status.head
        known, dirty = self._known_dirty(), self._dirty(status)
        everything = self._state("basis") != self._basis()
        if everything or (old not in (head, "none") and not self.repo.has_commit(old)):
            everything, known, old = True, {}, "none"
        changed, steps, history = self._changes("" if old == "none" else old, head)
        moved = {path for path, stamp in known.items() if dirty.get(path) != stamp}
        moved |= {path for path, stamp in dirty.items() if known.get(path) != stamp or stamp.startswith("racy")}
        paths = dict.fromkeys([*changed, *sorted(moved)])
        notes = tuple(path for path in paths if layout.is_memory(path, self.config))
        return Plan(notes, tuple(steps), everything, history)

    def _changes(self, old: str, head: str) -> tuple[list[str], list[log.Step], bool]:
        """(paths, steps, whether history was rewritten) between two commits; "" is before the first."""
        if old == head:
            return [], [], False
        if old:
            step = log.step(self.repo, head)
            if step.parents == (old,):
                return [file.path for _, file in step.changed], [step], False
            changed = [file.path for _, file in log.changed(self.repo, old, head)]
            if self.repo.asks("merge-base", "--is-ancestor", old, head):
                return changed, list(log.steps(self.repo, f"{old}..{head}")), False
            return changed, list(log.steps(self.repo, head)), True
        present = [file.path for file in self.repo.files(head) if file.mode != _SUBMODULE]
        return present, list(log.steps(self.repo, head)), True

    def _add_versions(self, steps: Iterable[log.Step]) -> None:
        rows = (
            (file.path, step.oid, step.when, file.blob if letter != "D" else "")
            for step in steps
            for letter, file in step.changed
            if layout.is_memory(file.path, self.config)
        )
        self._db.executemany("INSERT INTO versions VALUES(?,?,?,?)", rows)

    def _check_loss(self, status: Status, everything: bool, allow_loss: bool) -> None:
        """The circuit breaker: uncommitted disappearance of many memories is no reason to forget them."""
        gone = [
            entry.path
            for entry in status.entries
            if "D" in (entry.staged, entry.worktree)
            and layout.is_memory(entry.path, self.config)
            and not os.path.lexists(os.path.join(self.root, entry.path))  # it may only have been unstaged
        ]
        if allow_loss or not gone:
            return
        if everything:
            total = sum(1 for file in self.repo.files(status.head) if layout.is_memory(file.path, self.config))
            lost = len(gone)
        else:
            total = self.count()
            lost = sum(1 for path in gone if self.record(path) is not None)
        folder = self.config.memories
        missing = not os.path.isdir(os.path.join(self.root, folder))
        if (missing and lost) or breaks(lost, total):
            raise StoppedError(
                f"{lost} of {total} memories are gone from {folder} but not from git",
                "if that is an accident: git restore . ; if it is meant: commit it, or mdmem rebuild --yes",
            )

    def _read_all(self, paths: Sequence[str], dirty: set[str], progress: Callable[[int, int], None]) -> None:
        for done, path in enumerate(paths, 1):
            self.drop(path)
            try:
                data = self._bytes(path)
                if data is not None:
                    created, updated = self._times(path, path in dirty)
                    self.insert(memory.parse(data, path, self.config.id), created, updated)
            except NoteError as error:
                self.add_problems([error.problem])
            if done % 200 == 0 or done == len(paths):
                progress(done, len(paths))

    def _times(self, path: str, dirty: bool) -> tuple[str, str]:
        """(created, updated) of a file as history has them; where it has none, when the file was saved."""
        sql = "SELECT min(seconds), max(seconds) FROM versions WHERE path=?"
        first, last = self._db.execute(sql, (path,)).fetchone()
        saved = _time(int(os.stat(os.path.join(self.root, path)).st_mtime)) if dirty or not first else ""
        return _time(first) if first else saved, saved or _time(last)

    def _bytes(self, path: str) -> bytes | None:
        """A file's bytes; None if it is gone. Raises NoteError for what is no note to read."""
        place = os.path.join(self.root, path)
        try:
            size = os.lstat(place).st_size
        except (FileNotFoundError, NotADirectoryError):
            return None
        if size > memory.MAX_BYTES:
            raise NoteError(memory.too_large(path, size))
        if os.path.islink(place):
            raise NoteError(
                Problem(
                    "path-link",
                    path,
                    0,
                    "is a symbolic link",
                    "put the note itself into the vault",
                    "warning",
                )
            )
        try:
            return files.read(self.root, path)
        except NotFoundError:
            return None

    def _remember(self, status: Status) -> None:
        self._db.execute("DELETE FROM dirty")
        self._db.executemany("INSERT INTO dirty VALUES(?,?)", self._dirty(status).items())
        self._set_state("head", status.head or "none")
        self._set_state("basis", self._basis())

    def _basis(self) -> str:
        """What all rows depend on: the settings, and the very file they are in.

        An index that came with a clone or a copied folder has another inode, so it is never believed.
        """
        file = os.stat(self._path) if self._path != ":memory:" else None
        config = self.config
        settings = [config.id, config.memories, config.templates, config.exclude]
        return json.dumps([*settings, self.root, file.st_ino if file else 0])

    def _state(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM state WHERE key=?", (key,)).fetchone()
        return row[0] if row else ""

    def _set_state(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO state VALUES(?,?)", (key, value))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            raise BusyError("another mdmem keeps the index locked", "try again when it is done") from None
        with self._db:  # commits, or rolls back on an exception
            yield


def breaks(lost: int, total: int) -> bool:
    """The circuit breaker's rule: all memories (if more than one), or more than 10 and more than 20 % of all."""
    return (lost == total and lost > 1) or (lost > BREAKER_COUNT and lost > BREAKER_SHARE * total)


def _stamp(place: str) -> str:
    """What tells whether a file changed since; "racy" if it was changed too shortly before to be sure."""
    try:
        stat = os.lstat(place)
    except (FileNotFoundError, NotADirectoryError):
        return "gone"
    except OSError as error:
        raise MdmemError(f"{place} cannot be read: {error.strerror}", "mend its permissions") from None
    racy = time.time_ns() - stat.st_mtime_ns < _RACY
    return f"{'racy ' if racy else ''}{stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_ino}"


def _time(seconds: int) -> str:
    return moments.render(datetime.fromtimestamp(seconds, UTC))

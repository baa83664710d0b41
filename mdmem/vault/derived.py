"""Derived trees: files that are made of memories, such as the JSON mirror (see `mdmem.registry.DerivedTree`).

`mdmem.vault.places` says where a tree may lie. What is known of it stands in its manifest in the local folder,
which can be deleted: its files, and what they were made of. A file is removed or replaced only if the tree wrote
it. Files are written aside first and then put in place, so that a reader never sees half of one.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any, TypeVar

from mdmem.errors import ConflictError, MdmemError
from mdmem.index.database import closed_on_error
from mdmem.local import files, lock, state
from mdmem.note import layout
from mdmem.registry import DerivedTree
from mdmem.values import NamedTuple
from mdmem.vault.places import Stamp
from mdmem.vault.vault import Vault

_SCHEMA = 1  # another number in the file: dropped and filled again
_TABLES = """
CREATE TABLE state(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE files(path TEXT PRIMARY KEY, size INTEGER, time INTEGER, digest TEXT, links TEXT) WITHOUT ROWID;
"""
_T = TypeVar("_T")


class DerivedFile(NamedTuple):
    """A file of a tree, by its path in the vault. `links` is what the manifest keeps beside it."""

    path: str
    data: bytes
    digest: str
    links: str = ""


class Existing(NamedTuple):
    """The files of a tree as they are: on the disk, those that are the tree's own, those as it left them.

    `intact` maps their paths to their digests.
    """

    on_disk: Mapping[str, Stamp]
    ours: Collection[str]
    intact: Mapping[str, str]


class Replaced(NamedTuple):
    """How many files of a tree were written, and how many removed."""

    written: int
    removed: int


# -- what is known -------------------------------------------------------------------------------------------


class Manifest:
    """What is known of a derived tree of one vault. Close it when done."""

    tables = _TABLES

    def __init__(self, place: str) -> None:
        """`place` is that of its file; ":memory:" for one that knows nothing.

        A damaged one is started again. Raises MdmemError where none can be opened or made.
        """
        self._place = place
        try:
            self._db = self._opened()
        except sqlite3.OperationalError as error:
            raise self._failure(error) from None
        except sqlite3.DatabaseError:
            self._discard()
            self._db = self._opened()

    def _opened(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._place, isolation_level=None)
        try:
            db.execute("PRAGMA synchronous=OFF")  # it is checked against the files, and can be made again
            (version,) = db.execute("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError:
            db.close()
            raise
        if version != _SCHEMA:
            db.close()
            self._discard()
            db = sqlite3.connect(self._place, isolation_level=None)
            with closed_on_error(db):
                db.executescript(f"{self.tables} PRAGMA user_version={_SCHEMA};")
        return db

    def _discard(self) -> None:
        for end in ("", "-journal"):
            with suppress(FileNotFoundError):
                os.unlink(self._place + end)

    def close(self) -> None:
        self._db.close()

    def ask(self, action: Callable[[], _T]) -> _T:
        """The result of an action on the file. Raises MdmemError for one that is damaged."""
        try:
            return action()
        except sqlite3.OperationalError as error:
            raise self._failure(error) from None
        except sqlite3.DatabaseError as error:
            raise MdmemError(f"{self._shown}: {error}", f"delete {self._shown}, then: mdmem mirror") from None

    def _failure(self, error: sqlite3.OperationalError) -> MdmemError:
        """What keeps the file from being used, such as a full disk; nothing is wrong with what it holds."""
        full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
        hint = "make room on the disk, then try again" if full else "try again"
        return MdmemError(f"{self._shown}: {error}", hint)

    @property
    def _shown(self) -> str:
        return f"{layout.STATE}/{os.path.basename(self._place)}"

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows of a question."""
        return self.ask(lambda: self._db.execute(sql, values).fetchall())

    def forget(self) -> None:
        """Know only which files are the tree's."""
        self.ask(lambda: self._db.executescript("DELETE FROM state; UPDATE files SET size=-1, digest='';"))

    def state(self, key: str) -> str:
        """What was kept under a key, "" if nothing was."""
        return next((str(value) for (value,) in self.rows("SELECT value FROM state WHERE key=?", (key,))), "")

    def stamps(self) -> dict[str, tuple[Stamp, str]]:
        """path -> (how the tree left it, digest) of each of its files; size -1 for one it was about to write."""
        rows = self.rows("SELECT path, size, time, digest FROM files")
        return {path: (Stamp(int(size), int(time)), digest) for path, size, time, digest in rows}

    def announce(self, paths: Iterable[str]) -> None:
        """Note that files are about to be written: they are the tree's, whatever happens."""
        rows = [(path,) for path in paths]
        sql = "INSERT INTO files VALUES(?,-1,0,'','') ON CONFLICT(path) DO UPDATE SET size=-1, digest=''"
        with self.whole():
            self._db.executemany(sql, rows)

    def keep_state(self, state: Mapping[str, str]) -> None:
        """Keep values under their keys."""
        with self.whole():
            self._db.executemany("REPLACE INTO state VALUES(?,?)", state.items())

    def keep(self, done: Iterable[tuple[DerivedFile, Stamp]], removed: Iterable[str]) -> None:
        """Note how files are now."""
        rows = [(file.path, *stamp, file.digest, file.links) for file, stamp in done]
        with self.whole():
            self._db.executemany("REPLACE INTO files VALUES(?,?,?,?,?)", rows)
            self._db.executemany("DELETE FROM files WHERE path=?", [(path,) for path in removed])

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Have all that is written within kept, or nothing of it. Raises MdmemError where it cannot be."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:
                yield
        except sqlite3.OperationalError as error:
            raise self._failure(error) from None
        except sqlite3.DatabaseError as error:
            raise MdmemError(f"{self._shown}: {error}", "try again") from None


_M = TypeVar("_M", bound=Manifest)


@contextmanager
def opened(vault: Vault, name: str, manifest: type[_M], patience: float = lock.PATIENCE) -> Iterator[_M]:
    """The manifest of the tree of that name, for the only one who writes the tree.

    Raises BusyError if another process is at it for `patience` seconds, MdmemError, OSError.
    """
    folder = state.prepare(vault.root, vault.repo)
    with (
        lock.held(os.path.join(folder, f"{name}.lock"), vault.tell, patience),
        closing(manifest(os.path.join(folder, f"{name}.sqlite"))) as known,
    ):
        yield known


def sources(vault: Vault) -> str:
    """The tree id of the memories, as HEAD has them; "" if they are not all saved that way."""
    index = vault.whole_index
    if not index.head or index.uncommitted():
        return ""
    folder = vault.config.memories
    return vault.repo.tree(index.head, "" if folder == "." else folder)


# -- the files -----------------------------------------------------------------------------------------------


def existing(vault: Vault, tree: DerivedTree, manifest: Manifest) -> Existing:
    """Look at the files of a tree, its places claimed.

    Raises ConflictError for a folder that holds files of others, UsageError for symbolic links.
    """
    stamps = manifest.stamps()
    tree.claim(vault, stamps)
    there = tree.present(vault, stamps)
    intact = {path: digest for path, (stamp, digest) in stamps.items() if there.get(path) == stamp}
    unknown = there.keys() - stamps.keys()
    return Existing(there, stamps.keys() | {path for path in unknown if tree.wrote(vault, path)}, intact)


def put(
    vault: Vault,
    tree: DerivedTree,
    manifest: Manifest,
    there: Existing,
    wanted: Collection[str],
    changed: Iterable[DerivedFile],
) -> Replaced:
    """Have a tree hold the `wanted` paths: the `changed` files are put in place, the others stay as they are.

    What is the tree's own and not wanted goes, last of all. Raises ConflictError for files of others that are in
    the way, UsageError for symbolic links, OSError.
    """
    _refuse_foreign(tree, (path for path in wanted if path in there.on_disk and path not in there.ours))
    left = [path for path in there.ours if path not in wanted]
    with closing(_Batch(vault.root, os.path.join(vault.state, tree.name))) as batch:
        for file in changed:
            kept = there.intact.get(file.path) == file.digest or is_there(vault, file, there.on_disk)
            batch.add(file, there.on_disk[file.path] if kept else None)
        present = (path for path in left if path in there.on_disk)
        removed = sorted(path for path in present if path in there.intact or tree.wrote(vault, path))
        manifest.announce(batch.staged)
        batch.apply(removed, tree.top)
        manifest.keep(batch.done, left)
        return Replaced(len(batch.staged), len(removed))


def stale(vault: Vault, tree: DerivedTree, rendered: Iterable[tuple[str, bytes]] | None = None) -> list[str]:
    """The files of a tree that are missing, differ or should not be there, sorted. Nothing is changed.

    `rendered` are the files that it is to hold, if they are at hand.
    """
    there = tree.present(vault, ())
    wanted: set[str] = set()
    differing: set[str] = set()
    for path, data in tree.files(vault) if rendered is None else rendered:
        wanted.add(path)
        if not is_there(vault, DerivedFile(path, data, ""), there):
            differing.add(path)
    unknown = there.keys() - wanted
    return sorted(differing | {path for path in unknown if tree.wrote(vault, path)})


def is_there(vault: Vault, file: DerivedFile, there: Mapping[str, Stamp]) -> bool:
    """Whether a file stands on the disk as it is to be; a link never does."""
    stamp = there.get(file.path)
    return stamp is not None and stamp.size == len(file.data) and files.read(vault.root, file.path) == file.data


def _refuse_foreign(tree: DerivedTree, paths: Iterable[str]) -> None:
    first = min(paths, default=None)
    if first is not None:
        raise ConflictError(f"{first} is in the way: the {tree.name} did not write it", tree.elsewhere)


class _Batch:
    """Files that are written aside first, and then put in place as fast as renaming goes. Close it when done.

    `done` are those, and those that need no writing; how each looks now.
    """

    def __init__(self, root: str, scratch: str) -> None:
        self._root, self._scratch = root, scratch
        self.staged: dict[str, str] = {}  # path -> where it is written aside
        self.done: list[tuple[DerivedFile, Stamp]] = []
        os.makedirs(self._scratch, exist_ok=True)
        self.close()  # for a process that died: there is one at a time

    def close(self) -> None:
        """Take away what was written aside and not put in place: a disk may be full of it."""
        for left in os.listdir(self._scratch):
            os.unlink(os.path.join(self._scratch, left))

    def add(self, file: DerivedFile, kept: Stamp | None) -> None:
        """Write a file aside, unless it is `kept` as it is."""
        if kept is None:
            place = self.staged[file.path] = os.path.join(self._scratch, str(len(self.staged)))
            with open(place, "wb") as out:
                out.write(file.data)
            status = os.stat(place)
            kept = Stamp(status.st_size, status.st_mtime_ns)
        self.done.append((file._replace(data=b""), kept))

    def apply(self, removed: Iterable[str], top: Callable[[str], str]) -> None:
        """Put all in place, in the order given, then take files away. Raises UsageError for symbolic links."""
        for folder in {os.path.dirname(path) for path in self.staged if "/" in path}:
            os.makedirs(files.locate(self._root, folder), exist_ok=True)
        for path, place in self.staged.items():
            os.replace(place, os.path.join(self._root, path))
        for path in removed:
            files.remove(self._root, path, top(path))

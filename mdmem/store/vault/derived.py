"""Derived trees: files generated from memories, such as the JSON mirror (see `store.registry.DerivedTree`).

`places` says where a tree may be. A tree's manifest in the local folder records its files and what
they were generated from; the manifest can be deleted. A file is replaced or deleted only if the tree wrote it.
Files are written to a scratch folder first and then moved into place, so that a reader never sees half of one.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from stat import S_ISLNK
from typing import Any, NamedTuple, TypeVar

from mdmem.errors import ConflictError, MdmemError
from mdmem.store import layout
from mdmem.store.git import exclude
from mdmem.store.index.database import closed_on_error
from mdmem.store.local import files, lock
from mdmem.store.registry import DerivedTree
from mdmem.store.vault.vault import Vault


class Stamp(NamedTuple):
    """A file's size in bytes, and its modification time in nanoseconds."""

    size: int
    time: int


class FolderTree:
    """A tree with folders of its own. `mark` is the .gitignore in each, which ignores the whole folder."""

    name: str
    mark: bytes
    elsewhere: str

    def folders(self, known: Iterable[str] = ()) -> list[str]:
        """Its folders, and those with files that it is known to have written."""
        raise NotImplementedError

    def claim(self, vault: Vault, ours: Collection[str]) -> None:
        """Create and mark its folders. Raises ConflictError for one that holds files of others."""
        known = {*ours, layout.audit_log(vault.config)}  # the only file of another tree in one of these folders
        for folder in self.folders():
            place = files.locate(vault.root, folder)
            mark = os.path.join(place, ".gitignore")
            if not os.path.islink(mark) and files.bytes_at(mark) == self.mark:
                continue
            others = (path for path in sorted(_files_in(vault.root, folder)) if path not in known)
            are_tracked = vault.config.derived.commit == "all"  # they may have come with a clone
            foreign = next((path for path in others if not (are_tracked and self.wrote(vault, path))), None)
            if foreign or os.path.lexists(mark) or (os.path.lexists(place) and not os.path.isdir(place)):
                message = f"{folder}/ is in use: {foreign or folder} was not written by the {self.name}"
                raise ConflictError(message, self.elsewhere)
            os.makedirs(place, exist_ok=True)
            with open(mark, "xb") as file:
                file.write(self.mark)

    def wrote(self, vault: Vault, path: str) -> bool:
        """Whether a file looks as if the tree wrote it."""
        raise NotImplementedError

    def present(self, vault: Vault, known: Iterable[str]) -> dict[str, Stamp]:
        """Every file in its folders except for the marks, with its stamp."""
        there: dict[str, Stamp] = {}
        for folder in self.folders(known):
            there |= _files_in(vault.root, folder)
            there.pop(f"{folder}/.gitignore", None)
        return there

    def top(self, path: str) -> str:
        """The folder of the tree that a file is in; it stays even if it becomes empty."""
        return next(folder for folder in self.folders([path]) if path.startswith(folder + "/"))


class ScatteredTree:
    """A tree whose files are among others. git ignores them by `info/exclude`, which nobody has to maintain."""

    name: str
    elsewhere: str

    def patterns(self) -> list[str]:
        """The patterns for git to ignore: paths in the vault, in which `*` stands for any name."""
        raise NotImplementedError

    def places(self, vault: Vault) -> Iterable[str]:
        """Every path at which one of its files may be."""
        raise NotImplementedError

    def claim(self, vault: Vault, ours: Collection[str]) -> None:
        """Have git ignore its files."""
        del ours  # they may lie beside any others
        exclude.ignore(vault.repo, self.patterns())

    def present(self, vault: Vault, known: Iterable[str]) -> dict[str, Stamp]:
        """The files of it that exist, with their stamps."""
        there: dict[str, Stamp] = {}
        for path in {*self.places(vault), *known}:
            with suppress(FileNotFoundError, NotADirectoryError):
                there[path] = _stamp(os.stat(os.path.join(vault.root, path), follow_symlinks=False))
        return there

    def top(self, path: str) -> str:
        """The first folder on the path to a file; it stays even if it becomes empty."""
        return path.partition("/")[0] if "/" in path else "."


def _files_in(root: str, folder: str) -> dict[str, Stamp]:
    try:
        entries = list(os.scandir(os.path.join(root, folder)))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    there: dict[str, Stamp] = {}
    for entry in entries:
        path = f"{folder}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            there |= _files_in(root, path)
        else:
            there[path] = _stamp(entry.stat(follow_symlinks=False))
    return there


def _stamp(status: os.stat_result) -> Stamp:
    """The stamp of a file; a symbolic link gets one that no file has."""
    return Stamp(-2, 0) if S_ISLNK(status.st_mode) else Stamp(status.st_size, status.st_mtime_ns)


_TABLES = """
CREATE TABLE state(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE files(path TEXT PRIMARY KEY, size INTEGER, time INTEGER, digest TEXT, links TEXT) WITHOUT ROWID;
"""


class DerivedFile(NamedTuple):
    """A file of a tree, with its path in the vault. `links` is a text that the manifest keeps for it."""

    path: str
    data: bytes
    digest: str
    links: str = ""


class Existing(NamedTuple):
    """The current files of a tree: all that are `on_disk`, the paths that are `ours`, and those still `intact`.

    `ours` are the files that the tree wrote, `intact` maps those not changed since then to their digests.
    """

    on_disk: Mapping[str, Stamp]
    ours: Collection[str]
    intact: Mapping[str, str]


class Replaced(NamedTuple):
    """How many files of a tree were written, and how many were deleted."""

    written: int
    removed: int


# -- the manifest --------------------------------------------------------------------------------------------


class Manifest:
    """The record of a derived tree of one vault. Close it when done. Errors of the file are `reported`."""

    tables = _TABLES
    schema = 1  # if the file has another number, it is discarded and filled again

    def __init__(self, place: str) -> None:
        """`place` is the path of its file, or ":memory:" for an empty one that is not saved.

        A damaged file, or one of another schema, is replaced with an empty one.
        """
        self._db = self._opened(place)
        if self._db.execute("PRAGMA user_version").fetchone()[0] == self.schema:
            return
        self._db.close()
        for end in ("", "-journal") if place != ":memory:" else ():
            files.discard(place + end)
        self._db = self._opened(place)
        with closed_on_error(self._db):
            self._db.executescript(f"{self.tables} PRAGMA user_version={self.schema};")

    @staticmethod
    def _opened(place: str) -> sqlite3.Connection:
        """The file at a place; if it is damaged, an empty one in memory."""
        db = sqlite3.connect(place, isolation_level=None)
        try:
            db.execute("PRAGMA synchronous=OFF")  # it is checked against the files, and can be made again if lost
            db.execute("PRAGMA user_version")
        except sqlite3.DatabaseError as error:
            db.close()
            if isinstance(error, sqlite3.OperationalError):
                raise
            return sqlite3.connect(":memory:")
        return db

    def close(self) -> None:
        self._db.close()

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows that a statement returns."""
        return self._db.execute(sql, values).fetchall()

    def forget(self) -> None:
        """Forget everything except which files are the tree's."""
        self._db.executescript("DELETE FROM state; UPDATE files SET size=-1, digest='';")

    def state(self, key: str) -> str:
        """The value kept under a key, "" if there is none."""
        return next((str(value) for (value,) in self.rows("SELECT value FROM state WHERE key=?", (key,))), "")

    def stamps(self) -> dict[str, tuple[Stamp, str]]:
        """path -> (stamp as the tree left it, digest) for its files; size -1 if a file was about to be written."""
        rows = self.rows("SELECT path, size, time, digest FROM files")
        return {path: (Stamp(int(size), int(time)), digest) for path, size, time, digest in rows}

    def announce(self, paths: Iterable[str]) -> None:
        """Record that files are about to be written: from now on they are the tree's, whatever happens."""
        rows = [(path,) for path in paths]
        sql = "INSERT INTO files VALUES(?,-1,0,'','') ON CONFLICT(path) DO UPDATE SET size=-1, digest=''"
        with self.whole():
            self._db.executemany(sql, rows)

    def keep_state(self, state: Mapping[str, str]) -> None:
        """Save values under their keys."""
        with self.whole():
            self._db.executemany("REPLACE INTO state VALUES(?,?)", state.items())

    def keep(self, done: Iterable[tuple[DerivedFile, Stamp]], removed: Iterable[str]) -> None:
        """Record the files that are done, and forget the removed ones."""
        rows = [(file.path, *stamp, file.digest, file.links) for file, stamp in done]
        with self.whole():
            self._db.executemany("REPLACE INTO files VALUES(?,?,?,?,?)", rows)
            self._db.executemany("DELETE FROM files WHERE path=?", [(path,) for path in removed])

    @contextmanager
    def whole(self) -> Iterator[None]:
        """A transaction: all writes in the block are kept, or none."""
        self._db.execute("BEGIN IMMEDIATE")
        with self._db:
            yield


@contextmanager
def reported(place: str) -> Iterator[None]:
    """Raises MdmemError for an error of the manifest at a place: it is damaged or busy, or the disk is full."""
    shown = f"{layout.STATE}/{os.path.basename(place)}"
    try:
        yield
    except sqlite3.OperationalError as error:  # its content is intact
        full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
        hint = "make room on the disk, then try again" if full else "try again"
        raise MdmemError(f"{shown}: {error}", hint) from None
    except sqlite3.DatabaseError as error:
        raise MdmemError(f"{shown}: {error}", f"delete {shown}, then: mdmem mirror") from None


_M = TypeVar("_M", bound=Manifest)


@contextmanager
def opened(vault: Vault, name: str, manifest: type[_M], patience: float = lock.PATIENCE) -> Iterator[_M]:
    """The manifest of the tree with that name, locked for its only writer.

    Raises BusyError if another process has held it for `patience` seconds, MdmemError, OSError.
    """
    folder = vault.prepare_state()
    place = os.path.join(folder, f"{name}.sqlite")
    with (
        lock.held(os.path.join(folder, f"{name}.lock"), vault.tell, patience),
        reported(place),
        closing(manifest(place)) as known,
    ):
        yield known


def sources(vault: Vault) -> str:
    """The id of git's tree of the memories in HEAD; "" if some changes to them are not committed."""
    index = vault.whole_index
    if not index.head or index.uncommitted():
        return ""
    folder = vault.config.memories
    return vault.repo.tree(index.head, "" if folder == "." else folder)


# -- the files -----------------------------------------------------------------------------------------------


def existing(vault: Vault, tree: DerivedTree, manifest: Manifest) -> Existing:
    """Claim the places of a tree, and look at its files there.

    Raises ConflictError for a folder with files of others, UsageError for symbolic links.
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
    """Make a tree hold the `wanted` paths: the `changed` files are put in place, the others stay as they are.

    The tree's own files that are not wanted are deleted, last of all. Raises ConflictError for files of others in
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
    """The files of a tree that are missing, differ or should not exist, sorted. Nothing is changed.

    `rendered` are the files that the tree should hold, if the caller has them already.
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
    """Whether a file on disk has the right content already; a symbolic link never counts."""
    stamp = there.get(file.path)
    return stamp is not None and stamp.size == len(file.data) and files.read(vault.root, file.path) == file.data


def _refuse_foreign(tree: DerivedTree, paths: Iterable[str]) -> None:
    first = min(paths, default=None)
    if first is not None:
        raise ConflictError(f"{first} is in the way: the {tree.name} did not write it", tree.elsewhere)


class _Batch:
    """Files written to a scratch folder, and then moved into place as fast as renaming goes. Close it when done.

    `done` are all added files, each with its stamp: the staged ones, and those that did not need writing.
    """

    def __init__(self, root: str, scratch: str) -> None:
        self._root, self._scratch = root, scratch
        self.staged: dict[str, str] = {}  # path -> its file in the scratch folder
        self.done: list[tuple[DerivedFile, Stamp]] = []
        os.makedirs(self._scratch, exist_ok=True)
        self.close()  # clears up after a process that died: there is only one batch at a time

    def close(self) -> None:
        """Delete the files still in the scratch folder: they may fill the disk."""
        for left in os.listdir(self._scratch):
            os.unlink(os.path.join(self._scratch, left))

    def add(self, file: DerivedFile, kept: Stamp | None) -> None:
        """Write a file to the scratch folder, unless it is kept as it is: `kept` is then its stamp."""
        if kept is None:
            place = self.staged[file.path] = os.path.join(self._scratch, str(len(self.staged)))
            with open(place, "wb") as out:
                out.write(file.data)
            status = os.stat(place)
            kept = Stamp(status.st_size, status.st_mtime_ns)
        self.done.append((file._replace(data=b""), kept))

    def apply(self, removed: Iterable[str], top: Callable[[str], str]) -> None:
        """Move all files into place in the order added, then delete some. Raises UsageError for symbolic links."""
        for folder in {os.path.dirname(path) for path in self.staged if "/" in path}:
            os.makedirs(files.locate(self._root, folder), exist_ok=True)
        for path, place in self.staged.items():
            os.replace(place, os.path.join(self._root, path))
        for path in removed:
            files.remove(self._root, path, top(path))

"""The files of the JSON mirror: what is known of them, and how they are replaced.

Its folders are marked as its own by a `.gitignore` that keeps all of them out of git. What is known stands in
`.mdmem/mirror.sqlite`, which can be deleted. A file is removed or replaced only if the mirror wrote it.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, TypeVar

from mdmem.errors import ConflictError, MdmemError
from mdmem.local import files
from mdmem.note import layout

MANIFEST = "mirror.sqlite"
FOLDERS = ("chunks", "index", "archive")
_SCHEMA = 1  # another number in the file: dropped and filled again
_IGNORE = b"# Rendered by `mdmem mirror` from the memories; safe to delete.\n*\n"
_TABLES = """
CREATE TABLE state(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE notes(path TEXT PRIMARY KEY, mark TEXT, use TEXT, head TEXT, texts TEXT) WITHOUT ROWID;
CREATE TABLE files(path TEXT PRIMARY KEY, size INTEGER, time INTEGER, digest TEXT, links TEXT) WITHOUT ROWID;
"""
_PLACE = re.compile(r"(.*/|)(?:chunks/[^/]+|index|archive)/[^/]+")
_T = TypeVar("_T")


class MirroredMemory(NamedTuple):
    """What the mirror knows of a memory: what it was made of, and what became of it, as JSON."""

    mark: str
    use: str
    head: Any


class Stamp(NamedTuple):
    """How a file looks from outside: bytes, and nanoseconds of its last change."""

    size: int
    time: int


class File(NamedTuple):
    """A file of the mirror, by its path in the vault. `links` is a piece of the link graph."""

    path: str
    data: bytes
    digest: str
    links: str = ""


class Manifest:
    """What is known of the mirror of one vault. Close it when done."""

    def __init__(self, place: str) -> None:
        """`place` is that of its file; ":memory:" for one that knows nothing."""
        self._place = place
        try:
            self._db = self._opened()
        except sqlite3.DatabaseError:
            self._discard()
            self._db = self._opened()

    def _opened(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._place, isolation_level=None)
        db.execute("PRAGMA synchronous=OFF")  # it is checked against the files, and can be made again
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version != _SCHEMA:
            db.close()
            self._discard()
            db = sqlite3.connect(self._place, isolation_level=None)
            db.executescript(f"{_TABLES} PRAGMA user_version={_SCHEMA};")
        return db

    def _discard(self) -> None:
        for end in ("", "-journal"):
            with suppress(FileNotFoundError):
                os.unlink(self._place + end)

    def close(self) -> None:
        self._db.close()

    def _ask(self, action: Callable[[], _T]) -> _T:
        try:
            return action()
        except sqlite3.DatabaseError as error:
            raise MdmemError(
                f"{layout.STATE}/mirror.sqlite: {error}",
                f"delete {layout.STATE}/mirror.sqlite, then: mdmem mirror",
            ) from None

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._ask(lambda: self._db.execute(sql, values).fetchall())

    def forget(self) -> None:
        """Know only which files are the mirror's."""
        self._ask(
            lambda: self._db.executescript(
                "DELETE FROM notes; DELETE FROM state; UPDATE files SET size=-1, digest='';"
            )
        )

    def state(self, key: str) -> str:
        """What was kept under a key, "" if nothing was."""
        return next((str(value) for (value,) in self._rows("SELECT value FROM state WHERE key=?", (key,))), "")

    def notes(self) -> dict[str, MirroredMemory]:
        """path -> what is known of each memory."""
        rows = self._rows("SELECT path, mark, use, head FROM notes ORDER BY path")
        heads = json.loads(f"[{','.join(row[3] for row in rows)}]")
        return {
            path: MirroredMemory(mark, use, head) for (path, mark, use, _), head in zip(rows, heads, strict=True)
        }

    def texts(self, path: str) -> Any:
        """What was kept beside the head of a memory."""
        return json.loads(self._rows("SELECT texts FROM notes WHERE path=?", (path,))[0][0])

    def stamps(self) -> dict[str, tuple[Stamp, str]]:
        """path -> (how the mirror left it, digest) of each of its files; size -1 for one it was about to write."""
        rows = self._rows("SELECT path, size, time, digest FROM files")
        return {path: (Stamp(size, time), digest) for path, size, time, digest in rows}

    def links(self) -> dict[str, str]:
        """path -> its piece of the link graph."""
        return dict(self._rows("SELECT path, links FROM files WHERE links<>''"))

    def link(self, path: str) -> str:
        """The piece of the link graph of one of its files, "" if none is known."""
        return next((str(piece) for (piece,) in self._rows("SELECT links FROM files WHERE path=?", (path,))), "")

    def announce(self, paths: Iterable[str]) -> None:
        """Note that files are about to be written: they are the mirror's, whatever happens."""
        rows = [(path,) for path in paths]
        sql = "INSERT INTO files VALUES(?,-1,0,'','') ON CONFLICT(path) DO UPDATE SET size=-1, digest=''"
        with self._whole():
            self._db.executemany(sql, rows)

    def save(
        self,
        notes: Iterable[tuple[str, str, str, str, str]],
        uses: Iterable[tuple[str, str]],
        gone: Iterable[str],
        state: Mapping[str, str],
    ) -> None:
        """Note what became of memories: `notes` are (path, mark, use, head, texts), `uses` (path, use).

        `state` is kept under its keys.
        """
        with self._whole():
            self._db.executemany("DELETE FROM notes WHERE path=?", [(path,) for path in gone])
            self._db.executemany("UPDATE notes SET use=? WHERE path=?", [(use, path) for path, use in uses])
            self._db.executemany("REPLACE INTO notes VALUES(?,?,?,?,?)", notes)
            self._db.executemany("REPLACE INTO state VALUES(?,?)", state.items())

    def keep(self, done: Iterable[tuple[File, Stamp]], removed: Iterable[str]) -> None:
        """Note how files are now."""
        rows = [(file.path, *stamp, file.digest, file.links) for file, stamp in done]
        with self._whole():
            self._db.executemany("REPLACE INTO files VALUES(?,?,?,?,?)", rows)
            self._db.executemany("DELETE FROM files WHERE path=?", [(path,) for path in removed])

    @contextmanager
    def _whole(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:
                yield
        except sqlite3.DatabaseError as error:
            raise MdmemError(f"{layout.STATE}/mirror.sqlite: {error}", "try again") from None


def claim(root: str, base: str, known: Iterable[str]) -> None:
    """Make the folders of the mirror within `base`, marked as its own and kept out of git.

    Raises ConflictError for a folder that holds files of others, UsageError for symbolic links.
    """
    ours = set(known)
    for name in FOLDERS:
        folder = base + name
        place = files.locate(root, folder)
        mark = os.path.join(place, ".gitignore")
        if os.path.isfile(mark) and not os.path.islink(mark):
            with open(mark, "rb") as file:
                if file.read() == _IGNORE:
                    continue
        foreign = next((path for path in sorted(_found(root, folder)) if path not in ours), None)
        if foreign or os.path.lexists(mark) or (os.path.lexists(place) and not os.path.isdir(place)):
            raise ConflictError(
                f"{folder}/ is in use: {foreign or folder} was not written by the mirror",
                'move it, or set another place in mdmem.toml: [mirror] folder = "json"',
            )
        os.makedirs(place, exist_ok=True)
        with open(mark, "xb") as file:
            file.write(_IGNORE)


def on_disk(root: str, bases: Iterable[str]) -> dict[str, Stamp]:
    """Every file in the folders of the mirror within the bases, by its path in the vault, but the marks."""
    found: dict[str, Stamp] = {}
    for folder in (base + name for base in bases for name in FOLDERS):
        found |= _found(root, folder)
        found.pop(f"{folder}/.gitignore", None)
    return found


def base_of(path: str) -> str:
    """What stands before the folders of the mirror in the path of one of its files."""
    match = _PLACE.fullmatch(path)
    return match[1] if match else ""


def _found(root: str, folder: str) -> dict[str, Stamp]:
    found: dict[str, Stamp] = {}
    try:
        entries = list(os.scandir(os.path.join(root, folder)))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    for entry in entries:
        path = f"{folder}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            found |= _found(root, path)
        else:
            status = entry.stat(follow_symlinks=False)
            found[path] = Stamp(-2, 0) if entry.is_symlink() else Stamp(status.st_size, status.st_mtime_ns)
    return found


class Batch:
    """Files that are written aside first, and then put in place as fast as renaming goes. Close it when done.

    `done` are those, and those that need no writing; how each looks now.
    """

    def __init__(self, root: str, scratch: str) -> None:
        self._root, self._scratch = root, os.path.join(scratch, "mirror")
        self.staged: dict[str, str] = {}  # path -> where it is written aside
        self.done: list[tuple[File, Stamp]] = []
        os.makedirs(self._scratch, exist_ok=True)
        self.close()  # for a process that died: there is one at a time

    def close(self) -> None:
        """Take away what was written aside and not put in place: a disk may be full of it."""
        for left in os.listdir(self._scratch):
            os.unlink(os.path.join(self._scratch, left))

    def add(self, file: File, kept: Stamp | None) -> None:
        """Write a file aside, unless it is `kept` as it is."""
        if kept is None:
            place = self.staged[file.path] = os.path.join(self._scratch, str(len(self.staged)))
            with open(place, "wb") as out:
                out.write(file.data)
            status = os.stat(place)
            kept = Stamp(status.st_size, status.st_mtime_ns)
        self.done.append((file._replace(data=b""), kept))

    def apply(self, removed: Iterable[str]) -> None:
        """Put all in place, in the order given, then take files away. Raises UsageError for symbolic links."""
        for folder in {os.path.dirname(path) for path in self.staged}:
            os.makedirs(files.locate(self._root, folder), exist_ok=True)
        for path, place in self.staged.items():
            os.replace(place, os.path.join(self._root, path))
        for path in removed:
            base = base_of(path)
            files.remove(self._root, path, base + path.removeprefix(base).split("/")[0])

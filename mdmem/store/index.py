"""The search index: SQLite FTS5, disposable, made fresh at every opening (DESIGN section 5).

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

from mdmem.core import layout, markdown, memory, moments, naming
from mdmem.core.config import VaultConfig
from mdmem.core.memory import Memory
from mdmem.errors import BusyError, MdmemError, NoteError, NotFoundError, Problem, StoppedError
from mdmem.store import database, files, log
from mdmem.store.repo import Repo, Status

BREAKER_COUNT, BREAKER_SHARE = 10, 0.2
_RACY = 2_000_000_000  # ns: a file changed this shortly before it was read is read again next time
_SUBMODULE = "160000"
_T = TypeVar("_T")

_COLUMNS = "rowid, path, id, title, type, status, category, topic, tags, created, updated, meta, body_line"
_FTS = ("name", "title", "tags", "headings", "body")
_NOTE = (
    *("path", "folded", "id", "blob", "type", "status", "category", "topic", "created", "updated", "meta"),
    *("body_line", *_FTS),
)


def _no_progress(done: int, total: int) -> None:
    del done, total


class Record(NamedTuple):
    """What the index knows of a memory. `meta` is every property; `created`, `updated` are RFC 3339 or ""."""

    rowid: int
    path: str
    id: str
    title: str
    type: str
    status: str
    category: str
    topic: str
    tags: tuple[str, ...]
    created: str
    updated: str
    meta: Mapping[str, Any]
    body_line: int

    @property
    def name(self) -> str:
        return memory.stem(self.path)


class Hit(NamedTuple):
    """A record that matched, best first by `rank` (higher is better); `marked` is its body with the
    matched words between \\x02 and \\x03."""

    record: Record
    rank: float
    marked: str


class Source(NamedTuple):
    """A file to look at while freshening: its blob at HEAD ("" if not committed), and when it was committed."""

    blob: str
    first: int
    last: int


class Index:
    """The index of one vault, open. Use `Index.open`."""

    def __init__(self, root: str, config: VaultConfig, repo: Repo, tell: Callable[[str], None]) -> None:
        """Open the index file, making it anew if it is missing, damaged or of another schema.

        On a disk that cannot be written the index is kept in memory; `tell` gets one line about that.
        """
        self.root = root
        self.config = config
        self.repo = repo
        self._tell = tell
        self._path = os.path.join(root, layout.STATE, "index.sqlite")
        self._db = self._open()

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

    def close(self) -> None:
        self._db.close()

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
            sources, full = self._sources(status)
            if len(sources) > at_most:
                return 0
            self._check_loss(status, full, allow_loss)
            if full:
                self._clear()
            count = self._read_all(sources, progress)
            self._remember(status)
        return count

    def freshen_commit(self, parent: str, oid: str, paths: Sequence[str], when: int) -> None:
        """Take in a commit of `paths` just made at `when` (Unix seconds).

        If the index is older than `parent` this does nothing: `freshen` will.
        """
        if self._state("head") != (parent or "none") or self._state("basis") != self._basis():
            return
        with self._writing():
            sources = {path: Source("", when, when) for path in paths if layout.is_memory(path, self.config)}
            self._read_all(sources, _no_progress)
            self._db.executemany("DELETE FROM dirty WHERE path=?", [(path,) for path in paths])
            self._set_state("head", oid)

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

    def _sources(self, status: Status) -> tuple[dict[str, Source], bool]:
        """The files to look at, and whether that is all of them (a first or full build)."""
        old, head = self._state("head"), status.head
        known, dirty = self._known_dirty(), self._dirty(status)
        full = self._state("basis") != self._basis()
        if full or (old not in (head, "none") and not self.repo.has_commit(old)):
            full, known, old = True, {}, "none"
        sources = self._changes_since("" if old == "none" else old, head) if head and old != head else {}
        moved = {path for path, stamp in known.items() if dirty.get(path) != stamp}
        moved |= {path for path, stamp in dirty.items() if known.get(path) != stamp or stamp.startswith("racy")}
        moved |= sources.keys() & dirty.keys()
        for path in moved:
            first = sources[path].first if path in sources else 0
            sources[path] = Source("", first, 0)
        return {path: source for path, source in sources.items() if layout.is_memory(path, self.config)}, full

    def _changes_since(self, old: str, head: str) -> dict[str, Source]:
        """What HEAD has that `old` ("" for nothing) had not, and when it was committed."""
        if old:
            step = log.step(self.repo, head)
            if step.parents == (old,):
                return {file.path: Source(file.blob, step.when, step.when) for _, file in step.changed}
        times = log.times(self.repo, f"{old}..{head}" if old else head)
        found = (file for _, file in log.changed(self.repo, old, head)) if old else self.repo.files(head)
        return {
            file.path: Source(file.blob, *times.get(file.path, (0, 0)))
            for file in found
            if file.mode != _SUBMODULE
        }

    def _check_loss(self, status: Status, full: bool, allow_loss: bool) -> None:
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
        if full:
            total = sum(1 for file in self.repo.files(status.head) if layout.is_memory(file.path, self.config))
            lost = len(gone)
        else:
            total = self.count()
            lost = sum(1 for path in gone if self.record(path) is not None)
        folder = self.config.memories
        missing = not os.path.isdir(os.path.join(self.root, folder))
        if (missing and lost) or (lost == total and lost > 1) or breaks(lost, total):
            raise StoppedError(
                f"{lost} of {total} memories are gone from {folder} but not from git",
                "if that is an accident: git restore . ; if it is meant: commit it, or mdmem rebuild --yes",
            )

    def _read_all(self, sources: Mapping[str, Source], progress: Callable[[int, int], None]) -> int:
        vault_id = self.config.id
        for done, (path, source) in enumerate(sources.items(), 1):
            created = self._drop(path)
            try:
                data = self._bytes(path)
                if data is not None:
                    self._insert(memory.parse(data, path, vault_id), source, created)
            except NoteError as error:
                self._add_problems([error.problem])
            if done % 200 == 0 or done == len(sources):
                progress(done, len(sources))
        return len(sources)

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

    def _insert(self, note: Memory, source: Source, created: str) -> None:
        """Add a note; `created` is what an earlier version of it was found to be, for notes that do not say."""
        created = note.created or created or _time(source.first) or self._modified(note.path)
        updated = note.updated or _time(source.last) or self._modified(note.path)
        fields = (
            *(note.path, naming.fold(note.name), note.id, source.blob, note.type, note.status),
            *(note.text("category"), note.text("topic"), created, updated),
            *(json.dumps(dict(note.meta), ensure_ascii=False), note.body_line),
            *(note.name.replace("_", " "), note.title, " ".join(note.tags)),
            *("\n".join(found.text for found in markdown.headings(note.body)), note.body),
        )
        marks = ",".join("?" * len(_NOTE))
        cursor = self._db.execute(f"INSERT INTO notes({','.join(_NOTE)}) VALUES({marks})", fields)
        rowid = cursor.lastrowid
        self._db.execute(
            f"INSERT INTO fts(rowid,{','.join(_FTS)}) VALUES(?,?,?,?,?,?)",
            (rowid, *fields[-len(_FTS) :]),
        )
        self._db.executemany("INSERT INTO links VALUES(?,?,?,?)", [(rowid, *link) for link in edges(note)])
        self._add_problems(note.problems)

    def _modified(self, path: str) -> str:
        return _time(int(os.stat(os.path.join(self.root, path)).st_mtime))

    def _drop(self, path: str) -> str:
        """Forget a note; returns when it was created, "" for a path that was not known."""
        columns = ",".join(_FTS)
        sql = f"SELECT rowid,{columns},created FROM notes WHERE path=?"  # noqa: S608 - own literals
        *row, created = self._db.execute(sql, (path,)).fetchone() or [""]
        if row:
            self._db.execute(f"INSERT INTO fts(fts,rowid,{columns}) VALUES('delete',?,?,?,?,?,?)", row)
            self._db.execute("DELETE FROM notes WHERE rowid=?", row[:1])
            self._db.execute("DELETE FROM links WHERE source=?", row[:1])
        self._db.execute("DELETE FROM problems WHERE path=?", (path,))
        return str(created)

    def _clear(self) -> None:
        self._db.execute("INSERT INTO fts(fts) VALUES('delete-all')")
        for table in ("notes", "links", "problems", "dirty", "state"):
            self._db.execute(f"DELETE FROM {table}")  # noqa: S608 - a literal of this line

    def _add_problems(self, problems: Iterable[Problem]) -> None:
        rows = [(p.path, p.code, p.line, p.message, p.fix, p.severity) for p in problems]
        self._db.executemany("INSERT INTO problems VALUES(?,?,?,?,?,?)", rows)

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

    # -- questions -----------------------------------------------------------------------------------------

    def count(self) -> int:
        """How many memories there are."""
        return int(self._db.execute("SELECT count(*) FROM notes").fetchone()[0])

    def records(self) -> Iterator[Record]:
        """Every memory, by path."""
        for row in self._db.execute(f"SELECT {_COLUMNS} FROM notes ORDER BY path"):  # noqa: S608
            yield _record(row)

    def record(self, path: str) -> Record | None:
        """The memory at a path."""
        return next(self._where("path=?", path), None)

    def named(self, name: str) -> list[Record]:
        """The memories of that name, whatever their folder and the name's case."""
        return list(self._where("folded=?", naming.fold(name)))

    def with_id(self, id: str) -> list[Record]:
        """The memories with that id (more than one is a problem `doctor` reports)."""
        return list(self._where("id=?", id))

    def names(self) -> list[str]:
        """Every name, each once, sorted."""
        paths = self._db.execute("SELECT path FROM notes").fetchall()
        return sorted({memory.stem(path) for (path,) in paths})

    def body(self, rowid: int) -> str:
        """The text of a memory below its header."""
        return str(self._db.execute("SELECT body FROM notes WHERE rowid=?", (rowid,)).fetchone()[0])

    def search(self, match: str, weights: Sequence[float], limit: int) -> list[Hit]:
        """The best memories for an FTS5 expression, by BM25 with one weight a field (name ... body)."""
        return self._healing(lambda: self._search(match, weights, limit))

    def _search(self, match: str, weights: Sequence[float], limit: int) -> list[Hit]:
        rank = f"bm25({', '.join(str(float(weight)) for weight in weights)})"
        best = "SELECT rowid, -rank FROM fts WHERE fts MATCH ? AND rank MATCH ? ORDER BY rank LIMIT ?"
        ranks = dict(self._db.execute(best, (match, rank, limit)).fetchall())
        marks = ",".join("?" * len(ranks))
        sql = (
            f"SELECT rowid, highlight(fts, 4, char(2), char(3)) FROM fts WHERE fts MATCH ? AND rowid IN ({marks})"  # noqa: S608
        )
        marked = dict(self._db.execute(sql, (match, *ranks)).fetchall())
        hits = [Hit(record, ranks[row], marked[row]) for row in ranks for record in self._where("rowid=?", row)]
        return sorted(hits, key=lambda hit: (-hit.rank, hit.record.path))

    def links_to(self, targets: Iterable[str]) -> list[tuple[Record, int]]:
        """(memory, line) of each link to one of the targets, as `edges` folds them."""
        wanted = list(targets)
        marks = ",".join("?" * len(wanted))
        sql = f"SELECT DISTINCT source, line FROM links WHERE target IN ({marks}) ORDER BY source, line"  # noqa: S608
        rows = self._db.execute(sql, wanted).fetchall()
        return [(record, line) for source, line in rows for record in self._where("rowid=?", source)]

    def all_links(self) -> Iterator[tuple[str, str, str, int]]:
        """(path of the source, target as folded, predicate, line) of every link."""
        yield from self._db.execute(
            "SELECT n.path, l.target, l.predicate, l.line FROM links l JOIN notes n ON n.rowid=l.source"
            " ORDER BY n.path, l.line"
        )

    def problems(self) -> list[Problem]:
        """What was wrong with files when they were read."""
        rows = self._db.execute(
            "SELECT code, path, line, message, fix, severity FROM problems ORDER BY path, line"
        )
        return [Problem(*row) for row in rows]

    def _where(self, condition: str, value: object) -> Iterator[Record]:
        sql = f"SELECT {_COLUMNS} FROM notes WHERE {condition} ORDER BY path"  # noqa: S608 - own literals
        for row in self._db.execute(sql, (value,)).fetchall():
            yield _record(row)


def breaks(lost: int, total: int) -> bool:
    """The circuit breaker's rule: more than 10 memories and more than 20 % of all."""
    return lost > BREAKER_COUNT and lost > BREAKER_SHARE * total


def edges(note: Memory) -> Iterator[tuple[str, str, int]]:
    """(folded target, predicate, line in the file) of each link of a note; links in the text are "mentions".

    A target is folded to its last part, lower case, without `.md`: as Obsidian finds it.
    """
    for link in markdown.links(note.body):
        yield fold_target(link.target), "mentions", link.line + note.body_line - 1
    for key, value in note.meta.items():
        for item in value if isinstance(value, list) else [value]:
            target = markdown.wikilink_target(item) if isinstance(item, str) else ""
            if target:
                yield fold_target(target), key, 1


def fold_target(target: str) -> str:
    """A link target as the index keeps it."""
    return naming.fold(memory.stem(target))


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
    return moments.render(datetime.fromtimestamp(seconds, UTC)) if seconds else ""


def _record(row: Sequence[Any]) -> Record:
    rowid, path, id, title, type, status, category, topic, _, created, updated, meta, body_line = row
    properties = json.loads(meta)
    tags = Memory(path, id, properties, "", "", 0).tags
    return Record(
        rowid, path, id, title, type, status, category, topic, tags, created, updated, properties, body_line
    )

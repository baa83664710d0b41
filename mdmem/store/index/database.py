"""The file of the index: its tables, how it is opened, and a connection that repairs it.

A damaged page is found only by the query that reads it, at any time. `Database` then has the index rebuilt and
repeats the query, so that callers need not deal with it.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from mdmem.note import segment
from mdmem.store.index.port import Edition
from mdmem.store.local import files, lock

_T = TypeVar("_T")

SCHEMA = 26  # a file with another number is dropped and filled again, never migrated
APPLICATION = 0x6D646D65  # "mdme", in the header of the file: any other database is not ours to touch
PATIENCE = 30.0  # seconds another process may keep the file locked

_TABLES = f"""
CREATE TABLE state(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE notes(
  rowid INTEGER PRIMARY KEY, path TEXT UNIQUE, kind TEXT, file TEXT, lines TEXT,
  folded TEXT, id TEXT, type TEXT, status TEXT, category TEXT, topic TEXT, session TEXT, created TEXT,
  updated TEXT, title TEXT, aliases TEXT,
  tags TEXT, inline TEXT, sensitivity TEXT, scope TEXT, meta TEXT,
  life TEXT, valid_from TEXT, valid_until TEXT, valid_if TEXT,
  body_line INTEGER, body BLOB, digest BLOB);
CREATE INDEX notes_folded ON notes(folded);
CREATE INDEX notes_id ON notes(id);
CREATE INDEX notes_session ON notes(session, created, path) WHERE session <> '' AND kind = 'memory';
CREATE INDEX notes_sensitivity ON notes(sensitivity) WHERE sensitivity IS NOT NULL;
CREATE INDEX notes_kind ON notes(kind) WHERE kind <> 'memory';
CREATE INDEX notes_file ON notes(file) WHERE kind <> 'memory';
CREATE TABLE amendments(file TEXT, topic TEXT, id TEXT, status TEXT, meta TEXT);
CREATE INDEX amendments_id ON amendments(id);
CREATE INDEX amendments_file ON amendments(file);
CREATE TABLE links(source INTEGER, target TEXT, predicate TEXT, line INTEGER);
CREATE INDEX links_source ON links(source);
CREATE INDEX links_target ON links(target);
CREATE INDEX links_meaning ON links(target, predicate) WHERE predicate <> 'mentions';
CREATE TABLE traits(source INTEGER, name TEXT, key TEXT, value TEXT, detail TEXT);
CREATE INDEX traits_source ON traits(source);
CREATE INDEX traits_name ON traits(name, key);
CREATE TABLE problems(path TEXT, code TEXT, line INTEGER, message TEXT, fix TEXT, severity TEXT);
CREATE INDEX problems_path ON problems(path);
CREATE TABLE dirty(path TEXT PRIMARY KEY, stamp TEXT, origin TEXT) WITHOUT ROWID;
CREATE TABLE versions(
  path TEXT, "commit" TEXT, place INTEGER, seconds INTEGER, blob TEXT, origin TEXT, committer TEXT, before TEXT,
  marking TEXT);
CREATE INDEX versions_path ON versions(path, place);
CREATE INDEX versions_commit ON versions("commit");
CREATE INDEX versions_origin ON versions(origin) WHERE origin <> '';
CREATE INDEX versions_gone ON versions("commit", path) WHERE blob = '';
CREATE TABLE gone("commit" TEXT PRIMARY KEY, told TEXT) WITHOUT ROWID;
CREATE TABLE commits(number INTEGER PRIMARY KEY, oid TEXT UNIQUE, made INTEGER, seconds INTEGER, place INTEGER);
CREATE INDEX commits_place ON commits(place);
CREATE TABLE marks(text TEXT, number INTEGER, PRIMARY KEY(text, number)) WITHOUT ROWID;
CREATE VIRTUAL TABLE fts USING fts5(
  name, title, tags, headings, links, body, content='', tokenize="{segment.TOKENIZER}");
INSERT INTO fts(fts, rank) VALUES('hashsize', 33554432);
"""  # hashsize: bytes of words gathered before they are written; this much makes a full build a quarter faster


class ForeignError(Exception):
    """The file is a database of another program."""


class Database:
    """A connection that recovers from damage.

    After an error `repair` is called with it; it calls `use` with a sound connection, or raises the error again.
    Without a `repair` every error is raised.
    """

    def __init__(
        self, connection: sqlite3.Connection, repair: Callable[[sqlite3.DatabaseError], None] | None = None
    ) -> None:
        self._connection = connection
        self._uses = 1
        self._repair = repair
        self._within = False

    def use(self, connection: sqlite3.Connection) -> None:
        """Continue with another connection; the old one is closed."""
        self._connection.close()
        self._connection = connection
        self._uses += 1

    def execute(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """Run one statement and fetch its rows."""
        return self.retry_as_one(lambda: self._connection.execute(sql, values).fetchall())

    def column(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run one statement that selects one column, and fetch its values."""
        return [value for (value,) in self.execute(sql, values)]

    def among(self, sql: str, values: Iterable[Any]) -> list[Any]:
        """Run one statement whose only parameter are these values, as a list in JSON, and fetch its rows."""
        return self.execute(sql, (json.dumps(list(values)),))

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each of `rows`. It does not recover by itself: call it in a `retry_as_one`."""
        self._connection.executemany(sql, rows)

    def retry_as_one(self, action: Callable[[], _T], heal: bool = True) -> _T:
        """The result of an action of several queries; all are repeated if one of them finds damage.

        Needed where one query builds on the rows of another, because a rebuild changes them. Without `heal`, for
        callers that have no time for a rebuild, damage is raised as sqlite3.DatabaseError.
        """
        if self._within or self._connection.in_transaction:
            return action()
        self._within = True
        try:
            return action()
        except sqlite3.DatabaseError as error:
            if self._repair is None or not heal:
                raise
            self._repair(error)
            return action()
        finally:
            self._within = False

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything that is done within, or nothing if it raises an exception."""
        self._connection.execute("BEGIN IMMEDIATE")
        with self._connection:
            yield

    def edition(self) -> Edition:
        """A value that differs as soon as the content may differ."""
        ((others,),) = self.execute("PRAGMA data_version")
        return Edition(self._uses, others, self._connection.total_changes)

    def copy_into(self, target: sqlite3.Connection) -> None:
        """Copy all tables into an empty database."""
        self.retry_as_one(lambda: self._connection.backup(target))

    def close(self) -> None:
        self._connection.close()


def discard(path: str, inode: int) -> None:
    """Delete the index file, unless another process has replaced it already, so that it is another inode."""
    with lock.held(path + ".lock"):
        if os.path.exists(path) and os.stat(path).st_ino != inode:
            return
        for suffix in ("", "-wal", "-shm"):
            files.discard(path + suffix)


def connect(path: str, tell: Callable[[str], None], patience: float = PATIENCE) -> sqlite3.Connection:
    """Open an index file or ":memory:"; tables of another schema are dropped and created again.

    `tell` gets a line if that happens. Waits up to `patience` seconds for others. Raises
    sqlite3.OperationalError if it cannot be opened, sqlite3.DatabaseError if it is damaged,
    ForeignError if it is not ours.
    """
    db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    with closed_on_error(db):
        db.execute("PRAGMA synchronous=OFF")  # it can be filled again at any time
        if db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA or not _is_ours(db):
            if db.execute("SELECT 1 FROM sqlite_master").fetchone():
                if not _is_ours(db):
                    raise ForeignError(f"{os.path.basename(path)} is a database of another program: move it away")
                tell("the index was made by another version of mdmem; rebuilding it")
            _create(db)
    return db


def connect_readonly(path: str) -> sqlite3.Connection:
    """Open a file that `connect` made, for reading. Raises sqlite3.DatabaseError if it is not such a file."""
    from urllib.parse import quote

    db = sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True, isolation_level=None)
    with closed_on_error(db):
        if db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
            raise sqlite3.DatabaseError("tables of another version")
    return db


@contextmanager
def closed_on_error(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Close a connection if the block raises an exception; otherwise it stays open."""
    with ExitStack() as on_failure:
        on_failure.callback(db.close)
        yield db
        on_failure.pop_all()


def _is_ours(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION)


def _create(db: sqlite3.Connection) -> None:
    """Make the tables, unless another process just did."""
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("BEGIN IMMEDIATE")
    if db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
        for kind in ("CREATE VIRTUAL TABLE%", "CREATE TABLE%"):  # a virtual table takes its shadow tables along
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE sql LIKE ?", (kind,)).fetchall():
                db.execute(f'DROP TABLE IF EXISTS "{name}"')
        for statement in _TABLES.split(";\n"):
            if statement.strip():
                db.execute(statement)
        db.execute(f"PRAGMA application_id={APPLICATION}")
        db.execute(f"PRAGMA user_version={SCHEMA}")
    db.execute("COMMIT")

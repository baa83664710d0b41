"""The file of the index: its tables, how it is opened, and the local folder it lies in."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack

from mdmem.core import layout, segment
from mdmem.errors import MdmemError

SCHEMA = 4  # another number in the file: dropped and filled again, never migrated
_BUSY = 30.0  # seconds another process may keep the file locked

_TABLES = f"""
CREATE TABLE state(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE notes(
  rowid INTEGER PRIMARY KEY, path TEXT UNIQUE, folded TEXT, id TEXT, type TEXT, status TEXT, category TEXT,
  topic TEXT, session TEXT, created TEXT, updated TEXT, title TEXT, tags TEXT, meta TEXT, life TEXT,
  body_line INTEGER, body BLOB, digest BLOB);
CREATE INDEX notes_folded ON notes(folded);
CREATE INDEX notes_id ON notes(id);
CREATE INDEX notes_session ON notes(session, created, path) WHERE session <> '';
CREATE TABLE links(source INTEGER, target TEXT, predicate TEXT, line INTEGER);
CREATE INDEX links_source ON links(source);
CREATE INDEX links_target ON links(target);
CREATE TABLE problems(path TEXT, code TEXT, line INTEGER, message TEXT, fix TEXT, severity TEXT);
CREATE INDEX problems_path ON problems(path);
CREATE TABLE dirty(path TEXT PRIMARY KEY, stamp TEXT) WITHOUT ROWID;
CREATE TABLE versions(path TEXT, "commit" TEXT, seconds INTEGER, blob TEXT);
CREATE INDEX versions_path ON versions(path);
CREATE VIRTUAL TABLE fts USING fts5(
  name, title, tags, headings, links, body, content='', tokenize="{segment.TOKENIZER}");
"""


def prepare_state(root: str) -> str:
    """Make the vault's local folder, which git ignores by itself; its place. Raises OSError."""
    folder = os.path.join(root, layout.STATE)
    if os.path.islink(folder):
        raise MdmemError(f"{layout.STATE} is a symbolic link", "delete it; mdmem makes a folder of that name")
    os.makedirs(folder, exist_ok=True)
    ignore = os.path.join(folder, ".gitignore")
    if not os.path.exists(ignore):
        with open(ignore, "w", encoding="utf-8") as file:
            file.write("*\n")
    return folder


def discard(root: str) -> None:
    """Delete the index file; the next opening fills a new one."""
    path = os.path.join(root, layout.STATE, "index.sqlite")
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)


def connect(path: str) -> sqlite3.Connection:
    """Open an index file or ":memory:"; tables of another schema are dropped and made anew.

    Raises sqlite3.OperationalError if it cannot be opened, sqlite3.DatabaseError if it is damaged.
    """
    db = sqlite3.connect(path, timeout=_BUSY, isolation_level=None, check_same_thread=False)
    with ExitStack() as on_failure:
        on_failure.callback(db.close)
        db.execute("PRAGMA synchronous=OFF")  # it can be filled again at any time
        if db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
            _create(db)
        on_failure.pop_all()
    return db


def connect_readonly(path: str) -> sqlite3.Connection:
    """Open a file that `connect` made, for reading. Raises sqlite3.DatabaseError if it is no such file."""
    from urllib.parse import quote

    db = sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True, isolation_level=None)
    with ExitStack() as on_failure:
        on_failure.callback(db.close)
        if db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
            raise sqlite3.DatabaseError("tables of another version")
        on_failure.pop_all()
    return db


def _create(db: sqlite3.Connection) -> None:
    """Make the tables, unless another process just did."""
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("BEGIN IMMEDIATE")
    if db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
        names = db.execute(
            "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'fts_%'"
        ).fetchall()
        for (name,) in names:
            db.execute(f'DROP TABLE IF EXISTS "{name}"')
        for statement in _TABLES.split(";\n"):
            if statement.strip():
                db.execute(statement)
        db.execute(f"PRAGMA user_version={SCHEMA}")
    db.execute("COMMIT")

"""How often memories were recalled, and when last: local, never tracked, lossy by declaration (DESIGN section 3).

Ranking and exports work without it. A file that is damaged or cannot be written counts as empty.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from typing import NamedTuple

from mdmem.note import layout

_WAIT = 0.05  # seconds to wait for another process; a lost count is no loss
_TABLE = "CREATE TABLE IF NOT EXISTS usage(id TEXT PRIMARY KEY, count INTEGER, last INTEGER) WITHOUT ROWID"
_PUT = "INSERT INTO usage VALUES(?,?,?) ON CONFLICT(id) DO UPDATE SET count=excluded.count, last=excluded.last"
_ADD = "INSERT INTO usage VALUES(?,1,?) ON CONFLICT(id) DO UPDATE SET count=count+1, last=max(last,excluded.last)"


class Use(NamedTuple):
    """How often a memory was recalled; `last` is in Unix seconds."""

    times: int
    last: int


def counts(root: str) -> dict[str, Use]:
    """id -> use, of every memory of the vault at `root` that was ever recalled."""
    return _asked(root, "SELECT id, count, last FROM usage")


def of(root: str, id: str) -> Use | None:
    """The use of one memory; None if it was never recalled."""
    return _asked(root, "SELECT id, count, last FROM usage WHERE id=?", id).get(id)


def _asked(root: str, sql: str, *values: str) -> dict[str, Use]:
    if not os.path.exists(_place(root)):
        return {}
    try:
        with _opened(root) as db:
            return {id: Use(count, last) for id, count, last in db.execute(sql, values)}
    except sqlite3.Error:
        return {}


def add(root: str, ids: Sequence[str], when: datetime) -> bool:
    """Count one use of each memory; whether that could be kept."""
    return _written(root, _ADD, [(id, int(when.timestamp())) for id in ids])


def put(root: str, uses: Mapping[str, Use]) -> bool:
    """Have memories (by id) begin with uses that were counted elsewhere; whether that could be kept."""
    return _written(root, _PUT, [(id, *use) for id, use in uses.items()])


def _written(root: str, sql: str, rows: Sequence[tuple[object, ...]]) -> bool:
    try:
        with _opened(root) as db, db:
            db.execute(_TABLE)
            db.executemany(sql, rows)
    except sqlite3.OperationalError:
        return False  # busy, or a disk that cannot be written
    except sqlite3.DatabaseError:
        with suppress(OSError):
            os.unlink(_place(root))  # damaged: what it counted is lost, and counting starts anew
        return False
    return True


def copy(root: str, folder: str) -> None:
    """Copy the counts of the vault at `root`, if it has any, into the local folder of another one."""
    import shutil

    with suppress(FileNotFoundError):
        shutil.copy(_place(root), folder)


@contextmanager
def _opened(root: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(_place(root), timeout=_WAIT)) as db:
        db.execute("PRAGMA synchronous=OFF")
        yield db


def _place(root: str) -> str:
    return os.path.join(root, layout.STATE, "usage.sqlite")

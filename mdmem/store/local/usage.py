"""How often memories were recalled, and when last. The file is local, never tracked, and may be lost.

How often a memory was opened, edited, cited or kept is counted separately, for ranking: being shown in an answer
says little about its worth. Ranking and exports work without the file. If it is damaged or not writable, it counts
as empty.
"""

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from typing import Any, NamedTuple

from mdmem.store import layout

_WAIT = 0.05  # seconds to wait for another process; losing a count does no harm
_TABLES = """
CREATE TABLE IF NOT EXISTS usage(id TEXT PRIMARY KEY, count INTEGER, last INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS opened(id TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID;
"""
_PUT = "INSERT INTO usage VALUES(?,?,?) ON CONFLICT(id) DO UPDATE SET count=excluded.count, last=excluded.last"
_ADD = "INSERT INTO usage VALUES(?,1,?) ON CONFLICT(id) DO UPDATE SET count=count+1, last=max(last,excluded.last)"
_OPEN = "INSERT INTO opened VALUES(?,1) ON CONFLICT(id) DO UPDATE SET count=count+1"


class Use(NamedTuple):
    """How often a memory was recalled, and when last, in Unix seconds to the microsecond."""

    times: int
    last: float


def counts(root: str) -> dict[str, Use]:
    """id -> use, for every memory of the vault at `root` that was ever recalled."""
    return {id: Use(*use) for id, *use in _asked(root, "SELECT id, count, last FROM usage")}


def of(root: str, id: str) -> Use | None:
    """The use of one memory; None if it was never recalled."""
    return next((Use(*use) for use in _asked(root, "SELECT count, last FROM usage WHERE id=?", id)), None)


def opened(root: str) -> dict[str, int]:
    """id -> how often a memory was opened, edited, cited or kept, for those that ever were."""
    return dict(_asked(root, "SELECT id, count FROM opened"))


def _asked(root: str, sql: str, *values: str) -> list[Any]:
    if not os.path.exists(_place(root)):
        return []
    try:
        with _connected(root) as db:
            return db.execute(sql, values).fetchall()
    except sqlite3.Error:
        return []


def add(root: str, ids: Sequence[str], when: datetime) -> bool:
    """Count one recall of each memory; whether that could be saved."""
    return _written(root, _ADD, [(id, round(when.timestamp(), 6)) for id in ids])


def add_opened(root: str, ids: Sequence[str]) -> bool:
    """Count that memories were opened, edited, cited or kept; whether that could be saved."""
    return not ids or _written(root, _OPEN, [(id,) for id in ids])


def put(root: str, uses: Mapping[str, Use]) -> bool:
    """Replace the counts of memories (by id) with ones from elsewhere; whether that could be saved."""
    return _written(root, _PUT, [(id, *use) for id, use in uses.items()])


def _written(root: str, sql: str, rows: Sequence[tuple[object, ...]]) -> bool:
    try:
        with _connected(root) as db, db:
            db.executescript(_TABLES)
            db.executemany(sql, rows)
    except sqlite3.OperationalError:
        return False  # busy, or not writable
    except sqlite3.DatabaseError:
        with suppress(OSError):
            os.unlink(_place(root))  # damaged: its counts are lost, and counting starts again
        return False
    return True


def copy(root: str, folder: str) -> None:
    """Copy the counts of the vault at `root`, if it has any, into another vault's local folder."""
    import shutil

    with suppress(FileNotFoundError):
        shutil.copy(_place(root), folder)


@contextmanager
def _connected(root: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(_place(root), timeout=_WAIT)) as db:
        db.execute("PRAGMA synchronous=OFF")
        yield db


def _place(root: str) -> str:
    return os.path.join(root, layout.STATE, "usage.sqlite")

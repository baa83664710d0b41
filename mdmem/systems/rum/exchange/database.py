"""Reads and writes the SQLite file of RUM, as a whole or not at all. A file is checked before it is read."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

from mdmem.errors import NotFoundError, UsageError
from mdmem.systems.rum.exchange import tables
from mdmem.systems.rum.exchange.tables import COLUMNS, NEEDED, Rows, RumDocument
from mdmem.systems.rum.schema import Record

MAGIC = b"SQLite format 3\0"  # the first bytes of every such file (SQLite file format, section 1.3)
_LONGEST = 16 * 2**20  # bytes of one value
_MOST_ROWS = 2_000_000  # of one table
_FIX = "give a database of RUM; nothing was imported"
# table, column, and whether that holds anything, of all that is not a virtual table or below one
_COLUMNS = """
SELECT m.name, c.name,
  printf('SELECT 1 FROM "%w" WHERE "%w" NOT IN ('''', ''[]'', ''{}'') LIMIT 1', m.name, c.name)
FROM sqlite_master m, pragma_table_info(m.name) c
WHERE m.type='table' AND m.name NOT LIKE 'sqlite~_%' ESCAPE '~' AND NOT EXISTS (
  SELECT 1 FROM sqlite_master v WHERE v.sql LIKE 'CREATE VIRTUAL%'
  AND substr(m.name || '_', 1, length(v.name) + 1) = v.name || '_'
) ORDER BY 1, 2
"""


def write(place: str, document: RumDocument, embeddings: Mapping[str, bytes]) -> None:
    """Write a new database, replacing an existing file. Raises UsageError if it cannot be written."""
    beside = f"{place}.part"
    try:
        with suppress(FileNotFoundError):
            os.unlink(beside)
        with closing(sqlite3.connect(beside)) as db, db:
            db.executescript(f"PRAGMA foreign_keys=ON; {tables.SCHEMA}")
            for table, rows in tables.rows_of(document, embeddings).items():
                for row in rows:
                    db.execute(_insert(table, row), list(row.values()))
        os.replace(beside, place)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            os.unlink(beside)
        raise UsageError(f"{place} cannot be written: {error}", "name another file") from None


def _insert(table: str, row: Record) -> str:
    return f"INSERT INTO {table}({', '.join(row)}) VALUES({', '.join('?' * len(row))})"


def read(place: str, tell: Callable[[str], None] = lambda _: None) -> RumDocument:
    """The document in a database; `tell` gets what of it a vault does not keep.

    Raises NotFoundError for a missing file, UsageError if it is not RUM's.
    """
    if not os.path.isfile(place):
        raise NotFoundError(f"{place} is not a file", "give the path of a database")
    try:
        with closing(sqlite3.connect(f"{Path(place).absolute().as_uri()}?mode=ro", uri=True)) as db:
            db.row_factory = sqlite3.Row
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            db.execute("PRAGMA trusted_schema=OFF")
            db.execute("PRAGMA query_only=ON")
            rows = _rows(db, place)
            if others := list(_others(db)):
                tell(f"is left out: {', '.join(others)}")
    except (sqlite3.Error, UnicodeError, OverflowError) as error:
        raise UsageError(f"{place} cannot be read as a database of RUM: {error}", _FIX) from None
    return tables.document_of(rows, tell)


def _rows(db: sqlite3.Connection, place: str) -> Rows:
    for (said,) in db.execute("PRAGMA quick_check(1)"):
        if said != "ok":
            raise UsageError(f"{place} is damaged: {said}", _FIX)
    there = _tables(db)
    for table in NEEDED:
        if table not in there:
            raise UsageError(f"{place} has no table {table}", _FIX)
    for table, row, parent, _ in db.execute("PRAGMA foreign_key_check"):
        raise UsageError(f"{place}: row {row} of {table} refers to a row that {parent} does not have", _FIX)
    return {table: list(_read(db, table)) if table in there else [] for table in COLUMNS}


def _tables(db: sqlite3.Connection) -> set[str]:
    """The names of the ordinary tables: a view or a virtual table could run anything, for any length of time."""
    listed = db.execute("SELECT name, sql FROM sqlite_master WHERE type='table'")
    return {name for name, sql in listed if not (sql or "").upper().startswith("CREATE VIRTUAL")}


def _others(db: sqlite3.Connection) -> Iterator[str]:
    """`table.column` of all that holds something, is not read, and does not follow from the rest."""
    for table, column, filled in db.execute(_COLUMNS).fetchall():
        if column not in COLUMNS.get(table, set()) | tables.COPIED and db.execute(filled).fetchone():
            yield f"{table}.{column}"


def _read(db: sqlite3.Connection, table: str) -> Iterator[Record]:
    columns = {row["name"] for row in db.execute(f"PRAGMA table_info({table})")}
    missing = COLUMNS[table] - columns
    if missing:
        raise UsageError(f"the table {table} has no column {min(missing)}", _FIX)
    wanted = ", ".join(sorted(COLUMNS[table]))
    for number, row in enumerate(db.execute(f"SELECT {wanted} FROM {table} ORDER BY rowid"), 1):  # noqa: S608
        if number > _MOST_ROWS:
            raise UsageError(f"the table {table} has more than {_MOST_ROWS} rows", _FIX)
        for name, value in dict(row).items():
            if isinstance(value, bytes):
                raise UsageError(f"{table}: {name} of a row is binary, not a text or a number", _FIX)
        yield dict(row)

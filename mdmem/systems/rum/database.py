"""RUM's SQLite file: its tables, the conversion of their rows to records and back, and the file as a whole.

The first four tables and all indexes are those of RUM's page "Memory Schema". That page describes chapters and
wisdom only as interfaces; their tables here have the same fields and relations. Times are whole Unix seconds.

The file is written as a whole or not at all, and checked before it is read.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.errors import NotFoundError, UsageError
from mdmem.note.shapes import objections
from mdmem.store.local import files
from mdmem.systems.rum.work import MANY_LINKS, ONE_LINK, SHAPES, UNSAID, Record, files_of, listed, normal, plain

SCHEMA = """
CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL CHECK (type IN ('main', 'subagent')),
  parent_id TEXT REFERENCES agents(id),
  project_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  metadata JSON
);
CREATE TABLE memories (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES agents(id),
  project_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  intent_goal TEXT NOT NULL,
  intent_type TEXT NOT NULL,
  outcome_success INTEGER NOT NULL,
  outcome_summary TEXT,
  intent JSON NOT NULL,
  perception JSON NOT NULL,
  reasoning JSON NOT NULL,
  actions JSON NOT NULL,
  outcome JSON NOT NULL,
  tags JSON DEFAULT '[]',
  importance REAL DEFAULT 0.5,
  access_count INTEGER DEFAULT 0,
  last_accessed INTEGER,
  embedding BLOB
);
CREATE TABLE memory_files (
  memory_id TEXT NOT NULL REFERENCES memories(id),
  file_path TEXT NOT NULL,
  operation TEXT NOT NULL,
  PRIMARY KEY (memory_id, file_path)
);
CREATE TABLE memory_links (
  source_id TEXT NOT NULL REFERENCES memories(id),
  target_id TEXT NOT NULL REFERENCES memories(id),
  link_type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (source_id, target_id, link_type)
);
CREATE TABLE chapters (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  title TEXT,
  summary TEXT NOT NULL,
  learnings JSON,
  start_ts INTEGER NOT NULL,
  end_ts INTEGER NOT NULL,
  tags JSON,
  topics JSON,
  origin TEXT NOT NULL CHECK (origin IN ('manual', 'auto'))
);
CREATE TABLE chapter_memories (
  chapter_id TEXT NOT NULL REFERENCES chapters(id),
  memory_id TEXT NOT NULL REFERENCES memories(id),
  position INTEGER,
  PRIMARY KEY (chapter_id, memory_id)
);
CREATE TABLE wisdom (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  summary TEXT NOT NULL,
  insights JSON,
  patterns JSON,
  best_practices JSON,
  tags JSON,
  start_ts INTEGER NOT NULL,
  end_ts INTEGER NOT NULL
);
CREATE TABLE wisdom_chapters (
  wisdom_id TEXT NOT NULL REFERENCES wisdom(id),
  chapter_id TEXT NOT NULL REFERENCES chapters(id),
  PRIMARY KEY (wisdom_id, chapter_id)
);
CREATE INDEX idx_memories_agent ON memories(agent_id);
CREATE INDEX idx_memories_project ON memories(project_id);
CREATE INDEX idx_memories_created ON memories(created_at);
CREATE INDEX idx_memories_intent_type ON memories(intent_type);
CREATE INDEX idx_memories_success ON memories(outcome_success);
CREATE INDEX idx_memory_files_path ON memory_files(file_path);
CREATE INDEX idx_memory_links_target ON memory_links(target_id);
"""
# table -> its columns with their types; each table is after those that it refers to
COLUMNS = {
    table: dict(re.findall(r"^  ([a-z_]+) ([A-Z]+)", columns, re.M))
    for table, columns in re.findall(r"CREATE TABLE (\w+) \((.*?)\n\);", SCHEMA, re.S)
}
NEEDED = ("agents", "memories", "memory_files", "memory_links")  # tables that a database must have
COPIED = {"intent_goal", "intent_type", "outcome_success", "outcome_summary", "embedding"}  # follow from others
MAGIC = b"SQLite format 3\0"  # the first bytes of every such file (SQLite file format, section 1.3)
_LONGEST = 16 * 2**20  # bytes of one value
_FIX = "correct it where it comes from; nothing was imported"
_NO_DATABASE = "give a database of RUM; nothing was imported"
# table, column, and whether that holds anything, of all that is not a virtual table or below one
_FILLED = """
SELECT m.name, c.name,
  printf('SELECT 1 FROM "%w" WHERE "%w" NOT IN ('''', ''[]'', ''{}'') LIMIT 1', m.name, c.name)
FROM sqlite_master m, pragma_table_info(m.name) c
WHERE m.type='table' AND m.name NOT LIKE 'sqlite~_%' ESCAPE '~' AND NOT EXISTS (
  SELECT 1 FROM sqlite_master v WHERE v.sql LIKE 'CREATE VIRTUAL%'
  AND substr(m.name || '_', 1, length(v.name) + 1) = v.name || '_'
) ORDER BY 1, 2
"""

Rows = Mapping[str, Sequence[Record]]  # table -> its rows, by the names of their columns


class RumDocument(NamedTuple):
    """All RUM records: agents, works, chapters with the ids of their `memories`, wisdom with their `chapters`.

    It is also the form of the JSON file: an object with these four lists.
    """

    agents: Sequence[Record] = ()
    memories: Sequence[Record] = ()
    chapters: Sequence[Record] = ()
    wisdom: Sequence[Record] = ()


# list of a document, also a table -> the kind of its records; the list that they are made of, if any, which is
# also the field with the ids of these parts; and the table that joins both
_LISTS = {
    "agents": ("agent", "", ""),
    "memories": ("work", "", ""),
    "chapters": ("chapter", "memories", "chapter_memories"),
    "wisdom": ("wisdom", "chapters", "wisdom_chapters"),
}


# -- records as rows -----------------------------------------------------------------------------------------


def rows_of(document: RumDocument, embeddings: Mapping[str, bytes]) -> Rows:
    """The rows of valid records; `embeddings` are the vectors of works by id, as little-endian float32."""
    rows: dict[str, list[Record]] = {table: [] for table in COLUMNS}
    for table, (_, parts, join) in _LISTS.items():
        for value in getattr(document, table):
            said = {"project_id": "", "created_at": value.get("start_ts", 0), **value}
            if table == "memories":
                said = _with_copies(value) | {"embedding": embeddings.get(value["id"])}
                rows["memory_files"] += [
                    {"memory_id": value["id"], "file_path": path, "operation": operation}
                    for path, operation in files_of(value).items()
                ]
                rows["memory_links"] += _link_rows(value)
            elif join:
                said.setdefault("updated_at", said["created_at"])
                ids = said.pop(parts, ())
                rows[join] += [
                    dict(zip(COLUMNS[join], (value["id"], id, position), strict=False))
                    for position, id in enumerate(ids)
                ]
            cells = COLUMNS[table].items()
            rows[table].append({name: _cell(said[name], kind) for name, kind in cells if name in said})
    return rows


def _cell(value: Any, kind: str) -> Any:
    """A value for a column of that type: lists and mappings as JSON, times as whole seconds."""
    if kind == "JSON":
        return json.dumps(value, ensure_ascii=False)
    return int(value) if kind == "INTEGER" and isinstance(value, float) else value


def _with_copies(work: Record) -> Record:
    """A work with the columns that must not be missing, and those that follow from others."""
    intent, outcome = work["intent"], work["outcome"]
    copied = {"intent_goal": intent["goal"], "intent_type": intent["task_type"]}
    copied |= {"outcome_success": outcome["success"], "outcome_summary": outcome["summary"]}
    return {"created_at": 0, **UNSAID, "access_count": 0, "last_accessed": None, **work, **copied}


def _link_rows(work: Record) -> Iterator[Record]:
    for kind, ids in work.get("links", {}).items():
        for id in dict.fromkeys(ids if kind in MANY_LINKS else [ids]):
            link = {"source_id": work["id"], "target_id": id, "link_type": kind}
            yield {**link, "created_at": int(work["created_at"])}


# -- rows as records -----------------------------------------------------------------------------------------


def document_of(rows: Rows, tell: Callable[[str], None]) -> RumDocument:
    """The records of a database whose references hold; `tell` gets what is left out of them.

    Raises UsageError that names the record and its field.
    """
    lists: dict[str, list[Record]] = {}
    for table, (_, parts, join) in _LISTS.items():
        lists[table] = [_record(row, table) for row in rows[table]]
        if join:
            own, part, *_ = COLUMNS[join]
            placed = sorted(rows[join], key=lambda row: (row.get("position") is None, row.get("position") or 0))
            ids = _grouped(placed, own, part)
            lists[table] = [{**value, parts: ids.get(value.get("id", ""), [])} for value in lists[table]]
    links = _links(rows["memory_links"], tell)
    files = _grouped(rows["memory_files"], "memory_id", "file_path")
    for work in lists["memories"]:
        id = work.get("id", "")
        work["links"] = links.get(id, {})
        _add_files(work, files.get(id, []))
    return checked(RumDocument(**lists))


def _record(row: Record, table: str) -> Record:
    """The columns of a row that its record has, without those that are NULL or empty."""
    fields = SHAPES[_LISTS[table][0]].fields
    said = {name: row[name] for name in fields if row.get(name) not in (None, "")}
    for name, value in said.items():
        if COLUMNS[table][name] == "JSON":
            try:
                said[name] = json.loads(value)
            except (TypeError, ValueError, RecursionError):
                raise UsageError(f"{table} {row.get('id')!r}: {name} is not JSON", _FIX) from None
    return said


def _links(rows: Sequence[Record], tell: Callable[[str], None]) -> dict[str, Record]:
    """id of a work -> its links; of a type that allows only one, the newest."""
    links: dict[str, Record] = {}
    for row in sorted(rows, key=lambda row: row["created_at"]):
        links.setdefault(row["source_id"], {}).setdefault(row["link_type"], []).append(row["target_id"])
    for id, said in links.items():
        for kind in said.keys() & {*ONE_LINK}:
            *lost, said[kind] = said[kind]
            if lost:
                tell(f"is left out: {kind} {', '.join(lost)} of {id}, which has a newer one")
    return links


def _grouped(rows: Sequence[Record], by: str, name: str) -> dict[str, list[str]]:
    """The values of one column by those of another."""
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row[by], []).append(row[name])
    return found


def _add_files(work: Record, paths: Sequence[str]) -> None:
    """Add files that the database lists for a work, but no layer names, as relevant files."""
    named = files_of(normal(work))
    others = [{"path": path} for path in paths if path not in named]
    perception = work.get("perception") or {}
    if others and isinstance(perception, dict):
        known = listed(perception.get("relevant_files"))
        work["perception"] = {**perception, "relevant_files": [*known, *others]}


# -- validation ----------------------------------------------------------------------------------------------


def checked(document: RumDocument) -> RumDocument:
    """The document in its normal form, after checking that records are valid, ids unique and references known.

    Raises UsageError that names the record and its field.
    """
    lists = {name: [_checked(value, *of) for value in getattr(document, name)] for name, of in _LISTS.items()}
    for name, (kind, parts, _) in _LISTS.items():
        _require_distinct(name, lists[name])
        known = {part.get("id") for part in lists.get(parts, ())}
        for value in lists[name] if parts else ():
            for id in value[parts]:
                if id not in known:
                    raise UsageError(f"{kind} {value['id']!r}: {parts} names {id!r}, which is not there", _FIX)
    _require_no_loop(lists["agents"])
    return RumDocument(**lists)


def _checked(value: Any, kind: str, parts: str, _: str) -> Record:
    given = plain(value) if kind != "work" and isinstance(value, Mapping) else normal(value)
    named = f"{kind} {given.get('id')!r}" if isinstance(given, Mapping) else f"a {kind}"
    for fault in objections(given, SHAPES[kind]):
        raise UsageError(f"{named}: {fault.field or 'it'} {fault.message}: {fault.fix}", _FIX)
    checked: Record = {**given, parts: list(dict.fromkeys(given.get(parts, ())))} if parts else given
    return checked


def _require_distinct(kind: str, records: Sequence[Record]) -> None:
    seen: set[str] = set()
    for value in records:
        if "id" in value and value["id"] in seen:
            raise UsageError(f"{kind}: the id {value['id']!r} is used twice", _FIX)
        seen.add(value.get("id", ""))


def _require_no_loop(agents: Sequence[Record]) -> None:
    parents = {agent["id"]: agent.get("parent_id") for agent in agents}
    for id, parent in parents.items():
        above, seen = parent, {id}
        while above is not None:
            if above not in parents:
                raise UsageError(f"agent {id!r}: parent_id names {above!r}, which is not there", _FIX)
            if above in seen:
                raise UsageError(f"agent {id!r}: parent_id leads back to itself", _FIX)
            seen.add(above)
            above = parents[above]


# -- the file ------------------------------------------------------------------------------------------------


def write(place: str, document: RumDocument, embeddings: Mapping[str, bytes]) -> None:
    """Write a new database, replacing an existing file. Raises UsageError if it cannot be written."""
    try:
        with files.replacing(place) as beside, closing(sqlite3.connect(beside)) as db, db:
            db.executescript(f"PRAGMA foreign_keys=ON; {SCHEMA}")
            for table, rows in rows_of(document, embeddings).items():
                for row in rows:
                    places = ", ".join("?" * len(row))
                    db.execute(f"INSERT INTO {table}({', '.join(row)}) VALUES({places})", [*row.values()])
    except sqlite3.Error as error:
        raise UsageError(f"{place} cannot be written: {error}", "name another file") from None


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
        raise UsageError(f"{place} cannot be read as a database of RUM: {error}", _NO_DATABASE) from None
    return document_of(rows, tell)


def _rows(db: sqlite3.Connection, place: str) -> Rows:
    for (said,) in db.execute("PRAGMA quick_check(1)"):
        if said != "ok":
            raise UsageError(f"{place} is damaged: {said}", _NO_DATABASE)
    there = _tables(db)
    for table in NEEDED:
        if table not in there:
            raise UsageError(f"{place} has no table {table}", _NO_DATABASE)
    for table, row, parent, _ in db.execute("PRAGMA foreign_key_check"):
        raise UsageError(
            f"{place}: row {row} of {table} refers to a row that {parent} does not have", _NO_DATABASE
        )
    return {table: list(_read(db, table)) if table in there else [] for table in COLUMNS}


def _tables(db: sqlite3.Connection) -> set[str]:
    """The names of the ordinary tables: a view or a virtual table could run anything, for any length of time."""
    listed = db.execute("SELECT name, sql FROM sqlite_master WHERE type='table'")
    return {name for name, sql in listed if not (sql or "").upper().startswith("CREATE VIRTUAL")}


def _others(db: sqlite3.Connection) -> Iterator[str]:
    """`table.column` of all that holds something, is not read, and does not follow from the rest."""
    for table, column, filled in db.execute(_FILLED).fetchall():
        if column not in {*COLUMNS.get(table, ()), *COPIED} and db.execute(filled).fetchone():
            yield f"{table}.{column}"


def _read(db: sqlite3.Connection, table: str) -> Iterator[Record]:
    """The rows of a table. Raises sqlite3.Error for one that lacks a column."""
    wanted = ", ".join(sorted(COLUMNS[table].keys() - COPIED))
    for row in db.execute(f"SELECT {wanted} FROM {table} ORDER BY rowid"):  # noqa: S608
        for name, value in dict(row).items():
            if isinstance(value, bytes):
                raise UsageError(f"{table}: {name} of a row is binary, not a text or a number", _NO_DATABASE)
        yield dict(row)

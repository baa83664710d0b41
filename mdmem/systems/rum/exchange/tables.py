"""The tables of RUM, and the conversion of their rows to records and back.

The first four tables and all indexes are those of RUM's page "Memory Schema". That page describes chapters and
wisdom only as interfaces; their tables here have the same fields and relations. Times are whole Unix seconds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.errors import UsageError
from mdmem.note.structured.shapes import objections
from mdmem.systems.rum import schema
from mdmem.systems.rum.schema import MANY_LINKS, Record

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
Rows = Mapping[str, Sequence[Record]]  # table -> its rows, by the names of their columns


class Pages(NamedTuple):
    """The table of chapters or of wisdom, and that of what they are made of, the field `joined` of a record.

    `own` and `part` are the columns of the latter: the id of the record, and that of a part of it.
    """

    table: str
    joined: str
    join: str
    own: str
    part: str


_PAGES = {
    "chapter": Pages("chapters", "memories", "chapter_memories", "chapter_id", "memory_id"),
    "wisdom": Pages("wisdom", "chapters", "wisdom_chapters", "wisdom_id", "chapter_id"),
}
_KINDS = {"agents": "agent", "memories": "work", "chapters": "chapter", "wisdom": "wisdom"}
_JSON_COLUMNS = {
    name
    for kind in _KINDS.values()
    for name, shape in schema.SHAPES[kind].fields.items()
    if shape.kind in ("list", "record", "any")
}
_COPIED = {"intent_goal": ("intent", "goal"), "intent_type": ("intent", "task_type")}
_COPIED |= {"outcome_success": ("outcome", "success"), "outcome_summary": ("outcome", "summary")}
COPIED = {*_COPIED, "embedding"}  # columns that follow from others
# The columns that are read of each table; each table is after those that it refers to.
COLUMNS = {
    "agents": {*schema.SHAPES["agent"].fields},
    "memories": {*schema.WORK.fields} - {"links"},
    "memory_files": {"memory_id", "file_path", "operation"},
    "memory_links": {"source_id", "target_id", "link_type", "created_at"},
    "chapters": {*schema.SHAPES["chapter"].fields},
    "chapter_memories": {"chapter_id", "memory_id", "position"},
    "wisdom": {*schema.SHAPES["wisdom"].fields},
    "wisdom_chapters": {"wisdom_id", "chapter_id"},
}
NEEDED = ("agents", "memories", "memory_files", "memory_links")  # tables that a database must have
_FIX = "correct it where it comes from; nothing was imported"


class RumDocument(NamedTuple):
    """All RUM records: agents, works, chapters with the ids of their `memories`, wisdom with their `chapters`.

    It is also the form of the JSON file: an object with these four lists.
    """

    agents: Sequence[Record] = ()
    memories: Sequence[Record] = ()
    chapters: Sequence[Record] = ()
    wisdom: Sequence[Record] = ()


# -- records as rows -----------------------------------------------------------------------------------------


def rows_of(document: RumDocument, embeddings: Mapping[str, bytes]) -> Rows:
    """The rows of valid records; `embeddings` are the vectors of works by id, as little-endian float32."""
    works = document.memories
    return {
        "agents": [_row(agent, {}) for agent in document.agents],
        "memories": [_work_row(work, embeddings.get(work["id"])) for work in works],
        "memory_files": [row for work in works for row in _file_rows(work)],
        "memory_links": [row for work in works for row in _link_rows(work)],
        **_page_rows(_PAGES["chapter"], document.chapters),
        **_page_rows(_PAGES["wisdom"], document.wisdom),
    }


def _row(value: Record, defaults: Record) -> Record:
    """A record as a row: lists and mappings as JSON, with defaults for the columns that are required."""
    said = {"project_id": "", "created_at": value.get("start_ts", 0), **defaults, **value}
    return {name: _cell(name, item) for name, item in said.items()}


def _cell(name: str, value: Any) -> Any:
    if name in _JSON_COLUMNS:
        return json.dumps(value, ensure_ascii=False)
    return int(value) if isinstance(value, float) and name != "importance" else value


def _work_row(work: Record, embedding: bytes | None) -> Record:
    said = {name: item for name, item in work.items() if name != "links"}
    copied = {column: work[layer][field] for column, (layer, field) in _COPIED.items()}
    row = _row(said, {**schema.UNSAID, "access_count": 0, "last_accessed": None})
    return {**row, **copied, "embedding": embedding}


def _file_rows(work: Record) -> Iterator[Record]:
    for path, operation in schema.files_of(work).items():
        yield {"memory_id": work["id"], "file_path": path, "operation": operation}


def _link_rows(work: Record) -> Iterator[Record]:
    for kind, ids in work.get("links", {}).items():
        for id in dict.fromkeys(ids if kind in MANY_LINKS else [ids]):
            link = {"source_id": work["id"], "target_id": id, "link_type": kind}
            yield {**link, "created_at": int(work["created_at"])}


def _page_rows(pages: Pages, records: Sequence[Record]) -> Rows:
    rows, joins = [], []
    for value in records:
        said = dict(value)
        for position, id in enumerate(said.pop(pages.joined, ())):
            join = {pages.own: value["id"], pages.part: id, "position": position}
            joins.append({name: join[name] for name in join if name in COLUMNS[pages.join]})
        rows.append(_row(said, {"updated_at": said.get("created_at", said["start_ts"])}))
    return {pages.table: rows, pages.join: joins}


# -- rows as records -----------------------------------------------------------------------------------------


def document_of(rows: Rows, tell: Callable[[str], None]) -> RumDocument:
    """The records of a database whose references hold; `tell` gets what is left out of them.

    Raises UsageError that names the record and its field.
    """
    agents = [_record(row, "agents") for row in rows["agents"]]
    chapters, wisdom = (_pages(rows, pages) for pages in _PAGES.values())
    return checked(RumDocument(agents, _works(rows, tell), chapters, wisdom))


def checked(document: RumDocument) -> RumDocument:
    """The document in its normal form, after checking that records are valid, ids unique and references known.

    Raises UsageError that names the record and its field.
    """
    works = [_checked_work(work) for work in document.memories]
    agents = [_checked(agent, "agent") for agent in document.agents]
    chapters = [_checked(chapter, "chapter") for chapter in document.chapters]
    wisdom = [_checked(each, "wisdom") for each in document.wisdom]
    whole = RumDocument(agents, works, chapters, wisdom)
    for kind, records in whole._asdict().items():
        _require_distinct(kind, records)
    _require_known("chapter", chapters, works)
    _require_known("wisdom", wisdom, chapters)
    _require_no_loop(agents)
    return whole


def _works(rows: Rows, tell: Callable[[str], None]) -> list[Record]:
    links: dict[str, Record] = {}
    for row in sorted(rows["memory_links"], key=lambda row: row["created_at"]):
        links.setdefault(row["source_id"], {}).setdefault(row["link_type"], []).append(row["target_id"])
    for id, said in links.items():
        for kind in said.keys() & {*schema.ONE_LINK}:
            *lost, said[kind] = said[kind]
            if lost:
                tell(f"is left out: {kind} {', '.join(lost)} of {id}, which has a newer one")
    files = _grouped(rows["memory_files"], "memory_id", "file_path")
    works = []
    for row in rows["memories"]:
        work = {**_record(row, "memories"), "links": links.get(row["id"], {})}
        _add_files(work, files.get(row["id"], []))
        works.append(work)
    return works


def _grouped(rows: Sequence[Record], by: str, name: str) -> dict[str, list[str]]:
    """The values of one column by those of another."""
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row[by], []).append(row[name])
    return found


def _add_files(work: Record, paths: Sequence[str]) -> None:
    """Add files that the database lists for a work, but no layer names, as relevant files."""
    named = schema.files_of(schema.normal(work))
    others = [{"path": path} for path in paths if path not in named]
    perception = work.get("perception") or {}
    if others and isinstance(perception, dict):
        known = schema.listed(perception.get("relevant_files"))
        work["perception"] = {**perception, "relevant_files": [*known, *others]}


def _pages(rows: Rows, pages: Pages) -> list[Record]:
    joins = sorted(rows[pages.join], key=lambda join: (join.get("position") is None, join.get("position") or 0))
    parts = _grouped(joins, pages.own, pages.part)
    return [{**_record(row, pages.table), pages.joined: parts.get(row["id"], [])} for row in rows[pages.table]]


def _record(row: Record, table: str) -> Record:
    """The columns of a row that its record has, without those that are NULL or empty."""
    shape = schema.SHAPES[_KINDS[table]]
    said = {name: row[name] for name in shape.fields if row.get(name) not in (None, "")}
    return {
        name: _parsed(value, f"{table} {row.get('id')!r}: {name}") if name in _JSON_COLUMNS else value
        for name, value in said.items()
    }


def _parsed(text: Any, where: str) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        raise UsageError(f"{where} is not JSON", _FIX) from None


# -- validation ----------------------------------------------------------------------------------------------


def _checked_work(work: Any) -> Record:
    named = f"memory {work.get('id')!r}" if isinstance(work, dict) else "a memory"
    try:
        return schema.checked(work)
    except UsageError as error:
        raise UsageError(f"{named}: {error}", _FIX) from None


def _checked(value: Any, kind: str) -> Record:
    if not isinstance(value, dict) or not isinstance(value.get("id"), str) or not value["id"]:
        raise UsageError(f"{kind}: id must be a text", _FIX)
    given = {name: item for name, item in value.items() if item is not None}
    joined = _PAGES[kind].joined if kind in _PAGES else ""
    ids = given.pop(joined, [])
    given |= {name: schema.seconds(item) for name, item in given.items() if name.endswith(("_at", "_ts"))}
    for fault in objections(given, schema.SHAPES[kind]):
        raise UsageError(f"{kind} {value['id']!r}: {fault.field} {fault.message}: {fault.fix}", _FIX)
    if not isinstance(ids, list) or not all(isinstance(id, str) for id in ids):
        raise UsageError(f"{kind} {value['id']!r}: {joined} must be a list of ids", _FIX)
    return {**given, joined: list(dict.fromkeys(ids))} if joined else given


def _require_distinct(kind: str, records: Sequence[Record]) -> None:
    seen: set[str] = set()
    for value in records:
        if "id" in value and value["id"] in seen:
            raise UsageError(f"{kind}: the id {value['id']!r} is used twice", _FIX)
        seen.add(value.get("id", ""))


def _require_known(kind: str, records: Sequence[Record], parts: Sequence[Record]) -> None:
    joined, known = _PAGES[kind].joined, {part.get("id") for part in parts}
    for value in records:
        for id in value[joined]:
            if id not in known:
                raise UsageError(f"{kind} {value['id']!r}: {joined} names {id!r}, which is not there", _FIX)


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

"""The tables of RUM, and the conversion of their rows to records and back.

The first four tables and all indexes are those of RUM's page "Memory Schema". That page describes chapters and
wisdom only as interfaces; their tables here have the same fields and relations. Times are whole Unix seconds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.errors import UsageError
from mdmem.note.structured.shapes import Shape, objections
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
# The tables, each after those that it refers to, and whether a database must have it.
TABLES = {
    **{"agents": True, "memories": True, "memory_files": True, "memory_links": True},
    **{"chapters": False, "chapter_memories": False, "wisdom": False, "wisdom_chapters": False},
}
Rows = Mapping[str, Sequence[Record]]  # table -> its rows, by the names of their columns
_JSON_COLUMNS = {*schema.LAYERS, "tags", "metadata", "learnings", "topics", "insights", "patterns"}
_JSON_COLUMNS |= {"best_practices"}
_OF_WORK = ("id", "agent_id", "project_id", "session_id", "created_at", *schema.LAYERS, "tags", "importance")
_COUNTED = ("access_count", "last_accessed")
_COPIED = {"intent_goal": ("intent", "goal"), "intent_type": ("intent", "task_type")}
_COPIED |= {"outcome_success": ("outcome", "success"), "outcome_summary": ("outcome", "summary")}
COPIED = {*_COPIED, "embedding"}  # columns that follow from others
# table -> the columns that are read
_COLUMNS = {
    "agents": {*schema.AGENT.fields},
    "memories": {*_OF_WORK, *_COUNTED},
    "memory_files": {"memory_id", "file_path", "operation"},
    "memory_links": {"source_id", "target_id", "link_type", "created_at"},
    "chapters": {*schema.CHAPTER.fields},
    "chapter_memories": {"chapter_id", "memory_id", "position"},
    "wisdom": {*schema.WISDOM.fields},
    "wisdom_chapters": {"wisdom_id", "chapter_id"},
}
_FIX = "correct it where it comes from; nothing was imported"


class RumDocument(NamedTuple):
    """All RUM records: agents, works, chapters with the ids of their `memories`, wisdom with their `chapters`.

    It is also the form of the JSON file: an object with these four lists.
    """

    agents: Sequence[Record] = ()
    memories: Sequence[Record] = ()
    chapters: Sequence[Record] = ()
    wisdom: Sequence[Record] = ()


def columns(table: str) -> set[str]:
    """The columns of a table that are read; none of a table that is not RUM's."""
    return _COLUMNS.get(table, set())


# -- records as rows -----------------------------------------------------------------------------------------


def rows_of(document: RumDocument, embeddings: Mapping[str, bytes]) -> Rows:
    """The rows of valid records; `embeddings` are the vectors of works by id, as little-endian float32."""
    works, chapters, wisdom = document.memories, document.chapters, document.wisdom
    return {
        "agents": [_row(agent, "agents") for agent in document.agents],
        "memories": [_work_row(work, embeddings.get(work["id"])) for work in works],
        "memory_files": [row for work in works for row in _file_rows(work)],
        "memory_links": [row for work in works for row in _link_rows(work)],
        "chapters": [_row(chapter, "chapters", without="memories") for chapter in chapters],
        "chapter_memories": [row for chapter in chapters for row in _place_rows(chapter)],
        "wisdom": [_row(each, "wisdom", without="chapters") for each in wisdom],
        "wisdom_chapters": [row for each in wisdom for row in _source_rows(each)],
    }


def _row(value: Record, table: str, without: str = "") -> Record:
    """A record as a row: lists and mappings as JSON, with defaults for the texts and times that are required."""
    row = {name: _cell(name, item) for name, item in value.items() if name != without}
    row.setdefault("project_id", "")
    row.setdefault("created_at", row.get("start_ts", 0))
    if table != "agents":
        row.setdefault("updated_at", row["created_at"])
    return row


def _cell(name: str, value: Any) -> Any:
    if name in _JSON_COLUMNS:
        return json.dumps(value, ensure_ascii=False)
    return int(value) if isinstance(value, float) and name != "importance" else value


def _work_row(work: Record, embedding: bytes | None) -> Record:
    unsaid = {"agent_id": "", "project_id": "", "session_id": "", "tags": [], "importance": schema.IMPORTANCE}
    said = {**unsaid, "access_count": 0, "last_accessed": None, **work}
    row = {name: _cell(name, said[name]) for name in (*_OF_WORK, *_COUNTED)}
    row |= {column: work[layer][field] for column, (layer, field) in _COPIED.items()}
    return {**row, "outcome_success": int(work["outcome"]["success"]), "embedding": embedding}


def _file_rows(work: Record) -> Iterator[Record]:
    for path, operation in schema.files_of(work).items():
        yield {"memory_id": work["id"], "file_path": path, "operation": operation}


def _link_rows(work: Record) -> Iterator[Record]:
    for kind, ids in work.get("links", {}).items():
        for id in dict.fromkeys(ids if kind in MANY_LINKS else [ids]):
            yield {
                "source_id": work["id"],
                "target_id": id,
                "link_type": kind,
                "created_at": int(work["created_at"]),
            }


def _place_rows(chapter: Record) -> Iterator[Record]:
    for position, id in enumerate(chapter.get("memories", ())):
        yield {"chapter_id": chapter["id"], "memory_id": id, "position": position}


def _source_rows(wisdom: Record) -> Iterator[Record]:
    for id in wisdom.get("chapters", ()):
        yield {"wisdom_id": wisdom["id"], "chapter_id": id}


# -- rows as records -----------------------------------------------------------------------------------------


def document_of(rows: Rows, tell: Callable[[str], None]) -> RumDocument:
    """The records of a database whose references hold; `tell` gets what is left out of them.

    Raises UsageError that names the record and its field.
    """
    return checked(
        RumDocument(
            [_record(row, "agents", schema.AGENT) for row in rows["agents"]],
            _works(rows, tell),
            [_chapter(row, rows) for row in rows["chapters"]],
            [_wisdom(row, rows) for row in rows["wisdom"]],
        )
    )


def checked(document: RumDocument) -> RumDocument:
    """The document in its normal form, after checking that records are valid, ids unique and references known.

    Raises UsageError that names the record and its field.
    """
    works = [_checked_work(work) for work in document.memories]
    agents = [_checked(agent, "agent", schema.AGENT) for agent in document.agents]
    chapters = [_checked(chapter, "chapter", schema.CHAPTER, "memories") for chapter in document.chapters]
    wisdom = [_checked(each, "wisdom", schema.WISDOM, "chapters") for each in document.wisdom]
    whole = RumDocument(agents, works, chapters, wisdom)
    for kind, records in whole._asdict().items():
        _require_distinct(kind, records)
    _require_known("chapter", chapters, "memories", {work.get("id") for work in works})
    _require_known("wisdom", wisdom, "chapters", {chapter["id"] for chapter in chapters})
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
    files: dict[str, list[str]] = {}
    for row in rows["memory_files"]:
        files.setdefault(row["memory_id"], []).append(row["file_path"])
    works = []
    for row in rows["memories"]:
        said = {name: row[name] for name in (*_OF_WORK, *_COUNTED)}
        work = _record(said, "memories", schema.WORK)
        work["links"] = links.get(row["id"], {})
        _add_files(work, files.get(row["id"], []))
        works.append(work)
    return works


def _add_files(work: Record, paths: Sequence[str]) -> None:
    """Add files that the database lists for a work, but no layer names, as relevant files."""
    try:
        named = schema.files_of(schema.normal(work))
    except (KeyError, TypeError, AttributeError):
        return  # not a valid work, which `checked` reports
    others = [{"path": path} for path in paths if path not in named]
    if others:
        perception = work.get("perception") or {}
        work["perception"] = {**perception, "relevant_files": [*perception.get("relevant_files", ()), *others]}


def _chapter(row: Record, rows: Rows) -> Record:
    joined = [join for join in rows["chapter_memories"] if join["chapter_id"] == row["id"]]
    joined.sort(key=lambda join: (join["position"] is None, join["position"] or 0))
    chapter = _record(row, "chapters", schema.CHAPTER)
    return {**chapter, "memories": [join["memory_id"] for join in joined]}


def _wisdom(row: Record, rows: Rows) -> Record:
    ids = [join["chapter_id"] for join in rows["wisdom_chapters"] if join["wisdom_id"] == row["id"]]
    return {**_record(row, "wisdom", schema.WISDOM), "chapters": ids}


def _record(row: Record, table: str, shape: Shape) -> Record:
    """The columns of a row that the shape has, without those that are NULL or empty."""
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


def _checked(value: Any, kind: str, shape: Shape, joined: str = "") -> Record:
    if not isinstance(value, dict) or not isinstance(value.get("id"), str) or not value["id"]:
        raise UsageError(f"{kind}: id must be a text", _FIX)
    given = {name: item for name, item in value.items() if item is not None}
    ids = given.pop(joined, [])
    given |= {name: schema.seconds(item) for name, item in given.items() if name.endswith(("_at", "_ts"))}
    for fault in objections(given, shape):
        raise UsageError(f"{kind} {value['id']!r}: {fault.field} {fault.message}: {fault.fix}", _FIX)
    if not joined:
        return given
    if not isinstance(ids, list) or not all(isinstance(id, str) for id in ids):
        raise UsageError(f"{kind} {value['id']!r}: {joined} must be a list of ids", _FIX)
    return {**given, joined: list(dict.fromkeys(ids))}


def _require_distinct(kind: str, records: Sequence[Record]) -> None:
    seen: set[str] = set()
    for value in records:
        if "id" in value and value["id"] in seen:
            raise UsageError(f"{kind}: the id {value['id']!r} is used twice", _FIX)
        seen.add(value.get("id", ""))


def _require_known(kind: str, records: Sequence[Record], joined: str, known: set[Any]) -> None:
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

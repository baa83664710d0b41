"""A note as rows of the index, and back. Functions that write belong in one transaction of the caller."""

from __future__ import annotations

import json
import zlib
from collections.abc import Container, Iterable, Sequence
from typing import Any

from mdmem.errors import Problem
from mdmem.index import versions
from mdmem.index.database import Database
from mdmem.index.edges import edges
from mdmem.index.port import FIELDS, LIFE, IndexedNote, NoteText
from mdmem.note import blocks, links, memory, naming, properties
from mdmem.note import tags as hashtags
from mdmem.note.links import Link
from mdmem.note.memory import Memory
from mdmem.text import segment

RECORD = (
    "path, id, title, type, status, category, topic, tags, session, created, updated, meta, body_line, inline, "
    + versions.COMMITTER
)
TEXT = "path, id, title, type, category, tags, topic, status, session, created, life, body_line, body"

_COLUMNS = (
    *("path", "folded", "id", "type", "status", "category", "topic", "session", "created", "updated"),
    *("title", "tags", "inline", "meta", "life", "body_line", "body", "digest"),
)
_INSERT_NOTE = f"INSERT INTO notes({','.join(_COLUMNS)}) VALUES({','.join(':' + name for name in _COLUMNS)})"
_INSERT_WORDS = f"INSERT INTO fts(rowid,{','.join(FIELDS)}) VALUES(?,?,?,?,?,?,?)"
_DELETE_WORDS = f"INSERT INTO fts(fts,rowid,{','.join(FIELDS)}) VALUES('delete',?,?,?,?,?,?,?)"
_COMPRESSION = 1  # zlib's quickest


def insert(db: Database, note: Memory, created: str, updated: str) -> None:
    """Add a note. `created` and `updated` (RFC 3339) hold where the note does not say."""
    life = {key: note.meta[key] for key in LIFE if note.meta.get(key) not in (None, "")}
    inline = hashtags.inline(note.body)
    columns = {
        "path": note.path,
        "folded": naming.fold(note.name),
        "id": note.id,
        "type": note.type,
        "status": note.status,
        "category": note.text("category"),
        "topic": note.text("topic"),
        "session": note.text("session"),
        "created": note.created or created,
        "updated": note.updated or updated,
        "title": note.title,
        "tags": as_json(note.tags),
        "inline": as_json(inline) if inline else None,
        "meta": as_json(dict(note.meta)),
        "life": as_json(life) if life else None,
        "body_line": note.body_line,
        "body": zlib.compress(note.body.encode(), _COMPRESSION),
        "digest": _digest(note),
    }
    rowid = db.execute(_INSERT_NOTE, columns).lastrowid
    assert rowid is not None
    body_links = list(links.to_notes(note.body))
    db.execute(_INSERT_WORDS, (rowid, *_words(note.name, note.title, _labels_of(note), note.body, body_links)))
    db.executemany("INSERT INTO links VALUES(?,?,?,?)", [(rowid, *edge) for edge in edges(note, body_links)])
    add_problems(db, note.problems)


def drop(db: Database, path: str) -> None:
    """Forget what was at a path, if anything."""
    row = db.execute(
        "SELECT rowid, title, type, category, topic, tags, body FROM notes WHERE path=?", (path,)
    ).fetchone()
    if row:
        rowid, title, type, category, topic, tags, packed = row
        body = unpacked(packed)
        labels = properties.labels(type, category, topic, json.loads(tags))
        words = _words(memory.stem(path), title, labels, body, list(links.to_notes(body)))
        db.execute(_DELETE_WORDS, (rowid, *words))
        db.execute("DELETE FROM notes WHERE rowid=?", (rowid,))
        db.execute("DELETE FROM links WHERE source=?", (rowid,))
    db.execute("DELETE FROM problems WHERE path=?", (path,))


def add_problems(db: Database, problems: Iterable[Problem]) -> None:
    """Note what is wrong with a file."""
    rows = [(p.path, p.code, p.line, p.message, p.fix, p.severity) for p in problems]
    db.executemany("INSERT INTO problems VALUES(?,?,?,?,?,?)", rows)


def clear(db: Database) -> None:
    """Forget everything."""
    db.execute("INSERT INTO fts(fts) VALUES('delete-all')")
    for table in ("notes", "links", "problems", "dirty", "state", "versions"):
        db.execute(f"DELETE FROM {table}")  # noqa: S608 - a literal of this line


def record_of(row: Sequence[Any], people: Container[str]) -> IndexedNote:
    """The columns RECORD as a value; `people` are the addresses of those whose commits are trusted."""
    path, id, title, type, status, category, topic, tags, session, *more = row
    created, updated, meta, body_line, inline, committer = more
    return IndexedNote(
        path=path,
        id=id,
        title=title,
        type=type,
        status=status,
        category=category,
        topic=topic,
        tags=tuple(json.loads(tags)),
        session=session,
        created=created,
        updated=updated,
        meta=json.loads(meta),
        body_line=body_line,
        inline_tags=tuple(json.loads(inline)) if inline else (),
        foreign=bool(committer) and committer not in people,
    )


def text_of(row: Sequence[Any]) -> NoteText:
    """The columns TEXT as a value."""
    path, id, title, type, category, tags, topic, status, session, created, life, body_line, body = row
    text = unpacked(body)
    return NoteText(
        path=path,
        id=id,
        title=title,
        type=type,
        category=category,
        tags=tuple(dict.fromkeys([*json.loads(tags), *hashtags.inline(text)])),
        topic=topic,
        status=status,
        session=session,
        created=created,
        life=json.loads(life) if life else {},
        body_line=body_line,
        body=text,
    )


def unpacked(data: bytes) -> str:
    """A text as it was before it was compressed."""
    return zlib.decompress(data).decode()


def as_json(value: object) -> str:
    """A value as the index keeps it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _labels_of(note: Memory) -> list[str]:
    return properties.labels(note.type, note.text("category"), note.text("topic"), note.tags)


def _words(name: str, title: str, labels: Sequence[str], body: str, body_links: Iterable[Link]) -> tuple[str, ...]:
    """The searched fields of a note, in the order of FIELDS."""
    headings = "\n".join(heading.text for heading in blocks.headings(body))
    linked = " ".join(memory.stem(link.target).replace("_", " ") for link in body_links)
    fields = (name.replace("_", " "), title, " ".join(labels), headings, linked, body)
    return tuple(segment.spaced(text) for text in fields)


def _digest(note: Memory) -> bytes:
    import hashlib

    return hashlib.blake2b(f"{note.title}\n{note.body.strip()}".encode(), digest_size=16).digest()

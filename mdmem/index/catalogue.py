"""Notes as rows: put in, taken out, asked for. Knows nothing of files or git; `index.freshness` keeps it fresh."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from mdmem.errors import Problem
from mdmem.index.database import Database, Edition
from mdmem.note import blocks, links, memory, naming
from mdmem.note.links import Link
from mdmem.note.memory import Memory
from mdmem.text import segment

_T = TypeVar("_T")
_P = ParamSpec("_P")

# What of a note is searched, and how much a word counts there when candidates are gathered.
FIELDS = {"name": 0.5, "title": 0.5, "tags": 1.0, "headings": 0.5, "links": 0.5, "body": 1.0}
LIFE = ("importance", "salience", "pinned", "decay", "last_reinforced_at")  # what ranking wants of properties

_COLUMNS = (
    *("path", "folded", "id", "type", "status", "category", "topic", "session", "created", "updated"),
    *("title", "tags", "meta", "life", "body_line", "body", "digest"),
)
_RECORD = "rowid, path, id, title, type, status, category, topic, tags, session, created, updated, meta, body_line"
_TEXT = "rowid, id, path, title, tags, topic, status, session, created, life, body_line, body"
_INSERT_NOTE = f"INSERT INTO notes({','.join(_COLUMNS)}) VALUES({','.join('?' * len(_COLUMNS))})"
_INSERT_WORDS = f"INSERT INTO fts(rowid,{','.join(FIELDS)}) VALUES(?,?,?,?,?,?,?)"
_DELETE_WORDS = f"INSERT INTO fts(fts,rowid,{','.join(FIELDS)}) VALUES('delete',?,?,?,?,?,?,?)"
_RANK = "bm25(" + ", ".join(str(weight) for weight in FIELDS.values()) + ")"
_COMPRESSION = 1


class IndexedNote(NamedTuple):
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
    session: str
    created: str
    updated: str
    meta: Mapping[str, Any]
    body_line: int

    @property
    def name(self) -> str:
        return memory.stem(self.path)


class NoteText(NamedTuple):
    """What ranking reads of a memory. `life` holds those properties of LIFE that it has."""

    rowid: int
    id: str
    path: str
    title: str
    tags: tuple[str, ...]
    topic: str
    status: str
    session: str
    created: str
    life: Mapping[str, Any]
    body_line: int
    body: str


class Version(NamedTuple):
    """One committed version of a file: the commit, its time in Unix seconds, and the blob ("" for deleted)."""

    commit: str
    when: int
    blob: str


class Catalogue:
    """The rows of one vault. Methods that write belong in one transaction of the caller."""

    def __init__(self, db: Database) -> None:
        self._db = db

    @classmethod
    def in_memory(cls) -> Catalogue:
        """An empty one that is gone when closed."""
        from mdmem.index import database

        return cls(Database(database.connect(":memory:", print)))

    def close(self) -> None:
        self._db.close()

    def whole(self, action: Callable[[], _T]) -> _T:
        """The result of an action of several questions: all are asked again if the index has to be made anew."""
        return self._db.whole(action)

    def edition(self) -> Edition:
        """What tells whether any row may be another than before."""
        return self._db.edition()

    # -- writing -------------------------------------------------------------------------------------------

    def insert(self, note: Memory, created: str, updated: str) -> None:
        """Add a note. `created` and `updated` (RFC 3339) hold where the note does not say."""
        life = {key: note.meta[key] for key in LIFE if note.meta.get(key) not in (None, "")}
        cursor = self._db.execute(
            _INSERT_NOTE,
            (
                *(note.path, naming.fold(note.name), note.id, note.type, note.status, note.text("category")),
                *(note.text("topic"), note.text("session"), note.created or created, note.updated or updated),
                *(note.title, _json(note.tags), _json(dict(note.meta)), _json(life) if life else None),
                *(note.body_line, zlib.compress(note.body.encode(), _COMPRESSION), _digest(note)),
            ),
        )
        rowid = cursor.lastrowid
        assert rowid is not None
        said = list(links.to_notes(note.body))
        self._db.execute(_INSERT_WORDS, (rowid, *_words(note.name, note.title, note.tags, note.body, said)))
        self._db.executemany("INSERT INTO links VALUES(?,?,?,?)", [(rowid, *edge) for edge in edges(note, said)])
        self.add_problems(note.problems)

    def drop(self, path: str) -> None:
        """Forget what was at a path, if anything."""
        row = self._db.execute("SELECT rowid, title, tags, body FROM notes WHERE path=?", (path,)).fetchone()
        if row:
            rowid, title, tags, body = row
            text = _unpacked(body)
            said = list(links.to_notes(text))
            words = _words(memory.stem(path), title, tuple(json.loads(tags)), text, said)
            self._db.execute(_DELETE_WORDS, (rowid, *words))
            self._db.execute("DELETE FROM notes WHERE rowid=?", (rowid,))
            self._db.execute("DELETE FROM links WHERE source=?", (rowid,))
        self._db.execute("DELETE FROM problems WHERE path=?", (path,))

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Note what is wrong with a file."""
        rows = [(p.path, p.code, p.line, p.message, p.fix, p.severity) for p in problems]
        self._db.executemany("INSERT INTO problems VALUES(?,?,?,?,?,?)", rows)

    def clear(self) -> None:
        """Forget everything."""
        self._db.execute("INSERT INTO fts(fts) VALUES('delete-all')")
        for table in ("notes", "links", "problems", "dirty", "state", "versions"):
            self._db.execute(f"DELETE FROM {table}")  # noqa: S608 - a literal of this line

    def copy_into(self, db: sqlite3.Connection) -> None:
        """Copy all tables into an empty database."""
        self._db.copy_into(db)

    # -- memories ------------------------------------------------------------------------------------------

    def count(self) -> int:
        """How many memories there are."""
        return int(self._db.execute("SELECT count(*) FROM notes").fetchone()[0])

    def records(self) -> Iterator[IndexedNote]:
        """Every memory, by path."""
        for row in self._db.execute(f"SELECT {_RECORD} FROM notes ORDER BY path"):  # noqa: S608
            yield _record(row)

    def record(self, path: str) -> IndexedNote | None:
        """The memory at a path."""
        return next(self._where("path=?", path), None)

    def named(self, name: str) -> list[IndexedNote]:
        """The memories of that name, whatever their folder and the name's case."""
        return list(self._where("folded=?", naming.fold(name)))

    def with_id(self, id: str) -> list[IndexedNote]:
        """The memories with that id (more than one is a problem that `doctor` reports)."""
        return list(self._where("id=?", id))

    def by_rowid(self, rowids: Sequence[int]) -> list[IndexedNote]:
        """The memories of those rows, in that order."""
        found = {row[0]: _record(row) for row in self._rows(_RECORD, rowids)}
        return [found[rowid] for rowid in rowids if rowid in found]

    def newest(self) -> Iterator[IndexedNote]:
        """Every memory, the latest created first."""
        for row in self._db.execute(f"SELECT {_RECORD} FROM notes ORDER BY created DESC, path"):  # noqa: S608
            yield _record(row)

    def marked(self, category: str, tags: str) -> Iterator[IndexedNote]:
        """Those of a category, those with a tag that is LIKE `tags`, and those that say how much they matter."""
        said = "life LIKE '%\"pinned\"%' OR life LIKE '%\"importance\"%'"
        sql = f"SELECT {_RECORD} FROM notes WHERE category=? OR tags LIKE ? OR {said} ORDER BY created DESC, path"  # noqa: S608
        for row in self._db.execute(sql, (category, f"%{tags}%")):
            yield _record(row)

    def names(self) -> list[str]:
        """Every name, each once, sorted."""
        paths = self._db.execute("SELECT path FROM notes").fetchall()
        return sorted({memory.stem(path) for (path,) in paths})

    def body(self, rowid: int) -> str:
        """The text of a memory; "" for one that another process took out of the index meanwhile."""
        row = self._db.execute("SELECT body FROM notes WHERE rowid=?", (rowid,)).fetchone()
        return _unpacked(row[0]) if row else ""

    def texts(self, rowids: Sequence[int]) -> dict[int, NoteText]:
        """What ranking reads of those rows."""
        return {row[0]: _text(row) for row in self._rows(_TEXT, rowids)}

    def digests(self) -> dict[int, bytes]:
        """row -> what tells the text of a memory (title and body) from every other."""
        return dict(self._db.execute("SELECT rowid, digest FROM notes"))

    def marks(self) -> dict[str, tuple[int, str]]:
        """path -> (row, what tells all that a memory says from every other state of it), by path."""
        import hashlib

        rows = self._db.execute(
            "SELECT path, rowid, id, created, meta, digest, substr(body, -4) FROM notes ORDER BY path"
        )
        return {
            path: (rowid, hashlib.sha256(f"{id}\0{created}\0{meta}\0".encode() + digest + end).hexdigest()[:32])
            for path, rowid, id, created, meta, digest, end in rows
        }

    def neighbours(self, of: NoteText, reach: int) -> tuple[list[int], list[int]]:
        """The rows before (nearest first) and after a note within its session, in the order they were made."""
        if not of.session:
            return [], []
        sql = (
            "SELECT rowid FROM notes WHERE session=? AND session<>'' AND (created, path) {} (?, ?)"
            " ORDER BY created {order}, path {order} LIMIT ?"
        )
        key = (of.session, of.created, of.path, reach)
        before = self._db.execute(sql.format("<", order="DESC"), key).fetchall()
        after = self._db.execute(sql.format(">", order="ASC"), key).fetchall()
        return [row for (row,) in before], [row for (row,) in after]

    def property_names(self) -> set[str]:
        """The names of all properties that any memory has."""
        return {name for (name,) in self._db.execute("SELECT DISTINCT key FROM notes, json_each(meta)")}

    def problems(self) -> list[Problem]:
        """What was wrong with files when they were read."""
        rows = self._db.execute(
            "SELECT code, path, line, message, fix, severity FROM problems ORDER BY path, line"
        )
        return [Problem(*row) for row in rows]

    def versions(self, path: str) -> list[Version]:
        """The committed versions of a file, the latest first, also under the names it had before."""
        sql = (
            'SELECT "commit", seconds, blob, origin, rowid FROM versions'
            ' WHERE path=? AND rowid<? AND "commit"<>? ORDER BY rowid DESC'
        )
        found: list[Version] = []
        last, moved = 1 << 62, ""
        while path:
            rows = self._db.execute(sql, (path, last, moved)).fetchall()
            path = ""
            for commit, seconds, blob, origin, rowid in rows:
                found.append(Version(commit, seconds, blob))
                if origin:
                    path, last, moved = origin, rowid, commit
                    break
        return found

    def commits_of(self, path: str) -> set[str]:
        """The commits that changed the file at a path."""
        return {oid for (oid,) in self._db.execute('SELECT "commit" FROM versions WHERE path=?', (path,))}

    def changed_in(self, commits: Iterable[str]) -> dict[str, list[str]]:
        """path -> those of the commits that changed the file there, the oldest first."""
        found: dict[str, list[str]] = {}
        wanted = '"commit" IN (SELECT value FROM json_each(?))'
        sql = f'SELECT path, "commit" FROM versions WHERE {wanted} ORDER BY rowid'  # noqa: S608 - own literals
        for path, commit in self._db.execute(sql, (_json(list(commits)),)):
            found.setdefault(path, []).append(commit)
        return found

    def deleting_commits(self) -> set[str]:
        """The commits that took a memory's file away, by deleting or moving it."""
        return {oid for (oid,) in self._db.execute("""SELECT "commit" FROM versions WHERE blob=''""")}

    def latest_commit(self) -> str:
        """The last commit that changed a memory, "" if there is none."""
        row = self._db.execute('SELECT "commit" FROM versions ORDER BY rowid DESC LIMIT 1').fetchone()
        return str(row[0]) if row else ""

    # -- links ---------------------------------------------------------------------------------------------

    def links_to(self, targets: Iterable[str], predicate: str = "") -> list[tuple[IndexedNote, int]]:
        """(memory, line) of each link to one of the targets, as `edges` folds them."""
        wanted = list(targets)
        marks = ",".join("?" * len(wanted))
        only = " AND predicate=?" if predicate else ""
        sql = f"SELECT DISTINCT source, line FROM links WHERE target IN ({marks}){only} ORDER BY source, line"  # noqa: S608
        rows = self._db.execute(sql, [*wanted, predicate] if predicate else wanted).fetchall()
        return [(record, line) for source, line in rows for record in self._where("rowid=?", source)]

    def all_links(self) -> Iterator[tuple[str, str, str, int]]:
        """(path of the source, target as folded, predicate, line) of every link."""
        yield from self._db.execute(
            "SELECT n.path, l.target, l.predicate, l.line FROM links l JOIN notes n ON n.rowid=l.source"
            " ORDER BY n.path, l.line, l.target"
        )

    # -- words ---------------------------------------------------------------------------------------------

    def search(self, expression: str, limit: int) -> list[int]:
        """The rows that an FTS5 expression finds, by BM25 over FIELDS, best first; all with `limit` -1."""
        sql = "SELECT rowid FROM fts WHERE fts MATCH ? AND rank MATCH ? ORDER BY rank LIMIT ?"
        return [row for (row,) in self._db.execute(sql, (expression, _RANK, limit))]

    def search_between(self, expression: str, spans: Sequence[tuple[str, str]], limit: int) -> list[int]:
        """The same among the memories created within one of the spans (RFC 3339, both ends included)."""
        within = " OR ".join(["n.created BETWEEN ? AND ?"] * len(spans))
        sql = (
            "SELECT fts.rowid FROM fts JOIN notes n ON n.rowid=fts.rowid"  # noqa: S608 - own literals
            f" WHERE fts MATCH ? AND rank MATCH ? AND ({within}) ORDER BY rank LIMIT ?"
        )
        ends = [end for span in spans for end in span]
        return [row for (row,) in self._db.execute(sql, (expression, _RANK, *ends, limit))]

    def years(self) -> tuple[int, int]:
        """The years of the first and the last memory created; (0, 0) if there is none."""
        first, last = self._db.execute("SELECT min(created), max(created) FROM notes WHERE created<>''").fetchone()
        return (int(first[:4]), int(last[:4])) if first else (0, 0)

    def stems(self, words: Sequence[str]) -> dict[str, str]:
        """word -> its form in the index: FTS5's own tokenizer is asked, so that the two always agree.

        What has no letters for it, such as an accent alone, is left out.
        """
        if not words:
            return {}
        self._db.execute(
            f'CREATE VIRTUAL TABLE IF NOT EXISTS temp.stemmer USING fts5(w, tokenize="{segment.TOKENIZER}")'
        )
        self._db.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.stems USING fts5vocab('temp','stemmer','instance')"
        )
        with self._db.transaction("BEGIN"):
            self._db.executemany("INSERT INTO temp.stemmer(rowid, w) VALUES(?,?)", enumerate(words))
            rows = self._db.execute("SELECT doc, term FROM temp.stems ORDER BY doc, offset DESC").fetchall()
            self._db.execute("DELETE FROM temp.stemmer")
        return {words[at]: term for at, term in rows if term}

    def frequencies(self, stems: Sequence[str]) -> dict[str, int]:
        """stem -> how many memories have it, for those that any has."""
        marks = ",".join("?" * len(stems))
        sql = f"SELECT term, doc FROM {self._vocabulary()} WHERE term IN ({marks})"  # noqa: S608
        return dict(self._db.execute(sql, list(stems)).fetchall())

    def matching(self, expression: str) -> int:
        """How many memories an FTS5 expression finds."""
        return int(self._db.execute("SELECT count(*) FROM fts WHERE fts MATCH ?", (expression,)).fetchone()[0])

    def vocabulary(self, first: str = "", last: str = "\U0010ffff") -> list[str]:
        """The stems of all memories from `first` up to but not including `last`."""
        sql = f"SELECT term FROM {self._vocabulary()} WHERE term >= ? AND term < ?"  # noqa: S608
        return [term for (term,) in self._db.execute(sql, (first, last))]

    def _vocabulary(self) -> str:
        self._db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab('main','fts','row')")
        return "temp.vocabulary"

    # -- helpers -------------------------------------------------------------------------------------------

    def _where(self, condition: str, value: object) -> Iterator[IndexedNote]:
        sql = f"SELECT {_RECORD} FROM notes WHERE {condition} ORDER BY path"  # noqa: S608 - own literals
        for row in self._db.execute(sql, (value,)).fetchall():
            yield _record(row)

    def _rows(self, columns: str, rowids: Sequence[int]) -> Iterator[Sequence[Any]]:
        for at in range(0, len(rowids), 500):
            some = rowids[at : at + 500]
            marks = ",".join("?" * len(some))
            yield from self._db.execute(f"SELECT {columns} FROM notes WHERE rowid IN ({marks})", some)  # noqa: S608


def whole(function: Callable[Concatenate[Catalogue, _P], _T]) -> Callable[Concatenate[Catalogue, _P], _T]:
    """Have a function of a catalogue ask as a `Catalogue.whole`."""

    @wraps(function)
    def asking(catalogue: Catalogue, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return catalogue.whole(lambda: function(catalogue, *args, **kwargs))

    return asking


def edges(note: Memory, said: Sequence[Link]) -> Iterator[tuple[str, str, int]]:
    """(folded target, predicate, line in the file) of each link of a note.

    Those in its text, `said`, are "mentions". A target is folded as Obsidian finds it: its last part, lower case,
    without `.md`.
    """
    for link in said:
        yield fold_target(link.target), "mentions", link.line + note.body_line - 1
    for key, value in note.meta.items():
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, str) or "[" not in item:
                continue
            predicate = key if links.wikilink_target(item) else "mentions"
            for link in links.to_notes(item):
                yield fold_target(link.target), predicate, 1


def fold_target(target: str) -> str:
    """A link target as the index keeps it."""
    return naming.fold(memory.stem(target))


def _words(name: str, title: str, tags: Sequence[str], body: str, said: Iterable[Link]) -> tuple[str, ...]:
    """The searched fields of a note, in the order of FIELDS; `said` are the links of its text."""
    headings = "\n".join(found.text for found in blocks.headings(body))
    linked = " ".join(memory.stem(link.target).replace("_", " ") for link in said)
    fields = (name.replace("_", " "), title, " ".join(tags), headings, linked, body)
    return tuple(segment.spaced(text) for text in fields)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _digest(note: Memory) -> bytes:
    import hashlib

    return hashlib.blake2b(f"{note.title}\n{note.body.strip()}".encode(), digest_size=16).digest()


def _unpacked(data: bytes) -> str:
    return zlib.decompress(data).decode()


def _record(row: Sequence[Any]) -> IndexedNote:
    rowid, path, id, title, type, status, category, topic, tags, session, created, updated, meta, body_line = row
    return IndexedNote(
        *(
            rowid,
            path,
            id,
            title,
            type,
            status,
            category,
            topic,
            tuple(json.loads(tags)),
            session,
            created,
            updated,
        ),
        *(json.loads(meta), body_line),
    )


def _text(row: Sequence[Any]) -> NoteText:
    rowid, id, path, title, tags, topic, status, session, created, life, body_line, body = row
    return NoteText(
        *(rowid, id, path, title, tuple(json.loads(tags)), topic, status, session, created),
        *(json.loads(life) if life else {}, body_line, _unpacked(body)),
    )

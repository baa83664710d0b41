"""Converts notes into rows of the index, and back. Callers run functions that write within a transaction."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import lru_cache
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.errors import Problem, UsageError
from mdmem.note import links, memory, segment
from mdmem.note import tags as hashtags
from mdmem.note.links import Link
from mdmem.note.memory import Memory, as_text, project_of
from mdmem.note.trust import sensitivity
from mdmem.store.index import versions
from mdmem.store.index.database import Database
from mdmem.store.index.edges import edges, fold_target
from mdmem.store.index.port import (
    ALL_KINDS,
    AT_ONCE,
    FACT,
    FIELDS,
    LIFE,
    MEMORY,
    VALIDITY,
    Amendment,
    IndexedNote,
    Kinds,
    NoteText,
    Outline,
    SourceRow,
    Trait,
)

if TYPE_CHECKING:
    from mdmem.note.facts import Fact
    from mdmem.store.config import VaultConfig
    from mdmem.store.registry import RowReader

_AMENDED = "(SELECT {} FROM amendments a WHERE a.id=notes.id AND a.topic=notes.topic LIMIT 1)"
_STATUS = f"CASE kind WHEN 'memory' THEN status ELSE ifnull({_AMENDED.format('a.status')}, status) END"
_META = f"CASE kind WHEN 'memory' THEN meta ELSE json_patch(meta, ifnull({_AMENDED.format('a.meta')}, '{{}}')) END"
RECORD = (
    f"path, id, title, type, {_STATUS}, category, topic, tags, session, created, updated, {_META}, body_line, "
    f"inline, kind, lines, {versions.COMMITTER}"
)
_DIALOG = "CASE json_extract(meta, '$.source') WHEN 'import' THEN session ELSE '' END"  # not of work
TEXT = (
    f"path, id, title, type, category, tags, topic, {_STATUS}, {_DIALOG}, created, life, body_line, body, kind, "
    + ", ".join(("inline", "aliases", *VALIDITY))
)

_COLUMNS = (
    *("path", "kind", "file", "lines", "folded", "id", "type", "status", "category", "topic"),
    *("session", "created", "updated", "title", "aliases", "tags", "inline", "sensitivity", "scope"),
    *("meta", "life", *VALIDITY, "body_line", "body", "digest"),
)
# Not with RETURNING: SQLite would then have the words that wait in memory written after every single note.
# A row does not get the number of one that is gone and whose words are still there, as in a view of the past.
_INSERT_NOTE = (
    f"INSERT INTO notes(rowid,{','.join(_COLUMNS)}) VALUES((SELECT ifnull(max(id), 0) + 1 FROM fts_docsize),"  # noqa: S608
    f"{','.join(':' + name for name in _COLUMNS)})"
)
_INSERT_WORDS = f"INSERT INTO fts(rowid,{','.join(FIELDS)}) VALUES(?,?,?,?,?,?,?)"
_DELETE_WORDS = f"INSERT INTO fts(fts,rowid,{','.join(FIELDS)}) VALUES('delete',?,?,?,?,?,?,?)"
_NAMED = "iif(json_type(meta, '$.{0}') IN ('text', 'integer', 'real'), json_extract(meta, '$.{0}'), '')"
PROJECT = _NAMED.format("project")
_SAID = "CASE WHEN meta LIKE '%\"{0}\":%' THEN {1} ELSE '' END"
SHOWN = {  # what memories are grouped and narrowed by -> its value in a row of `notes`, or in one for each tag
    "type": "notes.type",
    "status": "status",
    "month": "substr(created, 1, 7)",  # of creation: YYYY-MM
    "topic": "notes.topic",
    "tag": "each.value",
    "project": _SAID.format("project", PROJECT),
    "actor": _SAID.format("actor", _NAMED.format("actor")),
}
WITH_TAGS = "notes, json_each(notes.tags) each"
ORDERS = {"newest": "created DESC, path", "oldest": "created, path DESC", "title": "title COLLATE NOCASE, path"}
OUTLINES = (
    f"SELECT path, title, type, status, topic, tags, {PROJECT}, {_NAMED.format('actor')}, created"  # noqa: S608
    " FROM notes WHERE kind='memory' AND {} IN (SELECT value FROM json_each(?)) ORDER BY created DESC, path"
)
TRAITS_OF = (
    "SELECT n.path, t.name, t.key, t.value, t.detail FROM traits t JOIN notes n ON n.rowid=t.source"
    " WHERE n.path IN (SELECT value FROM json_each(?)) ORDER BY 1, 2, 3, 4, 5"
)
LINKS_BY = (
    "SELECT n.path, l.target, l.predicate, l.line FROM links l JOIN notes n ON n.rowid=l.source"
    " WHERE {} IN (SELECT value FROM json_each(?)) ORDER BY 1, 4, 2, 3"
)
_OF_FILES = (
    "WITH asked(path) AS (SELECT value FROM json_each(?))"
    " SELECT path FROM notes WHERE path IN asked"
    " UNION SELECT file FROM notes WHERE kind<>'memory' AND file IN asked"
    " UNION SELECT file FROM amendments WHERE file IN asked"
    " UNION SELECT path FROM problems WHERE path IN asked"
)
_AMONG = "IN (SELECT value FROM json_each(?))"
_ROWS = (
    f"SELECT rowid, kind, path, title, aliases, type, category, topic, tags, body FROM notes WHERE rowid {_AMONG}"  # noqa: S608 - own literals
)
_ROWS_OF = (
    f"SELECT rowid FROM notes WHERE path {_AMONG} AND kind='memory'"  # noqa: S608 - own literals
    f" UNION ALL SELECT rowid FROM notes WHERE kind<>'memory' AND file {_AMONG}"
)
_DROP_ROWS = (
    f"DELETE FROM notes WHERE rowid {_AMONG}",  # noqa: S608 - own literals
    f"DELETE FROM links WHERE source {_AMONG}",  # noqa: S608 - own literals
    f"DELETE FROM traits WHERE source {_AMONG}",  # noqa: S608 - own literals
)
_DROP_OF_FILES = (
    f"DELETE FROM amendments WHERE file {_AMONG}",  # noqa: S608 - own literals
    f"DELETE FROM problems WHERE path {_AMONG}",  # noqa: S608 - own literals
)
_BESIDE = (
    "(SELECT json_group_array(path) FROM (SELECT path FROM notes WHERE session=p.session AND session<>''"
    " AND kind='memory' AND (created, path) {} (p.created, p.path)"
    " ORDER BY created {order}, path {order} LIMIT :reach))"
)
NEIGHBOURS = (
    "WITH places(path, session, created) AS (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),"  # noqa: S608 - own literals
    " json_extract(value, '$[2]') FROM json_each(:places))"
    f" SELECT path, {_BESIDE.format('<', order='DESC')}, {_BESIDE.format('>', order='ASC')} FROM places p"
)
_read_json = json.JSONDecoder().raw_decode  # of what `as_json` wrote; takes a third of the time of `json.loads`
_PROJECTS = 1000  # names that are kept in the form that they are shown in
_COMPRESSION = 1  # zlib's fastest level
_FACTS = "# facts"  # in any letter case; a note without this heading states none
OTHERS = "SELECT rowid FROM notes WHERE kind<>'memory'"  # has an index of its own, empty if all rows are memories


class NoteRows(NamedTuple):
    """The rows of a note, by table, and the facts it states. The times are "" if the note does not give them."""

    columns: dict[str, Any]
    words: tuple[str, ...]
    edges: list[tuple[str, str, int]]
    traits: list[Trait]
    problems: Sequence[Problem]
    facts: list[SourceRow]

    @property
    def is_dated(self) -> bool:
        """Whether the note says both when it was created and when it was updated."""
        return bool(self.columns["created"] and self.columns["updated"])


def insert(db: Database, made: NoteRows, created: str, updated: str) -> None:
    """Add the rows of a note. `created` and `updated` (RFC 3339) are used if the note does not give them."""
    times = {"created": made.columns["created"] or created, "updated": made.columns["updated"] or updated}
    rowid = _insert_row(db, made.columns | times, made.words)
    if made.edges:
        db.executemany("INSERT INTO links VALUES(?,?,?,?)", [(rowid, *edge) for edge in made.edges])
    if made.traits:
        db.executemany("INSERT INTO traits VALUES(?,?,?,?,?)", [(rowid, *trait) for trait in made.traits])
    if made.problems:
        add_problems(db, made.problems)
    facts = (fact._replace(created=fact.created or created) for fact in made.facts)
    insert_sources(db, made.columns["path"], facts)


def of_note(note: Memory) -> NoteRows:
    """The rows of a note."""
    from mdmem.store import registry

    life = {key: note.meta[key] for key in LIFE if note.meta.get(key) not in (None, "")}
    inline = hashtags.inline(note.body)
    name, title, aliases = note.name, note.title, note.aliases
    tags, category, topic = note.tags, note.text("category"), note.text("topic")
    columns = _columns(
        note.meta,
        title,
        note.body,
        *sensitivity.marking(note),
        path=note.path,
        kind=MEMORY,
        folded=memory.fold(name),
        id=note.id,
        type=note.type,
        status=note.status,
        category=category,
        topic=topic,
        session=note.text("session"),
        created=note.created,
        updated=note.updated,
        aliases=as_json(aliases) if aliases else None,
        tags=as_json(tags),
        inline=as_json(inline) if inline else None,
        life=as_json(life) if life else None,
        body_line=note.body_line,
    )
    body_links = list(links.to_notes(note.body))
    labels = hashtags.labels(note.type, category, topic, tags)
    words = _words(name, memory.titles(title, aliases), labels, note.body, body_links)
    traits = list(registry.traits(note))
    if memory.as_flag(note.meta.get(memory.ARCHIVED)):
        traits.append(Trait(memory.ARCHIVED, "true"))
    facts, problems = _facts(note)
    return NoteRows(
        columns, words, list(edges(note, body_links)), traits, [*note.problems, *problems], list(facts)
    )


def _facts(note: Memory) -> tuple[Iterable[SourceRow], Sequence[Problem]]:
    """The facts that a note with a topic states, and what is wrong with others."""
    if not (note.text("topic") and _FACTS in note.body.lower()):
        return (), ()
    from mdmem.note import facts

    told, problems = facts.of_memory(note)
    here = SourceRow(
        kind=FACT,
        file=note.path,
        id="",
        title="",
        text="",
        topic=_topic(note.text("topic")),
        session=note.text("session"),
        meta={"origin": note.text("origin")},
    )
    return (fact_row(fact, here) for fact in told), problems


def _topic(name: str) -> str:
    """The folder name of a topic, by which entries name it; the name itself if it cannot be a folder."""
    from mdmem.note import naming  # only notes with facts need it

    try:
        return naming.topic(name)
    except UsageError:
        return name


def fact_row(fact: Fact, place: SourceRow) -> SourceRow:
    """A fact as a row; `place` has what it shares with the other facts of its file."""
    from mdmem.note.facts import fact_id

    statement = " ".join(f"{fact.subject} {fact.relation} {fact.object}".split())
    meta = {
        "subject": fact.subject,
        "relation": fact.relation,
        "object": fact.object,
        "time_span": fact.time_span,
        "confidence": fact.confidence,
        "entry": fact.entry_id,
    }
    id = fact_id(fact)
    return place._replace(
        kind=FACT,
        id=id,
        fragment=id,
        title=statement,
        text=" ".join(fact.sentence.split()) or statement,
        type=fact.type,
        created=fact.entry_ts or place.created,
        meta={**place.meta, **meta} | ({} if fact.score is None else {"score": fact.score}),
        line=max(fact.line, 1),
        lines=(),
    )


def insert_sources(db: Database, source: str, made: Iterable[SourceRow | Amendment]) -> None:
    """Add the rows made from a source; of several rows with one key, only the first."""
    keys: set[str] = set()
    for row in made:
        if isinstance(row, Amendment):
            values = (source, row.topic, row.id, row.status, as_json(dict(row.meta)))
            db.execute("INSERT INTO amendments VALUES(?,?,?,?,?)", values)
        elif row.path not in keys:
            keys.add(row.path)
            insert_source(db, row)


class SourceRows:
    """Makes the rows of raw files, for one reading of a vault: as it is now, or as of a commit.

    The room that a raw file belongs to knows what it means, and registers a reader for it (see
    `store.registry.RowReader`). That room is not imported for a vault that has no such files.
    """

    def __init__(self, db: Database, read: Callable[[str], bytes | None], config: VaultConfig) -> None:
        """`read` returns the bytes of a file, None if it is gone; it raises NoteError."""
        self._db = db
        self._read = read
        self._config = config
        self._readers: list[RowReader] = []
        self._done: set[str] = set()

    def renew(self, path: str) -> None:
        """Make the rows that depend on a raw file again, once for all files of one source.

        Raises NoteError if a file cannot be read; the rows of its source then stay.
        """
        from mdmem.store import registry

        self._readers = self._readers or list(registry.row_readers(self._read, self._config))
        for reader in self._readers:
            for source in reader.sources(path):
                if source not in self._done:
                    made = list(reader.rows(source))
                    drop(self._db, [source])
                    insert_sources(self._db, source, made)
                    self._done.add(source)


def insert_source(db: Database, row: SourceRow) -> None:
    """Add a row that is not a memory. No row may have its key yet."""
    columns = _columns(
        row.meta,
        row.title,
        row.text,
        as_text(row.meta.get("sensitivity")),
        as_text(row.meta.get("scope")),
        path=row.path,
        kind=row.kind,
        file=row.file,
        folded=fold_target(row.path),
        lines=as_json(row.lines) if row.lines else None,
        id=row.id,
        type=row.type,
        status=row.status,
        category="",
        topic=row.topic,
        session=row.session,
        created=row.created,
        updated=row.created,
        tags=as_json(row.tags),
        body_line=row.line,
    )
    labels = hashtags.labels(row.type, "", row.topic, row.tags)
    _insert_row(db, columns, _source_words(row.title, labels, row.text))


def _insert_row(db: Database, columns: Mapping[str, Any], words: tuple[str, ...]) -> int:
    """Add a row and the words by which it is found; its number."""
    db.execute(_INSERT_NOTE, columns)
    ((rowid,),) = db.execute("SELECT last_insert_rowid()")
    db.execute(_INSERT_WORDS, (rowid, *words))
    return int(rowid)


def drop(db: Database, paths: Sequence[str], but_words: bool = False) -> None:
    """Delete the rows that came from the files at these paths, if there are any.

    With `but_words`, their words stay: the caller then searches for existing rows alone.
    """
    gone = db.column(_ROWS_OF, (json.dumps(paths),) * 2)
    for at in range(0, 0 if but_words else len(gone), AT_ONCE):
        db.executemany(_DELETE_WORDS, map(_words_of, db.among(_ROWS, gone[at : at + AT_ONCE])))
    for sql, values in ((_DROP_ROWS, gone), (_DROP_OF_FILES, paths)):
        for statement in sql:
            db.among(statement, values)


def _words_of(row: Sequence[Any]) -> tuple[Any, ...]:
    """The number of a stored row and its searched fields, from the columns of _ROWS_OF."""
    rowid, kind, path, title, aliases, type, category, topic, tags, packed = row
    labels = hashtags.labels(type, category, topic, json.loads(tags))
    titles = memory.titles(title, _listed(aliases))
    return rowid, *searched_fields(kind, path, titles, labels, unpacked(packed))


def known_of(db: Database, files: Sequence[str]) -> set[str]:
    """Those of the files that have rows; `drop` has nothing to do for the others."""
    return {path for (path,) in db.among(_OF_FILES, files)}


def add_problems(db: Database, problems: Iterable[Problem]) -> None:
    """Record problems with files."""
    rows = [(p.path, p.code, p.line, p.message, p.fix, p.severity) for p in problems]
    db.executemany("INSERT INTO problems VALUES(?,?,?,?,?,?)", rows)


def clear(db: Database) -> None:
    """Delete everything."""
    db.execute("INSERT INTO fts(fts) VALUES('delete-all')")
    for table in ("notes", "amendments", "links", "traits", "problems", "dirty", "state", *versions.TABLES):
        db.execute(f"DELETE FROM {table}")  # noqa: S608 - a literal of this line


def is_of(kinds: Kinds) -> str:
    """The SQL condition that a row is of one of the kinds, which are its parameters."""
    return f"kind IN ({','.join('?' * len(kinds))})"


def is_linked_by(predicate: str) -> str:
    """The SQL that restricts links to a predicate ("": any); links of all but "mentions" have an index."""
    has_index = " AND predicate<>'mentions'" if predicate != "mentions" else ""
    return f" AND predicate=?{has_index}" if predicate else ""


def is_found_of(kinds: Kinds) -> tuple[str, list[str]]:
    """The SQL condition that a row of `fts` is of one of the kinds, and its values; reads no row of a memory."""
    if MEMORY not in kinds:
        return f"+fts.rowid IN ({OTHERS} AND {is_of(kinds)})", list(kinds)  # "+": no search for each single row
    others = [kind for kind in ALL_KINDS if kind not in kinds]
    return f"fts.rowid NOT IN ({OTHERS} AND {is_of(others)})", others


def record_of(row: Sequence[Any], people: Container[str]) -> IndexedNote:
    """An IndexedNote of the columns RECORD, which are in the order of its fields; JSON may be read already.

    `people` are the addresses whose commits are trusted.
    """
    *named, tags, session, created, updated, meta, body_line, inline, kind, lines, committer = row
    foreign = bool(committer) and committer not in people
    read = _listed(tags), session, created, updated, _loaded(meta), body_line, _listed(inline)
    return IndexedNote._make([*named, *read, foreign, kind, _listed(lines), ""])


def outline_of(row: Sequence[Any]) -> Outline:
    """An Outline of the columns of OUTLINES, which are in the order of its fields."""
    path, title, type, status, topic, tags, project, actor, created = row
    named = intern(type or ""), intern(status or ""), intern(topic or ""), tuple(map(intern, _listed(tags)))
    return Outline(path, title, *named, shown_project(project), intern(str(actor)), created)


@lru_cache(_PROJECTS)
def shown_project(written: str | float) -> str:
    return project_of({"project": written})


def text_of(row: Sequence[Any]) -> NoteText:
    """A NoteText of the columns TEXT, most of which are in the order of its fields; JSON may be read already."""
    own, validity = row[: -len(VALIDITY)], row[-len(VALIDITY) :]
    *named, tags, topic, status, dialog, created, life, body_line, body, kind, inline, aliases = own
    text = body if isinstance(body, str) else unpacked(body)
    in_text = _listed(inline) if kind == MEMORY else hashtags.inline(text)
    every = tuple(dict.fromkeys([*_listed(tags), *in_text]))
    read = topic, status, dialog, created, _loaded(life) or {}, body_line, text, kind
    valid = {key: json.loads(said) for key, said in zip(VALIDITY, validity, strict=True) if said}
    return NoteText._make([*named, every, *read, valid, _listed(aliases)])


def unpacked(data: bytes) -> str:
    """Decompress a text."""
    return zlib.decompress(data).decode()


def as_json(value: object) -> str:
    """A value as JSON in the form that the index stores."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _loaded(value: Any) -> Any:
    """The value of a column that holds JSON."""
    return _read_json(value)[0] if isinstance(value, str) else value


def _listed(value: Any) -> tuple[Any, ...]:
    """The items of a column that holds a list as JSON, or NULL for an empty one."""
    return tuple(_loaded(value)) if value else ()


def _columns(
    meta: Mapping[str, Any], title: str, text: str, level: str, scope: str, **columns: Any
) -> dict[str, Any]:
    """The columns of a row: the given ones, those from its properties and its text, and NULL for the others."""
    import hashlib

    digest = hashlib.blake2b(f"{title}\n{text.strip()}".encode(), digest_size=16).digest()
    return {
        **dict.fromkeys(_COLUMNS),
        **columns,
        "title": title,
        "sensitivity": level or None,
        "scope": scope or None,
        "meta": as_json(dict(meta)),
        **{key: as_json(meta[key]) for key in VALIDITY if meta.get(key) not in (None, "", [])},
        "body": zlib.compress(text.encode(), _COMPRESSION),
        "digest": digest,
    }


def searched_fields(kind: str, path: str, titles: str, labels: Sequence[str], body: str) -> tuple[str, ...]:
    """The searched fields of a stored row, in the order of FIELDS.

    `titles` are its title and aliases, `labels` say what it is about.
    """
    if kind == MEMORY:
        return _words(memory.stem(path), titles, labels, body, list(links.to_notes(body)))
    return _source_words(titles, labels, body)


def _words(
    name: str, titles: str, labels: Sequence[str], body: str, body_links: Iterable[Link]
) -> tuple[str, ...]:
    """The searched fields of a note, in the order of FIELDS."""
    from mdmem.note import blocks

    headings = "\n".join(heading.text for heading in blocks.headings(body))
    linked = " ".join(memory.stem(link.target).replace("_", " ") for link in body_links)
    fields = (name.replace("_", " "), titles, " ".join(labels), headings, linked, body)
    return tuple(segment.spaced(text) for text in fields)


def _source_words(title: str, labels: Sequence[str], text: str) -> tuple[str, ...]:
    """The searched fields of a row that is not a memory: it has no name, headings or links."""
    return tuple(segment.spaced(field) for field in ("", title, " ".join(labels), "", "", text))

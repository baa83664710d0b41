"""The catalogue in SQLite: notes are added, removed and queried.

It knows nothing of files or git; `index.freshness` keeps it fresh. Row numbers do not leave this package.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from mdmem.errors import Problem
from mdmem.note import memory
from mdmem.note.trust.sensitivity import EVERYTHING, Clearance
from mdmem.store.config import VaultConfig
from mdmem.store.index import concealment, rows, versions
from mdmem.store.index.concealment import NOTHING, Concealed
from mdmem.store.index.database import Database
from mdmem.store.index.port import (
    ALL_KINDS,
    AT_ONCE,
    FACT,
    FIELDS,
    MEMORIES,
    MEMORY,
    Catalogue,
    Edition,
    IndexedNote,
    Kinds,
    Neighbours,
    NoteText,
    Outline,
    RecordsAt,
    Trait,
    Version,
)

if TYPE_CHECKING:
    from typing import Self

    from mdmem.note.memory import Memory

_T = TypeVar("_T")

_BEGINNING = (
    "SELECT json_extract(value, '$[0]'), term, doc FROM json_each(?) CROSS JOIN {}"
    " WHERE term >= json_extract(value, '$[0]') AND term < json_extract(value, '$[1]')"
)
_RANK = "bm25(fts, " + ", ".join(str(weight) for weight in FIELDS.values()) + ")"  # a third faster than fts.rank


class SqliteCatalogue(Catalogue):
    """The rows of one vault that the reader may see, without the names of the others: a `port.Catalogue`.

    It also answers about the commits that touched memories and the files of other rows, by path. Callers run
    methods that write within a transaction.
    """

    _THERE = ""  # a further condition that what is found in `fts` is a row

    def __init__(self, db: Database, people: Callable[[], Set[str]] = frozenset) -> None:
        """`people` returns the e-mail addresses whose commits are trusted; called for the first record."""
        self._db = db
        self._people = cache(people)
        self._kept: dict[str, dict[Any, Any]] = {}
        self._kept_since: Edition | None = None
        self._clearance = EVERYTHING
        self._hidden = self._besides = NOTHING
        self._hidden_at: Edition | None = None  # the state in which `_hidden` was found out

    def seen_with(self, clearance: Clearance, besides: Concealed = NOTHING) -> Self:
        """The catalogue as a reader with this clearance may see it; `besides` is hidden for other reasons."""
        if clearance.is_full:
            return self
        from copy import copy

        seen = copy(self)
        seen._clearance, seen._hidden_at, seen._besides = clearance, None, besides
        seen._kept, seen._kept_since = {}, None
        return seen

    @classmethod
    def in_memory(cls) -> SqliteCatalogue:
        """An empty catalogue in memory, gone when closed."""
        from mdmem.store.index import database

        return cls(Database(database.connect(":memory:", print)))

    @property
    def is_kept(self) -> bool:
        """Whether the catalogue is in a file, and not in memory because the file cannot be used."""
        return any(file for _, _, file in self._db.execute("PRAGMA database_list"))

    def close(self) -> None:
        self._db.close()

    def retry_as_one(self, action: Callable[[], _T], heal: bool = True) -> _T:
        return self._db.retry_as_one(action, heal)

    def edition(self) -> Edition:
        """A value that differs as soon as anything in the catalogue may differ."""
        return self._db.edition()

    def kept(self, what: str) -> dict[Any, Any]:
        edition = self.edition()
        if edition != self._kept_since:
            self._kept, self._kept_since = {}, edition
        return self._kept.setdefault(what, {})

    @property
    def concealed(self) -> Concealed:
        """The rows that the reader may not see now."""
        if self._clearance.is_full:
            return NOTHING
        edition = self.edition()
        if edition != self._hidden_at:
            self._hidden = concealment.concealed(self._db, self._clearance).together(self._besides)
            self._hidden_at = edition
        return self._hidden

    # -- writing -------------------------------------------------------------------------------------------

    def insert(self, note: Memory, created: str, updated: str) -> None:
        """Add a note and the facts it states. `created` and `updated` (RFC 3339) are used if it has none."""
        rows.insert(self._db, rows.of_note(note), created, updated)

    def reader(self, read: Callable[[str], bytes | None], config: VaultConfig) -> rows.SourceRows:
        """Builds rows from raw files; `read` returns their bytes."""
        return rows.SourceRows(self._db, read, config)

    def drop(self, paths: Sequence[str]) -> None:
        """Delete the rows that came from the files at these paths, if there are any."""
        rows.drop(self._db, paths)

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Record problems with files."""
        rows.add_problems(self._db, problems)

    def copy_into(self, db: sqlite3.Connection) -> None:
        """Copy all tables into an empty database."""
        self._db.copy_into(db)

    # -- records -------------------------------------------------------------------------------------------

    def sizes(self) -> Mapping[str, int]:
        others = dict(self._db.execute("SELECT kind, count(*) FROM notes WHERE kind<>'memory' GROUP BY kind"))
        ((total,),) = self._db.execute("SELECT count(*) FROM fts_docsize")  # the smallest table
        found = Counter({**others, MEMORY: int(total) - sum(others.values())})
        if hidden := self.concealed.paths:
            of_hidden = "SELECT kind FROM notes WHERE path IN (SELECT value FROM json_each(?))"
            found.subtract(self._db.column(of_hidden, (json.dumps(list(hidden)),)))
        return found

    def select(self, kinds: Kinds, name: str = "", id: str = "", newest: bool = False) -> Iterator[IndexedNote]:
        given = [(column, value) for column, value in (("folded", name), ("id", id)) if value]
        condition = " AND ".join([*(f"{column}=?" for column, _ in given), rows.is_of(kinds)])
        order = "created DESC, path" if newest else "path"
        find = self._records if given else self._every
        return find(f"WHERE {condition} ORDER BY {order}", (*(value for _, value in given), *kinds))

    def marked(self, category: str, tags: str, importance: float = 0.0) -> Iterator[IndexedNote]:
        """Those of a category, with `tags` in a tag, pinned, or as important; newest first."""
        known = "life LIKE '%\"importance\"%'"
        enough = f"CASE WHEN {known} THEN CAST(json_extract(life, '$.importance') AS REAL) >= ? END"
        matters = f"life LIKE '%\"pinned\"%' OR {enough}"
        condition = f"WHERE kind='memory' AND (category=? OR tags LIKE ? OR {matters})"
        return self._every(f"{condition} ORDER BY created DESC, path", (category, f"%{tags}%", importance))

    def of(self, column: str, *values: str) -> Iterator[IndexedNote]:
        """Those with one of some values in a column, such as "type" or "category", newest first."""
        is_one = f"{column} IN ({', '.join('?' * len(values))})"
        return self._every(f"WHERE kind='memory' AND {is_one} ORDER BY created DESC, path", values)

    def records_at(self, paths: Sequence[str]) -> list[IndexedNote]:
        known = {row[0]: self._record(row, self._hidden) for row in self._rows_at(rows.RECORD, paths)}
        return [known[path] for path in paths if path in known]

    def outlines(self, of: Iterable[str], column: str = "path") -> Iterator[Outline]:
        """The memories with such values in a column; those for some hundred values are in memory at a time."""
        keys, hidden = sorted(of), self.concealed
        for at in range(0, len(keys), AT_ONCE):
            part = self._db.among(rows.OUTLINES.format(column), keys[at : at + AT_ONCE])
            outlines = (rows.outline_of(row) for row in part if row[0] not in hidden.paths)
            yield from map(hidden.outline, outlines) if hidden.paths else outlines

    def has_any(self, trait: str) -> bool:
        """Whether a memory has a value of a trait, one of `rows.SHOWN`."""
        condition, values = self._having()
        table = rows.WITH_TAGS if trait == "tag" else "notes"
        sql = f"SELECT 1 FROM {table} WHERE {condition} AND {rows.SHOWN[trait]}<>'' LIMIT 1"  # noqa: S608
        return bool(self._db.column(sql, values))

    def belonging(self, by: str) -> list[tuple[str, str, str]]:
        """(path, the folded name for it in links, project, topic or tag) of every memory, `by` which of these.

        The last is "" for a memory that has none; one with several tags is there with each.
        """
        condition, values = self._having()
        table = rows.WITH_TAGS.replace(", ", " LEFT JOIN ") if by == "tag" else "notes"
        sql = f"SELECT notes.path, folded, {rows.SHOWN[by]} FROM {table} WHERE {condition}"  # noqa: S608
        return [(path, folded, self._said(by, name)) for path, folded, name in self._db.execute(sql, values)]

    def listed(self, on: Mapping[str, str], since: str, order: str, start: int, most: int) -> list[str]:
        """The paths of some memories with these values, as `tally`, in one of `rows.ORDERS`."""
        condition, values = self._having(on, since)
        sql = f"SELECT notes.path FROM notes WHERE {condition} ORDER BY {rows.ORDERS[order]} LIMIT ? OFFSET ?"  # noqa: S608
        return self._db.column(sql, (*values, most, start))

    def _having(self, on: Mapping[str, str] = MappingProxyType({}), since: str = "") -> tuple[str, list[str]]:
        """The SQL condition that the reader may see a memory with these values, and its parameters."""
        conditions, values = ["notes.kind='memory'", "created>=?"], [since]
        if hidden := self.concealed.paths:
            conditions.append("notes.path NOT IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(sorted(hidden)))
        for trait, wanted in on.items():
            if trait == "tag":
                conditions.append("EXISTS (SELECT 1 FROM json_each(notes.tags) own WHERE own.value=?)")
                values.append(wanted)
            else:
                column = rows.SHOWN[trait]
                conditions.append(f"{column} IN (SELECT value FROM json_each(?))")  # noqa: S608
                written = self._db.column(f"SELECT DISTINCT {column} FROM notes WHERE kind='memory'")  # noqa: S608
                values.append(json.dumps([value for value in written if self._said(trait, value) == wanted]))
        return " AND ".join(conditions), values

    def _said(self, trait: str, written: Any) -> str:
        """A value of `rows.SHOWN` as the reader may see it."""
        said = rows.shown_project(written) if trait == "project" else str(written or "")
        return self.concealed.redact(said) if trait in ("project", "actor") else said

    def with_property(self, name: str) -> Iterator[IndexedNote]:
        """The memories that have a property, of some plain name."""
        return self._records("WHERE kind='memory' AND meta LIKE ? ORDER BY path", (f'%"{name}":%',))

    def of_projects(self, is_wanted: Callable[[str], bool]) -> Iterator[IndexedNote]:
        """The memories of those projects whose name `is_wanted`, newest first."""
        has_one = f"kind='memory' AND meta LIKE '%\"project\":%' AND {rows.PROJECT}"
        known = self._db.execute(f"SELECT DISTINCT {rows.PROJECT} FROM notes WHERE {has_one}<>''")  # noqa: S608 - own literals
        wanted = [name for (name,) in known if is_wanted(memory.project_of({"project": name}))]
        clauses = f"WHERE {has_one} IN (SELECT value FROM json_each(?)) ORDER BY created DESC, path"  # noqa: S608
        return self._every(clauses, (json.dumps(wanted),)) if wanted else iter(())

    def names(self) -> list[str]:
        """The names of all memories, each once, sorted."""
        paths = self._db.column(f"SELECT path FROM notes WHERE rowid NOT IN ({rows.OTHERS})")  # noqa: S608 - own literals
        return sorted({memory.stem(path) for path in self.shown(paths)})

    def homes(self, ids: Iterable[str]) -> dict[str, list[str]]:
        """id -> the paths of the memories with that id, for those of the ids that any has."""
        among = "id IN (SELECT value FROM json_each(?))"
        sql = f"SELECT id, path FROM notes WHERE kind='memory' AND {among} ORDER BY path"  # noqa: S608 - own literals
        hidden, found = self.concealed.paths, dict[str, list[str]]()
        for id, path in self._db.among(sql, ids):
            if path not in hidden:
                found.setdefault(id, []).append(path)
        return found

    def with_trait(self, name: str, key: str = "") -> list[tuple[str, Trait]]:
        wanted = "t.name=? AND t.key=?" if key else "t.name=?"
        sql = f"SELECT n.path, t.* FROM traits t JOIN notes n ON n.rowid=t.source WHERE {wanted} ORDER BY n.path"  # noqa: S608 - own literals
        found = self._db.execute(sql, (name, key) if key else (name,))
        return [(path, Trait(*trait)) for path, _, *trait in found]

    def property_names(self, kinds: Kinds = MEMORIES) -> set[str]:
        if self.concealed.paths:
            return {key for record in self.records(kinds) for key in record.meta}
        sql = f"SELECT DISTINCT key FROM notes, json_each(meta) WHERE {rows.is_of(kinds)}"  # noqa: S608 - own literals
        names = self._db.column(sql, kinds)
        if set(kinds) != {MEMORY}:
            names += self._db.column("SELECT DISTINCT key FROM amendments, json_each(meta)")
        return set(names)

    def committers(self) -> dict[str, int]:
        """e-mail address, in lower case -> number of memories whose last version it committed."""
        sql = f"SELECT path, {versions.COMMITTER} FROM notes WHERE kind='memory'"  # noqa: S608 - own literals
        hidden = self.concealed.paths
        return dict(Counter(who for path, who in self._db.execute(sql) if who and path not in hidden))

    def problems(self) -> list[Problem]:
        """The problems found when files were read."""
        hidden = self.concealed
        problems = self._db.execute(
            "SELECT code, path, line, message, fix, severity FROM problems ORDER BY path, line"
        )
        shown = (Problem(*problem) for problem in problems)
        return [
            each._replace(message=hidden.redact(each.message), fix=hidden.redact(each.fix))
            for each in shown
            if each.path not in hidden.paths
        ]

    def not_facts(self) -> list[Problem]:
        """The bullets in the Facts sections of notes that are not facts."""
        return [problem for problem in self.problems() if problem.code == FACT]

    # -- texts ---------------------------------------------------------------------------------------------

    def texts(self, paths: Sequence[str]) -> dict[str, NoteText]:
        found = map(rows.text_of, self._rows_at(rows.TEXT, paths))
        return {text.path: self._hidden.text(text) for text in found}

    def digests(self, kinds: Kinds = MEMORIES) -> dict[str, bytes]:
        sql = f"SELECT path, digest FROM notes WHERE {rows.is_of(kinds)} ORDER BY rowid"  # noqa: S608
        hidden = self.concealed.paths
        return {path: digest for path, digest in self._db.execute(sql, tuple(kinds)) if path not in hidden}

    def marks(self) -> dict[str, str]:
        """path -> checksum of everything that a memory says, by path."""
        import hashlib

        hidden = self.concealed
        states = self._db.execute(
            "SELECT path, id, created, meta, digest, substr(body, -4) FROM notes WHERE kind='memory' ORDER BY path"
        )
        return {
            path: hashlib.sha256(f"{id}\0{created}\0{meta}\0".encode() + digest + end).hexdigest()[:32]
            + hidden.mark
            for path, id, created, meta, digest, end in states
            if path not in hidden.paths
        }

    def neighbours(self, of: Iterable[NoteText], reach: int) -> dict[str, Neighbours]:
        notes = [(note.path, note.dialog, note.created) for note in of if note.dialog and note.kind == MEMORY]
        values = {"places": rows.as_json(notes), "reach": reach}
        around = self._db.execute(rows.NEIGHBOURS, values) if notes else ()
        return {
            path: (self.shown(json.loads(before)), self.shown(json.loads(after))) for path, before, after in around
        }

    # -- links ---------------------------------------------------------------------------------------------

    def links_to(self, targets: Iterable[str], predicate: str = "") -> list[tuple[IndexedNote, int]]:
        wanted = list(targets)
        marks = ",".join("?" * len(wanted))
        sql = (
            f"SELECT {rows.RECORD}, line FROM notes JOIN (SELECT DISTINCT source, line FROM links"  # noqa: S608
            f" WHERE target IN ({marks}){rows.is_linked_by(predicate)}) ON notes.rowid=source ORDER BY path, line"
        )
        hidden = self.concealed
        linking = self._db.execute(sql, [*wanted, predicate] if predicate else wanted)
        return [(self._record(row, hidden), line) for *row, line in linking if row[0] not in hidden.paths]

    def all_links(self) -> Iterator[tuple[str, str, str, int]]:
        """(path of the source, folded target, predicate, line) of every link, by path and line."""
        every = self._db.execute(
            "SELECT n.path, l.target, l.predicate, l.line FROM links l JOIN notes n ON n.rowid=l.source"
            " ORDER BY n.path, l.line, l.target"
        )
        return self.concealed.links(every)

    # -- words ---------------------------------------------------------------------------------------------

    def search(
        self,
        expression: str,
        limit: int,
        spans: Collection[tuple[str, str]] | None = None,
        kinds: Kinds = MEMORIES,
    ) -> list[str]:
        joined = ""
        within, values = rows.is_found_of(kinds)
        within += self._THERE
        if spans:
            joined = " JOIN notes n ON n.rowid=fts.rowid"
            within += f" AND ({' OR '.join(['n.created BETWEEN ? AND ?'] * len(spans))})"
            values += [end for span in spans for end in span]
        best = (
            f"SELECT fts.rowid AS at, {_RANK} AS score FROM fts{joined}"  # noqa: S608 - own literals
            f" WHERE fts MATCH ? AND {within} ORDER BY score LIMIT ?"
        )
        sql = f"SELECT path FROM ({best}) CROSS JOIN notes ON notes.rowid=at ORDER BY score"  # noqa: S608 - own literals
        return self._best(limit, sql, (expression, *values))

    def matching(self, expression: str) -> int:
        return int(self._db.execute("SELECT count(*) FROM fts WHERE fts MATCH ?", (expression,))[0][0])

    def created_within(self, first: str, last: str, limit: int, kinds: Kinds = MEMORIES) -> list[str]:
        within = f"created BETWEEN ? AND ? AND {rows.is_of(kinds)}"
        sql = f"SELECT path FROM notes WHERE {within} ORDER BY created DESC, path LIMIT ?"  # noqa: S608 - own literals
        return self._best(limit, sql, (first, last, *kinds))

    def _best(self, limit: int, sql: str, values: Sequence[object]) -> list[str]:
        """The first `limit` keys (-1: all) that a query finds and the reader may see."""
        most = limit if limit < 0 else limit + len(self.concealed.paths)
        found = self.shown(self._db.column(sql, (*values, most)))
        return found if limit < 0 else found[:limit]

    def years(self) -> tuple[int, int]:
        ((first, last),) = self._db.execute("SELECT min(created), max(created) FROM notes WHERE created<>''")
        return (int(first[:4]), int(last[:4])) if first else (0, 0)

    def frequencies(self, stems: Sequence[str]) -> dict[str, int]:
        marks = ",".join("?" * len(stems))
        sql = f"SELECT term, doc FROM {self._vocabulary()} WHERE term IN ({marks})"  # noqa: S608
        return dict(self._db.execute(sql, list(stems)))

    def vocabulary(self, beginnings: Sequence[str]) -> dict[str, dict[str, int]]:
        ranges = [(beginning, beginning + "\U0010ffff") for beginning in beginnings]
        known: dict[str, dict[str, int]] = {beginning: {} for beginning in beginnings}
        for beginning, stem, count in self._db.among(_BEGINNING.format(self._vocabulary()), ranges):
            known[beginning][stem] = count
        return known

    def _vocabulary(self) -> str:
        self._db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab('main','fts','row')")
        return "temp.vocabulary"

    def tally(
        self, *traits: str, on: Mapping[str, str] = MappingProxyType({}), since: str = ""
    ) -> list[tuple[Any, ...]]:
        """(value of each trait ..., number of memories that have them), the most frequent first, then by value.

        A trait is one of `rows.SHOWN`. Only memories created since a day count, and with values `on` some traits.
        """
        condition, values = self._having(on, since)
        columns = ", ".join(rows.SHOWN[trait] for trait in traits)
        table = rows.WITH_TAGS if "tag" in traits else "notes"
        sql = (
            f"SELECT {columns}, count(*) AS number FROM {table} WHERE {condition}"  # noqa: S608 - own literals
            f" GROUP BY {columns} ORDER BY number DESC, {columns}"
        )
        return [(*map(self._said, traits, row), number) for *row, number in self._db.execute(sql, values)]

    # -- commits -------------------------------------------------------------------------------------------

    def versions(self, path: str) -> list[Version]:
        """The committed versions of a file, the latest first, also under its former names."""
        return versions.of(self._db, path)

    def commits_of(self, paths: Iterable[str]) -> set[str]:
        """The commits that changed the file at any of some paths."""
        sql = 'SELECT "commit" FROM versions WHERE path IN (SELECT value FROM json_each(?))'
        return {oid for (oid,) in self._db.among(sql, paths)}

    def changed_in(self, commits: Iterable[str]) -> dict[str, list[str]]:
        """path -> those of the commits that changed the file there, the oldest first."""
        sql = (
            'SELECT path, "commit" FROM versions WHERE "commit" IN (SELECT value FROM json_each(?)) ORDER BY place'
        )
        hidden = self.concealed.paths
        changing: dict[str, list[str]] = {}
        for path, commit in self._db.among(sql, commits):
            if path not in hidden:
                changing.setdefault(path, []).append(commit)
        return changing

    def changes_in(self, commits: Iterable[str]) -> dict[str, list[tuple[str, str, str]]]:
        """commit -> its changes (path, blob before, blob after), for those of which the index knows all."""
        return versions.changes_in(self._db, commits)

    def origins(self) -> dict[str, set[str]]:
        """path -> the former paths of the files that were moved there."""
        found: dict[str, set[str]] = {}
        for path, origin in self._db.execute("SELECT path, origin FROM versions WHERE origin<>''"):
            found.setdefault(path, set()).add(origin)
        return found

    def vacated(self) -> dict[str, str]:
        """path -> the last commit that moved or deleted the file there."""
        sql = """SELECT path, "commit", max(place) FROM versions WHERE blob='' GROUP BY path"""
        return {path: commit for path, commit, _ in self._db.execute(sql)}

    def born(self, path: str, deleting: str) -> int | None:
        """When the file that the commit `deleting` deletes ("": none does) was first committed (Unix seconds)."""
        sql = 'SELECT seconds FROM versions WHERE path=? AND "commit"=?'
        row = self._db.execute(sql, (path, deleting))
        return (row and versions.times(self._db, path, row[0][0])[0]) or versions.times(self._db, path)[0]

    # -- the rows of some files, to copy them elsewhere ----------------------------------------------------

    def keys(self, files: Collection[str] | None = None, kinds: Kinds = ALL_KINDS) -> list[str]:
        """The keys of all rows, or of the rows of some files, sorted."""
        wanted = "SELECT path FROM notes WHERE kind IN (SELECT value FROM json_each(?))"
        values = [json.dumps(list(kinds))]
        if files is not None:
            wanted += " AND ifnull(file, path) IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(list(files)))
        return sorted(self.shown(self._db.column(wanted, values)))

    def traits_of(self, paths: Sequence[str]) -> Iterator[tuple[str, Trait]]:
        """(path, trait) of each trait of the memories at `paths`, in order."""
        for path, *trait in self._db.among(rows.TRAITS_OF, paths):
            yield path, Trait(*trait)

    def links_from(self, paths: Sequence[str]) -> Iterator[tuple[str, str, str, int]]:
        """The links in the memories at `paths`, as `all_links` yields them."""
        return self.concealed.links(self._db.among(rows.LINKS_BY.format("n.path"), paths))

    def links_into(self, targets: Sequence[str]) -> Iterator[tuple[str, str, str, int]]:
        """The links to some folded targets, as `all_links` yields them."""
        return self.concealed.links(self._db.among(rows.LINKS_BY.format("l.target"), targets))

    def committers_of(self, paths: Sequence[str]) -> dict[str, str]:
        """key -> e-mail address, in lower case, of the last committer of its file, if it has one."""
        told = self._db.among(versions.COMMITTERS_OF, paths)
        return {path: address for path, address in told if address}

    def heirs(self, paths: Iterable[str]) -> set[str]:
        """`paths`, and all paths that their files were renamed to."""
        return versions.heirs(self._db, paths)

    def trust(self) -> dict[str, tuple[str, str]]:
        """key -> (level, scope) of each row that restricts who may see it, or is derived from one that does."""
        return concealment.trust(self._db)

    def shown(self, paths: Iterable[str]) -> list[str]:
        """The paths that the reader may see."""
        hidden = self.concealed.paths
        return [path for path in paths if path not in hidden]

    # -- helpers -------------------------------------------------------------------------------------------

    @property
    def people(self) -> Set[str]:
        """The e-mail addresses, in lower case, whose commits are trusted."""
        return self._people()

    def _record(self, row: Sequence[Any], hidden: Concealed) -> IndexedNote:
        return hidden.record(rows.record_of(row, self.people))

    def _records(self, clauses: str, values: Sequence[object] = ()) -> Iterator[IndexedNote]:
        sql = f"SELECT {rows.RECORD} FROM notes {clauses}"  # noqa: S608 - own literals
        hidden = self.concealed
        for row in self._db.execute(sql, values):
            if row[0] not in hidden.paths:
                yield self._record(row, hidden)

    def _every(self, clauses: str, values: Sequence[object]) -> Iterator[IndexedNote]:
        """The records that a query of many selects; some hundred of them are in memory at a time."""
        keys = self._db.column(f"SELECT path FROM notes {clauses}", values)  # noqa: S608 - own literals
        return iter(RecordsAt(self, keys))

    def _rows_at(self, columns: str, paths: Sequence[str]) -> Sequence[Sequence[Any]]:
        wanted = self.shown(paths)
        sql = f"SELECT {columns} FROM notes WHERE path IN (SELECT value FROM json_each(?))"  # noqa: S608 - own literals
        return self._db.among(sql, wanted) if wanted else ()

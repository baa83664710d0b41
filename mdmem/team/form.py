"""Converts the rows of a catalogue to the form in which a team's index stores them.

Everything comes from a catalogue limited by a clearance; no note is parsed again. PostgreSQL stores no NUL
character and no lone surrogate in a text: both become U+FFFD, the replacement character.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.note import memory, tags
from mdmem.note.trust import sensitivity
from mdmem.store.index import rows as local
from mdmem.store.index import stemming
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.index.port import FIELDS, MEMORY, IndexedNote, NoteText
from mdmem.team.schema import LONGEST_KEY, LONGEST_PATH, LONGEST_STEM, VaultPartitions
from mdmem.team.server import Server

AT_ONCE = 500  # rows that are read, stemmed and sent together
_NUL = "\ufffd"
_ORDINARY = (sensitivity.UNMARKED, "")

_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
Trust = Mapping[str, tuple[str, str]]  # key -> (level, scope), for rows that are not ordinary


class NoteRow(NamedTuple):
    """One row of the table `notes`; see `schema.COMMENTS`."""

    vault: str
    path: str
    kind: str
    file: str
    lines: list[int]
    name: str
    id: str
    title: str
    type: str
    status: str
    category: str
    topic: str
    tags: list[str]
    inline_tags: list[str]
    session: str
    created: str
    updated: str
    sensitivity: str
    scope: str
    committer: str
    properties: str
    life: str | None
    validity: str | None
    body_line: int
    body: str
    digest: bytes | None
    mark: bytes = b""


class PublishedRow(NamedTuple):
    """All that is published of one row: the row itself, its searched fields, its links and its traits."""

    note: NoteRow
    fields: tuple[str, ...]
    links: list[tuple[Any, ...]]
    traits: list[tuple[Any, ...]]


class WordsRow(NamedTuple):
    """One row of the table `words`."""

    vault: str
    path: str
    kind: str
    scope: str
    created: str
    length: int
    stems: Mapping[str, float]
    places: str

    @property
    def columns(self) -> tuple[Any, ...]:
        """The values of the row as they are sent."""
        return tuple(self._replace(stems=_compact(self.stems)))  # type: ignore[arg-type]


class PublishedReader:
    """Reads the rows of one vault from a catalogue limited by a clearance."""

    def __init__(self, vault: str, catalogue: SqliteCatalogue) -> None:
        self.vault = vault
        self._catalogue = catalogue
        self.digests = {path: digest for path, digest in catalogue.digests().items() if is_storable(path)}
        self._committers: Mapping[str, str] = {}
        self.trust: Trust = catalogue.trust()

    def read(self, keys: Sequence[str]) -> Iterator[PublishedRow]:
        """The rows with those keys that exist and that PostgreSQL can store. Pass some hundred keys at a time."""
        keys = [key for key in keys if is_storable(key)]
        texts = self._catalogue.texts(keys)
        self._committers = self._catalogue.committers_of(keys)
        links: dict[str, list[tuple[Any, ...]]] = {}
        for path, target, predicate, line in self._catalogue.links_from(keys):
            links.setdefault(path, []).append((target, predicate, line))
        traits: dict[str, list[tuple[Any, ...]]] = {}
        for path, trait in self._catalogue.traits_of(keys):
            traits.setdefault(path, []).append(tuple(trait))
        for record in self._catalogue.records_at(keys):
            key = record.path
            yield self._row(record, texts[key], links.get(key, []), traits.get(key, []))

    def scope_of(self, key: str) -> str:
        """The scope of a row, in the form in which it is published."""
        return as_key(self.trust.get(key, _ORDINARY)[1])

    def _row(
        self, record: IndexedNote, text: NoteText, links: list[tuple[Any, ...]], traits: list[tuple[Any, ...]]
    ) -> PublishedRow:
        note = self._note(record, text)
        labels = tags.labels(record.type, record.category, record.topic, record.tags)
        fields = local.searched_fields(record.kind, record.path, text.titles, labels, text.body)
        started = (note.vault, note.path, note.scope)
        made = PublishedRow(
            note,
            fields,
            [(*started, as_key(target), *map(storable, rest)) for target, *rest in links],
            [(*started, name, as_key(key), *map(storable, rest)) for name, key, *rest in traits],
        )
        return made._replace(note=note._replace(mark=_mark(made)))

    def _note(self, record: IndexedNote, text: NoteText) -> NoteRow:
        name = memory.fold(memory.stem(record.path)) if record.kind == MEMORY else record.id
        columns = {
            **{column: getattr(record, column) for column in _SAME},
            "vault": self.vault,
            "lines": list(record.lines),
            "name": as_key(name),
            "id": as_key(record.id),
            "session": as_key(record.session),
            "tags": list(record.tags),
            "inline_tags": list(record.inline_tags),
            "sensitivity": self.trust.get(record.path, _ORDINARY)[0],
            "scope": self.scope_of(record.path),
            "committer": self._committers.get(record.path, ""),
            "properties": _as_json(dict(record.meta)),
            "life": _as_json(dict(text.life)) if text.life else None,
            "validity": _as_json(dict(text.validity)) if text.validity else None,
            "body": text.body,
            "digest": self.digests.get(record.path),
        }
        return NoteRow(**{name: storable(value) for name, value in columns.items()})


_SAME = (
    *("path", "kind", "file", "title", "type", "status", "category", "topic", "created", "updated"),
    "body_line",
)


def words_of(rows: Sequence[PublishedRow]) -> list[WordsRow]:
    """The rows of the table `words` for some rows."""
    made = []
    for row, fields in zip(rows, stemming.in_order([row.fields for row in rows]), strict=True):
        stems = [field.split() for field in fields]
        note = row.note
        made.append(
            WordsRow(
                vault=note.vault,
                path=note.path,
                kind=note.kind,
                scope=note.scope,
                created=note.created,
                length=sum(map(len, stems)),
                stems=weighed(stems),
                places="\n".join(fields),
            )
        )
    return made


def weighed(fields: Sequence[Sequence[str]]) -> dict[str, float]:
    """stem -> how often it occurs in the fields of a row, each occurrence weighted by its field."""
    counts: Counter[str] = Counter()
    for stems, weight in zip(fields, FIELDS.values(), strict=True):
        for stem, count in Counter(stems).items():
            counts[stem] += weight * count  # type: ignore[assignment]
    return {stem: count for stem, count in counts.items() if len(stem) <= LONGEST_STEM // 4 or _is_short(stem)}


def _is_short(stem: str) -> bool:
    return len(stem.encode("utf-8", "replace")) <= LONGEST_STEM


def storable(value: Any) -> Any:
    """A value in which PostgreSQL can store all texts: NUL characters and lone surrogates are replaced."""
    if isinstance(value, str):
        if not value.isascii() or "\0" in value:
            text = value.replace("\0", _NUL)
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value
    if isinstance(value, list):
        return [storable(item) for item in value]
    return value


def is_storable(path: str) -> bool:
    """Whether PostgreSQL can store and index a path unchanged."""
    return path == storable(path) and len(path.encode("utf-8", "replace")) <= LONGEST_PATH


def as_key(text: str) -> str:
    """A text for a column that is looked up. If it is too long for an index, it is cut, with a digest appended."""
    kept = str(storable(text))
    return kept if len(kept) <= LONGEST_KEY else kept[:LONGEST_KEY] + hashlib.sha256(kept.encode()).hexdigest()


def _as_json(value: Any) -> str:
    return local.as_json(_for_json(value))


def _for_json(value: Any) -> Any:
    """A property that JSON can represent: infinities and NaN become texts."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {storable(key): _for_json(item) for key, item in value.items()}
    return [_for_json(item) for item in value] if isinstance(value, (list, tuple)) else value


def _mark(row: PublishedRow) -> bytes:
    return hashlib.blake2b(repr(tuple(row)).encode("utf-8", "replace"), digest_size=16).digest()


_COLUMNS = {
    "notes": NoteRow._fields,
    "words": WordsRow._fields,
    "links": ("vault", "path", "scope", "target", "predicate", "line"),
    "traits": ("vault", "path", "scope", "name", "key", "value", "detail"),
    "frequencies": ("vault", "scope", "stem", "notes"),
    "sizes": ("vault", "scope", "kind", "notes", "words"),
}
_OF_PATHS = ("notes", "words", "links", "traits")  # tables whose rows belong to one path each
_CHANGE_FREQUENCIES = """
INSERT INTO mdmem.frequencies AS f (vault, scope, stem, notes)
SELECT %s, * FROM unnest(%s::text[], %s::text[], %s::integer[])
ON CONFLICT (vault, scope, stem) DO UPDATE SET notes = f.notes + excluded.notes
"""
_CHANGE_SIZES = """
INSERT INTO mdmem.sizes AS s (vault, scope, kind, notes, words)
SELECT %s, * FROM unnest(%s::text[], %s::text[], %s::integer[], %s::bigint[])
ON CONFLICT (vault, scope, kind) DO UPDATE SET notes = s.notes + excluded.notes, words = s.words + excluded.words
"""


class Tally:
    """Changes in the number of rows that have each stem, and in the number of rows and words."""

    def __init__(self) -> None:
        self.frequencies: Counter[tuple[str, str]] = Counter()  # by (scope, stem)
        self.sizes: dict[tuple[str, str], list[int]] = {}  # by (scope, kind): rows, words

    def count(self, scope: str, kind: str, stems: Iterable[str], length: int, sign: int = 1) -> None:
        """Count a row that is written or, with `sign` -1, removed."""
        for stem in stems:
            self.frequencies[scope, stem] += sign
        size = self.sizes.setdefault((scope, kind), [0, 0])
        size[0] += sign
        size[1] += sign * length


class RowWriter:
    """Writes the rows of one vault, into new partitions or the existing ones.

    Callers run all of it within one transaction, and end with `settle`.
    """

    def __init__(self, server: Server, partitions: VaultPartitions, vault: str, is_new: bool) -> None:
        self._server = server
        self._vault = vault
        self._partitions = partitions
        self._is_new = is_new
        self._tally = Tally()

    def write(self, rows: Sequence[PublishedRow]) -> None:
        """Add rows; no row may have their paths yet."""
        if not rows:
            return
        words = words_of(rows)
        self._copy("notes", [row.note for row in rows])
        self._copy("words", [row.columns for row in words])
        self._copy("links", [link for row in rows for link in row.links])
        self._copy("traits", [trait for row in rows for trait in row.traits])
        for row in words:
            self._tally.count(row.scope, row.kind, row.stems, row.length)

    def remove(self, paths: Sequence[str]) -> None:
        """Remove rows."""
        if not paths:
            return
        told = self._server.run(
            "SELECT scope, kind, array(SELECT jsonb_object_keys(stems)), length FROM mdmem.words"
            " WHERE vault = %s AND path = ANY(%s)",
            [self._vault, list(paths)],
        )
        for scope, kind, stems, length in told:
            self._tally.count(scope, kind, stems, length, -1)
        for table in _OF_PATHS:
            delete = f"DELETE FROM mdmem.{table} WHERE vault = %s AND path = ANY(%s)"  # noqa: S608 - own literals
            self._server.run(delete, [self._vault, list(paths)])

    def settle(self) -> None:
        """Update frequencies and sizes for the rows written and removed."""
        changes = sorted((scope, stem, by) for (scope, stem), by in self._tally.frequencies.items() if by)
        sizes = sorted((*key, *size) for key, size in self._tally.sizes.items() if any(size))
        if self._is_new:
            self._copy("frequencies", [(self._vault, *change) for change in changes])
            self._copy("sizes", [(self._vault, *size) for size in sizes])
            return
        if changes:
            self._server.run(_CHANGE_FREQUENCIES, [self._vault, *map(list, zip(*changes, strict=True))])
            gone = [stem for _, stem, by in changes if by < 0]
            text = "DELETE FROM mdmem.frequencies WHERE vault = %s AND stem = ANY(%s) AND notes = 0"
            self._server.run(text, [self._vault, gone])
        if sizes:
            self._server.run(_CHANGE_SIZES, [self._vault, *map(list, zip(*sizes, strict=True))])
            self._server.run("DELETE FROM mdmem.sizes WHERE vault = %s AND notes = 0", [self._vault])

    def _copy(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            self._server.copy(self._partitions.copying(table, _COLUMNS[table], self._is_new), rows)

"""Converts the rows of a catalogue to the form in which a team's index stores them, and writes them there.

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
from mdmem.store.index import port, stemming
from mdmem.store.index import rows as local
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.index.port import FIELDS, MEMORY, IndexedNote, NoteText
from mdmem.team.schema import LONGEST_KEY, LONGEST_PATH, LONGEST_STEM, OF_PATHS
from mdmem.team.server import Server

AT_ONCE = 500  # rows that are read, stemmed and sent together
ORDINARY = (sensitivity.UNMARKED, "")  # the level and the scope of most rows
TAGS = [*FIELDS].index("tags") + 1
_NUL = "\ufffd"
_COUNT = "SELECT mdmem.count_words(%s, %s, %s)"

_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class PublishedRow(NamedTuple):
    """All that is published of one row: its columns in the order of the table `notes`, its searched fields, and
    its links and traits."""

    note: dict[str, Any]
    fields: tuple[str, ...]
    links: list[tuple[Any, ...]]
    traits: list[tuple[Any, ...]]

    @property
    def path(self) -> str:
        return str(self.note["path"])


class PublishedReader:
    """Reads the rows of one vault from a catalogue limited by a clearance."""

    def __init__(self, vault: str, catalogue: SqliteCatalogue) -> None:
        self.vault = vault
        self._catalogue = catalogue
        self.digests = {path: digest for path, digest in catalogue.digests().items() if is_storable(path)}
        self.trust: Mapping[str, tuple[str, str]] = catalogue.trust()

    def read(self, keys: Sequence[str]) -> Iterator[PublishedRow]:
        """The rows with those keys that exist and that PostgreSQL can store. Pass some hundred keys at a time."""
        keys = [key for key in keys if is_storable(key)]
        texts = self._catalogue.texts(keys)
        committers = self._catalogue.committers_of(keys)
        links, traits = (dict[str, list[tuple[Any, ...]]]() for _ in range(2))
        for path, target, *rest in self._catalogue.links_from(keys):
            links.setdefault(path, []).append((as_key(target), *map(storable, rest)))
        for path, (name, key, *said) in self._catalogue.traits_of(keys):
            traits.setdefault(path, []).append((name, as_key(key), *map(storable, said)))
        for record in self._catalogue.records_at(keys):
            path, text = record.path, texts[record.path]
            place = self.vault, path, self.scope_of(path)
            labels = tags.labels(record.type, record.category, record.topic, record.tags)
            made = PublishedRow(
                self._note(record, text, committers.get(path, "")),
                local.searched_fields(record.kind, path, text.titles, labels, text.body),
                [(*place, *link) for link in links.get(path, ())],
                [(*place, *trait) for trait in traits.get(path, ())],
            )
            made.note["mark"] = hashlib.blake2b(repr(made).encode("utf-8", "replace"), digest_size=16).digest()
            yield made

    def scope_of(self, key: str) -> str:
        """The scope of a row, in the form in which it is published."""
        return as_key(self.trust.get(key, ORDINARY)[1])

    def _note(self, record: IndexedNote, text: NoteText, committer: str) -> dict[str, Any]:
        columns = {
            "vault": self.vault,
            "path": record.path,
            "kind": record.kind,
            "file": record.file,
            "lines": list(record.lines),
            "name": as_key(memory.fold(record.name) if record.kind == MEMORY else record.id),
            "id": as_key(record.id),
            "title": record.title,
            "type": record.type,
            "status": record.status,
            "category": record.category,
            "topic": record.topic,
            "tags": list(record.tags),
            "inline_tags": list(record.inline_tags),
            "aliases": list(text.aliases),
            "session": as_key(record.session),
            "created": record.created,
            "updated": record.updated,
            "sensitivity": self.trust.get(record.path, ORDINARY)[0],
            "scope": self.scope_of(record.path),
            "committer": committer,
            "properties": _as_json(record.meta),
            "life": _as_json(text.life) if text.life else None,
            "validity": _as_json(text.validity) if text.validity else None,
            "body_line": record.body_line,
            "body": text.body,
            "digest": self.digests.get(record.path),
        }
        return {name: storable(value) for name, value in columns.items()}


def weighed(fields: Iterable[Sequence[str]]) -> dict[str, float]:
    """stem -> how often it occurs in the fields of a row, each occurrence weighted by its field."""
    counts: Counter[str] = Counter()
    for stems, weight in zip(fields, FIELDS.values(), strict=True):
        for stem, count in Counter(stems).items():
            counts[stem] += weight * count  # type: ignore[assignment]
    return {stem: count for stem, count in counts.items() if len(stem.encode("utf-8", "replace")) <= LONGEST_STEM}


def told_in(field: int, stem: str) -> str:
    """The key that rows have among their stems that have a stem in a field, whose rows can thus be counted."""
    return f":{field}:{stem}"


def storable(value: Any) -> Any:
    """A value in which PostgreSQL can store all texts: NUL characters and lone surrogates are replaced."""
    if isinstance(value, str):
        if value.isascii() and "\0" not in value:
            return value
        return value.replace("\0", _NUL).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return [storable(item) for item in value] if isinstance(value, list) else value


def is_storable(path: str) -> bool:
    """Whether PostgreSQL can store and index a path unchanged."""
    return path == storable(path) and len(path.encode("utf-8", "replace")) <= LONGEST_PATH


def as_key(text: str) -> str:
    """A text for a column that is looked up. If it is too long for an index, it is cut, with a digest appended."""
    kept = str(storable(text))
    return kept if len(kept) <= LONGEST_KEY else kept[:LONGEST_KEY] + hashlib.sha256(kept.encode()).hexdigest()


def _as_json(value: Mapping[str, Any]) -> str:
    return local.as_json(_for_json(dict(value)))


def _for_json(value: Any) -> Any:
    """A property that JSON can represent: infinities and NaN become texts."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {storable(key): _for_json(item) for key, item in value.items()}
    return [_for_json(item) for item in value] if isinstance(value, (list, tuple)) else storable(value)


class RowWriter:
    """Writes the rows of one vault. Callers run all of it within one transaction, and end with `settle`."""

    def __init__(self, server: Server, vault: str) -> None:
        self._server = server
        self._vault = vault
        self._written: list[str] = []

    def write(self, rows: Sequence[PublishedRow]) -> None:
        """Add rows; no row may have their paths yet."""
        if not rows:
            return
        stemmed = stemming.in_order([row.fields for row in rows])
        self._written += [row.path for row in rows]
        self._copy("notes", [tuple(row.note.values()) for row in rows])
        self._copy("words", [_words(row.note, fields) for row, fields in zip(rows, stemmed, strict=True)])
        self._copy("links", [link for row in rows for link in row.links])
        self._copy("traits", [trait for row in rows for trait in row.traits])

    def remove(self, paths: Sequence[str]) -> None:
        """Remove rows."""
        for at in range(0, len(paths), AT_ONCE):
            some = list(paths[at : at + AT_ONCE])
            self._server.run(_COUNT, [self._vault, some, -1])
            for table in OF_PATHS:
                delete = f"DELETE FROM mdmem.{table} WHERE vault = %s AND path = ANY(%s)"  # noqa: S608 - own literals
                self._server.run(delete, [self._vault, some])

    def settle(self) -> None:
        """Count the words of the rows written."""
        self._server.run(_COUNT, [self._vault, self._written, 1])
        for table in ("frequencies", "sizes"):
            self._server.run(f"DELETE FROM mdmem.{table} WHERE vault = %s AND notes = 0", [self._vault])  # noqa: S608 - own literals

    def _copy(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            self._server.copy(f"COPY mdmem.{table} FROM STDIN", rows)


def _words(note: Mapping[str, Any], fields: Sequence[str]) -> tuple[Any, ...]:
    """The row of the table `words` for a row, with the stems of its fields."""
    stems = [field.split() for field in fields]
    place = (note[name] for name in ("vault", "path", "kind", "scope", "created"))
    counts = weighed(stems)
    counts |= {told_in(TAGS, stem): 0 for stem in stems[TAGS - 1] if stem in counts}
    counts[port.key(note["vault"], note["scope"])] = 0  # what `mdmem.mark` says
    return *place, sum(map(len, stems)), _compact(counts), "\n".join(fields)

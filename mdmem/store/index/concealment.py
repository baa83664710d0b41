"""Determines which rows a clearance hides, by the rule in `mdmem.note.trust.sensitivity`.

A memory derived from another (`derived_from`) is at least as sensitive as that, a fact as the file it is in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from mdmem.note import memory
from mdmem.note.trust import sensitivity
from mdmem.note.trust.sensitivity import EVERYTHING, Clearance, Stub
from mdmem.store.index.database import Database
from mdmem.store.index.edges import fold_target

if TYPE_CHECKING:
    from mdmem.store.index.port import IndexedNote, NoteText, Outline

_RANK = (  # what is not understood is the highest
    "CASE WHEN {0}.sensitivity IS NULL THEN :unmarked"
    " ELSE ifnull((SELECT rank FROM ranks WHERE ranks.level={0}.sensitivity), :highest) END"
)
_LEVELLED = f"""
WITH RECURSIVE ranks(level, rank) AS (SELECT key, value FROM json_each(:ranks)), levelled(path, folded, rank) AS (
  SELECT path, folded, {_RANK.format("notes")} FROM notes {{marked}}
  UNION
  SELECT made.path, made.folded, max(levelled.rank, {_RANK.format("made")})
  FROM levelled JOIN links ON links.target=levelled.folded AND links.predicate='derived_from'
    AND links.predicate<>'mentions'
  JOIN notes made ON made.rowid=links.source)
SELECT n.path, n.kind, n.id, n.type, max(levelled.rank), ifnull(n.scope, '')
FROM levelled JOIN notes n ON n.path=levelled.path GROUP BY n.path
"""  # noqa: S608 - own literals


class Concealed(NamedTuple):
    """The rows that a clearance hides: their keys, and the stubs that are left of some, by path.

    `redact` removes the names of hidden memories from a text. `mark` is a checksum of the hidden names.
    """

    paths: frozenset[str] = frozenset()
    stubs: tuple[Stub, ...] = ()
    redact: Callable[[str], str] = str
    mark: str = ""

    def together(self, other: Concealed) -> Concealed:
        """The rows that either of the two hides; the stubs are those of this one."""
        if other is NOTHING:
            return self
        first, second = self.redact, other.redact
        return Concealed(
            self.paths | other.paths, self.stubs, lambda text: second(first(text)), self.mark + other.mark
        )

    def record(self, record: IndexedNote) -> IndexedNote:
        """A record without the hidden names."""
        if not self.paths:
            return record
        from mdmem.note.trust import redaction

        meta = redaction.redacted_value(dict(record.meta), self.redact)
        return record._replace(title=self.redact(record.title), meta=meta)

    def outline(self, outline: Outline) -> Outline:
        """An outline without the hidden names."""
        title, project, actor = map(self.redact, (outline.title, outline.project, outline.actor))
        return outline._replace(title=title, project=project, actor=actor)

    def text(self, text: NoteText) -> NoteText:
        """What ranking reads of a memory, without the hidden names."""
        if not self.paths:
            return text
        aliases = tuple(map(self.redact, text.aliases))
        return text._replace(title=self.redact(text.title), body=self.redact(text.body), aliases=aliases)

    def links(self, links: Iterable[tuple[str, str, str, int]]) -> Iterator[tuple[str, str, str, int]]:
        """The links (path, target, predicate, line) that neither start from nor lead to a hidden memory."""
        for link in links:
            target = f"[[{link[1]}]]"
            if link[0] not in self.paths and self.redact(target) == target:
                yield link


NOTHING = Concealed()


class _Row(NamedTuple):
    path: str
    kind: str
    id: str
    type: str
    level: str
    scope: str


def concealed(db: Database, clearance: Clearance) -> Concealed:
    """The rows of a catalogue that a clearance hides."""
    if clearance == EVERYTHING:
        return NOTHING
    lowest = sensitivity.rank(sensitivity.UNMARKED)
    is_seldom = not clearance.scopes and sensitivity.rank(clearance.limit) >= lowest
    rows = _levelled(db, "WHERE sensitivity IS NOT NULL" if is_seldom else "")
    hidden = {path: row for path, row in rows.items() if not clearance.shows(row.level, row.scope)}
    if not hidden:
        return NOTHING
    import zlib

    from mdmem.note.trust import redaction

    stubs = [hidden[path] for path in sorted(hidden) if clearance.hints_at(hidden[path].level, hidden[path].scope)]
    names = {fold_target(path) for path, row in hidden.items() if row.kind == "memory"}
    return Concealed(
        frozenset([*hidden, *(fact for fact, _ in _standing_in(db, hidden))]),
        tuple(Stub(row.id, row.type, row.level) for row in stubs),
        redaction.redactor(names, fold_target),
        f"{zlib.crc32(chr(0).join(map(memory.stem, sorted(hidden))).encode()):08x}",
    )


def trust(db: Database) -> dict[str, tuple[str, str]]:
    """key -> (level, scope) of each row that restricts who may see it, or is derived from one that does.

    All other rows are `low`, and in every scope. A fact is at least as sensitive as its file, and in the scope
    of its file unless it has one of its own.
    """
    marked = "WHERE sensitivity IS NOT NULL OR scope IS NOT NULL"
    told = {path: (row.level, row.scope) for path, row in _levelled(db, marked).items()}
    for fact, file in _standing_in(db, told):
        level, scope = told.get(fact, (sensitivity.UNMARKED, ""))
        told[fact] = sensitivity.higher(level, told[file][0]), scope or told[file][1]
    return told


def _levelled(db: Database, marked: str) -> dict[str, _Row]:
    """path -> row, for the `marked` rows and those derived from them: at least as sensitive as their sources."""
    told = db.column("SELECT DISTINCT sensitivity FROM notes WHERE sensitivity IS NOT NULL")
    ranks = {level: sensitivity.rank(sensitivity.level_of(level)) for level in told}
    unmarked, highest = map(sensitivity.rank, (sensitivity.UNMARKED, sensitivity.HIGHEST))
    values = {"ranks": json.dumps(ranks), "unmarked": unmarked, "highest": highest}
    rows = db.execute(_LEVELLED.format(marked=marked), values)
    made = (
        _Row(path, kind, id, type, sensitivity.LEVELS[rank], scope) for path, kind, id, type, rank, scope in rows
    )
    return {row.path: row for row in made}


def _standing_in(db: Database, files: Iterable[str]) -> list[tuple[str, str]]:
    """(key, file) of each row of those files that is not a memory."""
    sql = "SELECT path, file FROM notes WHERE kind<>'memory' AND file IN (SELECT value FROM json_each(?))"
    return db.among(sql, files)

"""Writes and removes rows of a vault in a team's index, and updates the frequencies of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from mdmem.team.form import NoteRow, PublishedRow, WordsRow, words_of
from mdmem.team.partitions import VaultPartitions
from mdmem.team.server import Server

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

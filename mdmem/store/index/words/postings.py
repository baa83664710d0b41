"""The best rows for some words by BM25, for a series of queries on the same state of an index.

The share of a word in a row's score depends on neither the query nor its other words, so it is computed once and
cached. FTS5 weighs each row again for each query, and looks up its length for that. The scores are those of its
`bm25()`, https://www.sqlite.org/fts5.html#the_bm25_function, with the weights of FIELDS, and so is the order.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import chain
from math import log
from typing import Any

from mdmem.store.index.database import Database
from mdmem.store.index.port import FIELDS, MEMORY, WordIndex

_MOST = 50_000  # rows that the words of one query may have, added up over the words
_KEPT = 100_000  # (word, row) pairs in the cache; it is cleared once it has more
_K1, _B = 1.2, 0.75  # as in FTS5
_LEAST = 1e-6  # rarity of a word that more than half of the rows have, as there

_TABLE = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab('main', 'fts', 'instance')"
_FLUSH = "SELECT 1 FROM temp.places LIMIT 1"  # makes FTS5 write what it buffers within a transaction
_WEIGHTS = sorted(set(FIELDS.values()))
_ROWS = ", ".join(
    f"group_concat(CASE WHEN col IN ({', '.join(repr(field) for field in FIELDS if FIELDS[field] == weight)})"
    " THEN doc END)"
    for weight in _WEIGHTS
)
_PLACES = (
    f"SELECT stem.value, (SELECT json_array({_ROWS}) FROM temp.places WHERE term = stem.value)"  # noqa: S608 - own literals
    " FROM json_each(?) AS stem"
)
# The lengths of rows are in tables of FTS5, https://www.sqlite.org/fts5.html#fts5_data_structures: the number of
# rows, and of words in each field of all rows together; the number of words in each field of a row.
_TOTALS = "SELECT block FROM fts_data WHERE id = 1"
_LENGTHS = "SELECT id, sz FROM fts_docsize WHERE id IN (SELECT value FROM json_each(?))"
_OTHERS = "SELECT kind, group_concat(rowid) FROM notes WHERE kind <> 'memory' GROUP BY kind"
_PATHS = "SELECT rowid, path FROM notes WHERE rowid IN (SELECT value FROM json_each(?))"


class Postings:
    """The shares of words in the scores of rows, for one state of an index."""

    def __init__(self, db: Database) -> None:
        self._db = db
        db.execute(_TABLE)
        db.execute(_FLUSH)
        self._total, *words = _numbers(db.execute(_TOTALS).fetchone()[0]) or [0]
        self._mean = sum(words) / max(self._total, 1) or 1.0
        self._others = {kind: set(_rows(rows)) for kind, rows in db.execute(_OTHERS)}
        self._shares: dict[str, dict[int, float]] = {}  # stem -> row -> what it adds to the score
        self._damping: dict[int, float] = {}  # row -> what its length adds to the denominator of BM25
        self._paths: dict[int, str] = {}

    def best(self, stems: Sequence[str], limit: int, kinds: Collection[str]) -> list[str]:
        """The keys of the first `limit` rows of those kinds that have any of the stems, best first."""
        self._read([stem for stem in stems if stem not in self._shares])
        scores: defaultdict[int, float] = defaultdict(float)
        for stem in stems:
            for row, share in self._shares[stem].items():
                scores[row] += share
        return self._keys(_highest(self._of_kinds(scores, kinds), limit))

    @property
    def size(self) -> int:
        """The number of (word, row) pairs in the cache."""
        return sum(map(len, self._shares.values()))

    def are_known(self, stems: Iterable[str]) -> bool:
        """Whether nothing needs to be read for some stems."""
        return self._shares.keys() >= set(stems)

    def _read(self, stems: Sequence[str]) -> None:
        """Compute the shares of stems."""
        if not stems:
            return
        places = dict(self._db.execute(_PLACES, (json.dumps(stems),)))
        often = {stem: _often(json.loads(places[stem])) for stem in stems}
        self._read_lengths(set(chain.from_iterable(often.values())))
        for stem in stems:
            rarity = self._rarity(len(often[stem]))
            self._shares[stem] = {
                row: rarity * ((times * (_K1 + 1)) / (times + self._damping[row]))
                for row, times in often[stem].items()
            }

    def _read_lengths(self, rows: Collection[int]) -> None:
        new = [row for row in rows if row not in self._damping]
        for row, sizes in self._db.execute(_LENGTHS, (json.dumps(new),)):
            self._damping[row] = _K1 * (1 - _B + _B * sum(_numbers(sizes)) / self._mean)

    def _rarity(self, frequency: int) -> float:
        rarity = log((self._total - frequency + 0.5) / (frequency + 0.5))
        return rarity if rarity > 0 else _LEAST

    def _of_kinds(self, scores: Mapping[int, float], kinds: Collection[str]) -> Mapping[int, float]:
        """The scores of those rows that are of some kinds."""
        unwanted = set().union(*(rows for kind, rows in self._others.items() if kind not in kinds))
        if MEMORY in kinds:
            return {row: score for row, score in scores.items() if row not in unwanted} if unwanted else scores
        wanted = set().union(*(rows for kind, rows in self._others.items() if kind in kinds))
        return {row: score for row, score in scores.items() if row in wanted}

    def _keys(self, rows: Sequence[int]) -> list[str]:
        new = [row for row in rows if row not in self._paths]
        if new:
            self._paths |= self._db.execute(_PATHS, (json.dumps(new),))
        return [self._paths[row] for row in rows]


def best(
    index: WordIndex, db: Database, kept: dict[str, Any], expression: str, limit: int, kinds: Collection[str]
) -> list[str] | None:
    """The keys that `index` finds in `db` by an expression; None if that is not words with OR, or they are common.

    Also None if the data read from the database is inconsistent: FTS5 then reports what is wrong with it. `kept`
    is the cache for this state of the index.
    """
    words = _words_of(expression)
    stems = list(index.stems(words).values())
    if not stems or len(set(stems)) < len(words):
        return None
    try:
        known: Postings | None = kept.get("postings")
        if known is None or known.size > _KEPT:
            known = kept["postings"] = Postings(db)
        if not known.are_known(stems) and sum(index.frequencies(stems).values()) > _MOST:
            return None
        return known.best(stems, limit, kinds)
    except (LookupError, TypeError, ValueError):  # inconsistent rows: damaged, or written meanwhile
        kept.pop("postings", None)
        return None


def _words_of(expression: str) -> list[str]:
    """The words of an expression that joins words of letters and digits by OR; none of any other."""
    words = expression[1:-1].split('" OR "')
    return words if all(map(str.isalnum, words)) else []


def _often(rows_by_weight: Sequence[str | None]) -> dict[int, float]:
    """row -> frequency of a word in it, weighted by field; `rows_by_weight` has the rows for each of _WEIGHTS."""
    often: dict[int, float] = {}
    for weight, rows in zip(_WEIGHTS, rows_by_weight, strict=True):
        for row, times in Counter(_rows(rows or "")).items():
            often[row] = often.get(row, 0.0) + weight * times
    return often


def _rows(listed: str) -> Iterable[int]:
    return map(int, listed.split(",")) if listed else ()


def _highest(scores: Mapping[int, float], count: int) -> list[int]:
    """The `count` rows with the highest scores, best first; those with equal scores in order."""
    if not scores:
        return []
    least = nlargest(count, scores.values())[-1]
    return [row for _, row in sorted((-score, row) for row, score in scores.items() if score >= least)[:count]]


def _numbers(packed: bytes) -> list[int]:
    """The numbers of an FTS5 record: varints of seven bits a byte, high bits first; an eighth bit means more."""
    numbers, number = [], 0
    for byte in packed:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(number)
            number = 0
    return numbers

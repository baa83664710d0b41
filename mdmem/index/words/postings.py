"""The best rows for some words by BM25, where one question after another is asked of the same state of an index.

What a word counts in a row depends on neither the question nor its other words, so it is worked out once and
kept. FTS5 weighs each row again for each question, and looks up its length for that. The scores are those of its
`bm25()`, https://www.sqlite.org/fts5.html#the_bm25_function, with the weights of FIELDS, and so is the order.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import chain
from math import log

from mdmem.index.database import Database
from mdmem.index.port import FIELDS, MEMORY, WordIndex
from mdmem.values import Any

_MOST = 50_000  # rows that the words of one question may have, each word for itself
_KEPT = 100_000  # what is kept of words in rows; when there is more, all is forgotten
_K1, _B = 1.2, 0.75  # as in FTS5
_LEAST = 1e-6  # rarity of a word that more than half of the rows have, as there

_TABLE = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab('main', 'fts', 'instance')"
_FLUSH = "SELECT 1 FROM temp.places LIMIT 1"  # FTS5 writes what it holds back within a transaction
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
# How long rows are is read from the tables that FTS5 keeps, https://www.sqlite.org/fts5.html#fts5_data_structures:
# the number of rows, and of words in each field of all rows; the number of words in each field of a row.
_TOTALS = "SELECT block FROM fts_data WHERE id = 1"
_LENGTHS = "SELECT id, sz FROM fts_docsize WHERE id IN (SELECT value FROM json_each(?))"
_OTHERS = "SELECT kind, group_concat(rowid) FROM notes WHERE kind <> 'memory' GROUP BY kind"
_PATHS = "SELECT rowid, path FROM notes WHERE rowid IN (SELECT value FROM json_each(?))"


class Postings:
    """What words count in the rows of one state of an index."""

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
        """How much it keeps."""
        return sum(map(len, self._shares.values()))

    def are_known(self, stems: Iterable[str]) -> bool:
        """Whether it need not read anything for some stems."""
        return self._shares.keys() >= set(stems)

    def _read(self, stems: Sequence[str]) -> None:
        """Work out what stems count."""
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
        """The scores of the rows that are of some kinds."""
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
    """What `index` finds in `db` by an expression; None if that asks for more than some words, or they are common.

    None too if what is read of the database does not fit together: FTS5 says then what is wrong with it.
    `kept` is what is kept of the state of the index.
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
    except (LookupError, TypeError, ValueError):  # rows that do not fit together: damaged, or written meanwhile
        kept.pop("postings", None)
        return None


def _words_of(expression: str) -> list[str]:
    """The words of an expression for any of some words, of letters and digits alone; none of any other."""
    words = expression[1:-1].split('" OR "')
    return words if all(map(str.isalnum, words)) else []


def _often(rows_by_weight: Sequence[str | None]) -> dict[int, float]:
    """row -> how often it has a word, each place by the weight of its field, of the rows for each of _WEIGHTS."""
    often: dict[int, float] = {}
    for weight, rows in zip(_WEIGHTS, rows_by_weight, strict=True):
        for row, times in Counter(_rows(rows or "")).items():
            often[row] = often.get(row, 0.0) + weight * times
    return often


def _rows(listed: str) -> Iterable[int]:
    return map(int, listed.split(",")) if listed else ()


def _highest(scores: Mapping[int, float], count: int) -> list[int]:
    """The first rows by their score; those of one score in their order."""
    if not scores:
        return []
    least = nlargest(count, scores.values())[-1]
    return [row for _, row in sorted((-score, row) for row, score in scores.items() if score >= least)[:count]]


def _numbers(packed: bytes) -> list[int]:
    """The numbers of a record of FTS5: of each byte seven bits, the highest first; the eighth says: more come."""
    numbers, number = [], 0
    for byte in packed:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(number)
            number = 0
    return numbers

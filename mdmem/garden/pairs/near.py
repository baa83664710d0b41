"""The few notes nearest to each: by rare words, by spelling and, where there are any, by vectors.

Each note is found by every root that at most `_COMMON` notes have, so the work grows with the notes and not with
their pairs. All nearness is a cosine, 0-1, in which what is rare counts most. Pairs are ranked in a nameless
database: as objects, those of a large vault would take several times the memory of its notes.
"""

from __future__ import annotations

import math
import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from heapq import nlargest
from itertools import chain, count
from typing import Any

from mdmem.garden.gardeners.proposal import MeantPair
from mdmem.garden.noteshelf import PLACE
from mdmem.store.vault.derived import reported

KEPT = 6  # nearest notes of each that are kept
_TRIED = 12  # nearest notes by roots whose spelling is compared
_COMMON = 100  # a root that more notes than this have pairs no notes
_LEAST = 0.06  # cosine
_ONE_OF_TWO = 2
_MADE = """
PRAGMA cache_size = -8000;
CREATE TABLE near (at INTEGER, other INTEGER, roots REAL, total REAL, PRIMARY KEY (at, other)) WITHOUT ROWID;
CREATE TABLE ranked (at INTEGER, other INTEGER, rank INTEGER, third REAL, PRIMARY KEY (at, other)) WITHOUT ROWID;
"""
_RANKED = """
INSERT OR IGNORE INTO near SELECT other, at, roots, total FROM near;
INSERT INTO ranked SELECT at, other, row_number() OVER own - 1,
    CASE row_number() OVER own WHEN 1 THEN coalesce(nth_value(total, 2) OVER own, 0.0) ELSE max(total) OVER own END
FROM near WINDOW own AS (
    PARTITION BY at ORDER BY total DESC, other DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
"""
_PAIRS = """
SELECT near.at, near.other, roots, total, old.rank, old.third, new.rank, new.third
FROM near JOIN ranked AS old USING (at, other) JOIN ranked AS new ON new.at = near.other AND new.other = near.at
WHERE near.at < near.other ORDER BY near.at, near.other
"""

Figures = dict[str, float]
_Pair = tuple[int, int]  # two notes by their places, the first before the second


class Weights:
    """How much each part of many texts tells, a root or a run of letters: what few of them have tells most."""

    def __init__(self, counts: Mapping[Any, int], texts: int) -> None:
        self._of = {part: math.log(1 + texts / count) for part, count in counts.items()}
        self._squares = {part: weight**2 for part, weight in self._of.items()}
        self._own = {part for part, count in counts.items() if count == _ONE_OF_TWO}
        self._most = math.log(1 + max(texts, 1))

    def of(self, part: Any) -> float:
        """The weight of a part, above 0; an unknown one weighs as much as one of a single text."""
        return self._of.get(part, self._most)

    def total(self, parts: Iterable[Any]) -> float:
        """The weight of several parts together; exact, whatever their order."""
        return math.fsum(map(self.of, parts))

    def squared(self, parts: Iterable[Any]) -> float:
        """The product of two texts that share these known parts."""
        return math.fsum(map(self._squares.__getitem__, parts))

    def own(self, parts: Iterable[Any]) -> int:
        """How many of these parts exactly two texts have."""
        return sum(part in self._own for part in parts)


class Field:
    """Notes to compare: the roots and the letter runs of each, and the pairs that are near by vectors."""

    def __init__(
        self, notes: Iterable[tuple[Iterable[str], Iterable[int]]], meant: Mapping[_Pair, MeantPair]
    ) -> None:
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._texts: list[array[int]] = []
        self._runs: list[array[int]] = []
        for roots, runs in notes:
            self._texts.append(array("I", map(numbers.__getitem__, roots)))
            self._runs.append(array("H", runs))
        self._roots = list(numbers)
        self._counts = Counter(chain.from_iterable(self._texts))
        self.weights = Weights({root: self._counts[at] for at, root in enumerate(self._roots)}, len(self._texts))
        self._meant = meant

    def roots(self, at: int) -> frozenset[str]:
        """The roots of a note."""
        return frozenset(map(self._roots.__getitem__, self._texts[at]))

    def _by_roots(self) -> Iterator[tuple[int, float, int]]:
        """(place, how near, place of another) of the nearest of each note by rare roots."""
        squares = array("d", (self.weights.of(root) ** 2 for root in self._roots))
        lengths = [math.sqrt(math.fsum(map(squares.__getitem__, own))) or 1.0 for own in self._texts]
        places = {root: array("I") for root, many in self._counts.items() if 1 < many <= _COMMON}
        for at, own in enumerate(self._texts):
            for root in filter(places.__contains__, own):
                places[root].append(at)
        for at, own in enumerate(self._texts):
            shared: defaultdict[int, float] = defaultdict(float)
            for root in filter(places.__contains__, own):
                square = squares[root]
                for other in places[root]:
                    shared[other] += square
            shared.pop(at, None)
            found = [(weight / (lengths[at] * lengths[other]), other) for other, weight in shared.items()]
            yield from ((at, *near) for near in nlargest(_TRIED, [near for near in found if near[0] >= _LEAST]))

    def _pairs(self) -> Iterator[tuple[int, int, float, float]]:
        """(place, place of another, how near by roots, how near in all) of the nearest of each note."""
        spelling = Weights(Counter(chain.from_iterable(self._runs)), len(self._runs))
        lengths = [math.sqrt(spelling.squared(own)) or 1.0 for own in self._runs]
        meant = ((one, 0.0, two) for one, two in self._meant)
        for one, roots, two in chain(self._by_roots(), meant):
            shared = set(self._runs[one]).intersection(self._runs[two])
            total = roots + spelling.squared(shared) / (lengths[one] * lengths[two])
            yield one, two, roots, total

    def near(self) -> Iterator[tuple[_Pair, Figures]]:
        """The pairs of which one is among the nearest few of the other, by any measure, and how near they are.

        `rank` is how many notes are nearer to one of the two than the other, `third` how near the nearest other
        note is, as a share of how near the two are. The cosine of the vectors is -1 without any; for their rank
        see MeantPair. Raises MdmemError if the disk has no room for their database.
        """
        with reported(PLACE), closing(sqlite3.connect("")) as database:
            database.executescript(_MADE)
            database.executemany("INSERT OR IGNORE INTO near VALUES (?, ?, ?, ?)", self._pairs())
            database.executescript(_RANKED)
            for one, two, roots, total, rank_old, third_old, rank_new, third_new in database.execute(_PAIRS):
                meant = self._meant.get((one, two))
                if min(rank_old, rank_new) < KEPT or meant:
                    own = total or 1.0
                    figures = {
                        "near by words": roots,
                        "near by spelling": total - roots,
                        "rank for old": min(rank_old, KEPT),
                        "rank for new": min(rank_new, KEPT),
                        "third for old": third_old / own,
                        "third for new": third_new / own,
                        "near in meaning": meant.near if meant else -1.0,
                        "rank in meaning": meant.rank if meant else KEPT,
                        "words of old": len(self._texts[one]),
                        "words of new": len(self._texts[two]),
                    }
                    yield (one, two), figures

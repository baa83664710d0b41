"""The few notes nearest to each: by rare words, by spelling and, where there are any, by vectors.

Each note is found by every root that at most `_COMMON` notes have, so the work grows with the notes and not with
their pairs. All nearness is a cosine, 0-1, in which what is rare counts most. What is known of notes and pairs
stands in arrays: as objects, the pairs of a large vault would take several times the memory of its notes.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from heapq import nlargest
from itertools import count

from mdmem.garden.gardeners.proposal import MeantPair

KEPT = 6  # nearest notes of each that are kept
_TRIED = 12  # nearest notes by roots whose spelling is compared
_COMMON = 100  # a root that more notes than this have pairs no notes
_LEAST = 0.06  # cosine
_ONE_OF_TWO = 2

Figures = dict[str, float]
_Pair = tuple[int, int]  # two notes by their places, the first before the second


class Weights:
    """How much each root of many texts tells: what few of them have tells most."""

    def __init__(self, counts: Mapping[str, int], texts: int) -> None:
        self._of = {root: math.log(1 + texts / count) for root, count in counts.items()}
        self._own = {root for root, count in counts.items() if count == _ONE_OF_TWO}
        self._most = math.log(1 + max(texts, 1))

    def of(self, root: str) -> float:
        """The weight of a root, above 0; an unknown one weighs as much as one of a single text."""
        return self._of.get(root, self._most)

    def total(self, roots: Iterable[str]) -> float:
        """The weight of several roots together; exact, whatever their order."""
        return math.fsum(map(self.of, roots))

    def own(self, roots: Iterable[str]) -> int:
        """How many of these roots exactly two texts have."""
        return sum(root in self._own for root in roots)


class _Texts:
    """The parts of many texts, as numbers, and how much each part tells."""

    def __init__(self, code: str) -> None:
        self._parts, self._ends = array(code), array("Q", [0])

    def append(self, parts: Iterable[int]) -> None:
        self._parts.extend(parts)
        self._ends.append(len(self._parts))

    def __getitem__(self, at: int) -> array[int]:
        return self._parts[self._ends[at] : self._ends[at + 1]]

    def __len__(self) -> int:
        return len(self._ends) - 1

    def weigh(self) -> None:
        """Count the parts, once all texts are there."""
        self.counts = Counter(self._parts)
        self._squares = {part: math.log(1 + len(self) / many) ** 2 for part, many in self.counts.items()}
        self._lengths = array("d", (math.sqrt(self.product(self[at])) or 1.0 for at in range(len(self))))

    def product(self, parts: Iterable[int]) -> float:
        """The product of two texts that share these parts."""
        return math.fsum(map(self._squares.__getitem__, parts))

    def alike(self, one: int, two: int) -> float:
        """How near two texts are."""
        shared = set(self[one]).intersection(self[two])
        return self.product(shared) / (self._lengths[one] * self._lengths[two])

    def nearest(self) -> Iterator[list[tuple[float, int]]]:
        """The nearest of each text by rare parts, as (how near, place)."""
        places = {part: array("I") for part, many in self.counts.items() if 1 < many <= _COMMON}
        for at in range(len(self)):
            for part in filter(places.__contains__, self[at]):
                places[part].append(at)
        for at, length in enumerate(self._lengths):
            shared: defaultdict[int, float] = defaultdict(float)
            for part in filter(places.__contains__, self[at]):
                square = self._squares[part]
                for other in places[part]:
                    shared[other] += square
            shared.pop(at, None)
            found = [(weight / (length * self._lengths[other]), other) for other, weight in shared.items()]
            yield nlargest(_TRIED, [near for near in found if near[0] >= _LEAST])


class Field:
    """Notes to compare: the roots and the letter runs of each, and the pairs that are near by vectors."""

    def __init__(
        self, notes: Iterable[tuple[Iterable[str], Iterable[int]]], meant: Mapping[_Pair, MeantPair]
    ) -> None:
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._texts, spelled = _Texts("I"), _Texts("H")
        for roots, runs in notes:
            self._texts.append(map(numbers.__getitem__, roots))
            spelled.append(runs)
        self._texts.weigh()
        spelled.weigh()
        self._roots, counts = list(numbers), self._texts.counts
        self.weights = Weights({root: counts[at] for at, root in enumerate(self._roots)}, len(self._texts))
        self._meant = meant
        self._pairs = _NearPairs(len(self._texts))
        for at, nearest in enumerate(self._texts.nearest()):
            known = self._pairs.others(at)
            for near, other in nearest:
                if other not in known:
                    self._pairs.add(at, other, near, near + spelled.alike(at, other))
        for one, two in meant:
            if two not in self._pairs.others(one):
                self._pairs.add(one, two, 0.0, spelled.alike(one, two))

    def roots(self, at: int) -> frozenset[str]:
        """The roots of a note."""
        return frozenset(map(self._roots.__getitem__, self._texts[at]))

    def near(self) -> Iterator[tuple[_Pair, Figures]]:
        """The pairs of which one is among the nearest few of the other, by any measure, and how near they are.

        `rank` is how many notes are nearer to one of the two than the other, `third` how near the nearest other
        note is, as a share of how near the two are. The cosine of the vectors is -1 without any; for their rank
        see MeantPair.
        """
        for pair, roots, total, (rank_old, third_old), (rank_new, third_new) in self._pairs.ranked():
            if min(rank_old, rank_new) < KEPT or pair in self._meant:
                own, meant = total or 1.0, self._meant.get(pair)
                yield (
                    pair,
                    {
                        "near by words": roots,
                        "near by spelling": total - roots,
                        "rank for old": rank_old,
                        "rank for new": rank_new,
                        "third for old": third_old / own,
                        "third for new": third_new / own,
                        "near in meaning": meant.near if meant else -1.0,
                        "rank in meaning": meant.rank if meant else KEPT,
                        "words of old": len(self._texts[pair[0]]),
                        "words of new": len(self._texts[pair[1]]),
                    },
                )


_Beside = tuple[
    int, float
]  # how many notes are nearer than the other of a pair, how near the nearest of the rest is


class _NearPairs:
    """Pairs of notes, by their places, with how near they are by roots and in all."""

    def __init__(self, notes: int) -> None:
        self._sums, self._roots, self._totals = array("Q"), array("d"), array("d")  # a sum is that of both places
        self._of = [array("I") for _ in range(notes)]  # the numbers of the pairs of each note

    def add(self, one: int, two: int, roots: float, total: float) -> None:
        for at in (one, two):
            self._of[at].append(len(self._sums))
        self._sums.append(one + two)
        self._roots.append(roots)
        self._totals.append(total)

    def others(self, at: int) -> set[int]:
        """The notes that a note is paired with."""
        return {self._sums[pair] - at for pair in self._of[at]}

    def ranked(self) -> Iterator[tuple[_Pair, float, float, _Beside, _Beside]]:
        """Each pair in order, how near it is by roots and in all, and what is beside it for either note."""
        best = [array("I", self._best(at)) for at in range(len(self._of))]
        for first, pairs in enumerate(self._of):
            ordered = sorted((self._sums[pair] - first, pair) for pair in pairs)
            for second, pair in ordered:
                if second > first:
                    for_old, for_new = (self._beside(best[at], pair) for at in (first, second))
                    yield (first, second), self._roots[pair], self._totals[pair], for_old, for_new

    def _best(self, at: int) -> list[int]:
        """The numbers of the pairs of a note with those nearest to it."""
        found = ((self._totals[pair], self._sums[pair] - at, pair) for pair in self._of[at])
        return [pair for *_, pair in nlargest(KEPT, found)]

    def _beside(self, best: array[int], pair: int) -> _Beside:
        rank = best.index(pair) if pair in best else KEPT
        return rank, next((self._totals[other] for other in best if other != pair), 0.0)

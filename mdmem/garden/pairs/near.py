"""The few notes nearest to each: by rare words, by spelling and, where there are any, by vectors.

Each note is found by every root that at most `_COMMON` notes have, so the work grows with the notes and not with
their pairs. All nearness is a cosine, 0-1, in which what is rare counts most.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import chain
from typing import Any

from mdmem.garden.gardeners.proposal import MeantPair

KEPT = 6  # nearest notes of each that are kept
_TRIED = 12  # nearest notes by roots whose spelling is compared
_COMMON = 100  # a root that more notes than this have pairs no notes
_LEAST = 0.06  # cosine
_ONE_OF_TWO = 2

Figures = dict[str, float]
_Pair = tuple[int, int]  # two notes by their places, the first before the second


class Weights:
    """How much each part of many texts tells, a root or a run of letters: what few of them have tells most."""

    def __init__(self, counts: Mapping[Any, int], texts: int) -> None:
        self._of = {part: math.log(1 + texts / count) for part, count in counts.items()}
        self._own = {part for part, count in counts.items() if count == _ONE_OF_TWO}
        self._most = math.log(1 + max(texts, 1))

    def of(self, part: Any) -> float:
        """The weight of a part, above 0; an unknown one weighs as much as one of a single text."""
        return self._of.get(part, self._most)

    def total(self, parts: Iterable[Any]) -> float:
        """The weight of several parts together; exact, whatever their order."""
        return math.fsum(map(self.of, parts))

    def squared(self, parts: Iterable[Any]) -> float:
        """The product of two texts that share these parts."""
        return math.fsum(self.of(part) ** 2 for part in parts)

    def own(self, parts: Iterable[Any]) -> int:
        """How many of these parts exactly two texts have."""
        return sum(part in self._own for part in parts)


class Field:
    """Notes to compare: the roots and the packed letter runs of each, and the pairs that are near by vectors."""

    def __init__(
        self, texts: Iterable[Sequence[str]], runs: Iterable[bytes], meant: Mapping[_Pair, MeantPair]
    ) -> None:
        self.texts = list(texts)
        self._counts = Counter(chain.from_iterable(self.texts))
        self.weights = Weights(self._counts, len(self.texts))
        self._runs = [array("H", text) for text in runs]
        self._spelling = Weights(Counter(chain.from_iterable(self._runs)), len(self._runs))
        self._spelled = [math.sqrt(self._spelling.squared(own)) or 1.0 for own in self._runs]
        self._meant = meant

    def _by_roots(self) -> Iterator[list[tuple[float, int]]]:
        """The nearest of each note by rare roots, as (how near, place)."""
        lengths = [math.sqrt(self.weights.squared(own)) or 1.0 for own in self.texts]
        places: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
        for at, own in enumerate(self.texts):
            for root in own:
                if self._counts[root] <= _COMMON:
                    places[root].append(at)
        for at, own in enumerate(self.texts):
            shared: defaultdict[int, float] = defaultdict(float)
            for root in own:
                square = self.weights.of(root) ** 2
                for other in places.get(root, ()):
                    shared[other] += square
            shared.pop(at, None)
            nears = ((weight / (lengths[at] * lengths[other]), other) for other, weight in shared.items())
            yield nlargest(_TRIED, ((near, other) for near, other in nears if near >= _LEAST))

    def spelled(self, one: int, two: int) -> float:
        """How alike two notes are spelled."""
        shared = set(self._runs[one]).intersection(self._runs[two])
        return self._spelling.squared(shared) / (self._spelled[one] * self._spelled[two])

    def near(self) -> Iterator[tuple[_Pair, Figures]]:
        """The pairs of which one is among the nearest few of the other, by any measure, and how near they are.

        `rank` is how many notes are nearer to one of the two than the other, `third` how near the nearest other
        note is, as a share of how near the two are. The cosine of the vectors is -1 without any; for their rank
        see MeantPair.
        """
        by_roots: dict[_Pair, float] = {}
        for at, nearest in enumerate(self._by_roots()):
            for near, other in nearest:
                by_roots[min(at, other), max(at, other)] = near
        sums = {pair: near + self.spelled(*pair) for pair, near in by_roots.items()}
        for pair in self._meant:
            sums.setdefault(pair, self.spelled(*pair))
        best: list[list[tuple[float, int]]] = [[] for _ in self.texts]
        for (first, second), near in sums.items():
            best[first].append((near, second))
            best[second].append((near, first))
        best = [nlargest(KEPT, nearest) for nearest in best]
        for pair in sorted(sums):
            first, second = pair
            (rank_old, third_old), (rank_new, third_new) = (
                _beside(best[first], second),
                _beside(best[second], first),
            )
            if min(rank_old, rank_new) < KEPT or pair in self._meant:
                own, roots, meant = sums[pair] or 1.0, by_roots.get(pair, 0.0), self._meant.get(pair)
                yield (
                    pair,
                    {
                        "near by words": roots,
                        "near by spelling": sums[pair] - roots,
                        "rank for old": rank_old,
                        "rank for new": rank_new,
                        "third for old": third_old / own,
                        "third for new": third_new / own,
                        "near in meaning": meant.near if meant else -1.0,
                        "rank in meaning": meant.rank if meant else KEPT,
                        "words of old": len(self.texts[first]),
                        "words of new": len(self.texts[second]),
                    },
                )


def _beside(nearest: Sequence[tuple[float, int]], other: int) -> tuple[int, float]:
    """(how many notes are nearer than another one, how near the nearest of the rest is)."""
    rank = next((rank for rank, (_, place) in enumerate(nearest) if place == other), KEPT)
    return rank, next((near for near, place in nearest if place != other), 0.0)

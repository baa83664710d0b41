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
from typing import NamedTuple

from mdmem.garden.gardeners.proposal import MeantPair

KEPT = 6  # nearest notes of each that are kept
_TRIED = 12  # nearest notes by roots whose spelling is compared
_COMMON = 100  # a root that more notes than this have pairs no notes
_LEAST = 0.06  # cosine
_ONE_OF_TWO = 2


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


class Near(NamedTuple):
    """Two notes by their places, the first before the second.

    `ranks` are how many notes are nearer to the first, and to the second; `thirds` are how near the nearest other
    note is to each, as a share of how near the two are. `meant` is the cosine of their vectors, -1 without, and
    `meant_rank` as in MeantPair.
    """

    first: int
    second: int
    roots: float
    spelled: float
    ranks: tuple[int, int]
    thirds: tuple[float, float]
    meant: float
    meant_rank: int


class _Rare(NamedTuple):
    """How much each item of some lists weighs, squared, and how long each list is by these weights."""

    squares: Mapping[int, float]
    lengths: Sequence[float]


def _rare(lists: Sequence[array[int]], counts: Mapping[int, int]) -> _Rare:
    squares = {number: math.log(1 + len(lists) / count) ** 2 for number, count in counts.items()}
    return _Rare(squares, [math.sqrt(math.fsum(map(squares.__getitem__, own))) or 1.0 for own in lists])


class Field:
    """Notes to compare: the roots and the packed letter runs of each, and the pairs that are near by vectors."""

    def __init__(
        self, texts: Iterable[Sequence[str]], runs: Iterable[bytes], meant: Mapping[tuple[int, int], MeantPair]
    ) -> None:
        numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
        self.texts = [array("I", map(numbers.__getitem__, text)) for text in texts]
        self._counts = Counter(chain.from_iterable(self.texts))
        self.names = list(numbers)
        self.weights = Weights({self.names[at]: count for at, count in self._counts.items()}, len(self.texts))
        self._runs = [array("H", text) for text in runs]
        self._spelling = _rare(self._runs, Counter(chain.from_iterable(self._runs)))
        self._meant = meant

    def roots(self, at: int) -> frozenset[str]:
        """The roots of a note."""
        return frozenset(map(self.names.__getitem__, self.texts[at]))

    def _by_roots(self) -> Iterator[list[tuple[float, int]]]:
        """The nearest of each note by rare roots, as (how near, place)."""
        squares, lengths = _rare(self.texts, self._counts)
        places: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
        for at, own in enumerate(self.texts):
            for root in own:
                if self._counts[root] <= _COMMON:
                    places[root].append(at)
        for at, own in enumerate(self.texts):
            shared: defaultdict[int, float] = defaultdict(float)
            for root in own:
                square = squares[root]
                for other in places.get(root, ()):
                    shared[other] += square
            shared.pop(at, None)
            nears = ((weight / (lengths[at] * lengths[other]), other) for other, weight in shared.items())
            yield nlargest(_TRIED, ((near, other) for near, other in nears if near >= _LEAST))

    def spelled(self, one: int, two: int) -> float:
        """How alike two notes are spelled."""
        squares, lengths = self._spelling
        shared = set(self._runs[one]).intersection(self._runs[two])
        return math.fsum(map(squares.__getitem__, shared)) / (lengths[one] * lengths[two])

    def near(self) -> Iterator[Near]:
        """The pairs of which one is among the nearest few of the other, by any measure."""
        by_roots: dict[tuple[int, int], float] = {}
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
            ranks = _rank(best[first], second), _rank(best[second], first)
            if min(ranks) < KEPT or pair in self._meant:
                own = sums[pair] or 1.0
                thirds = _third(best[first], second) / own, _third(best[second], first) / own
                roots = by_roots.get(pair, 0.0)
                meant = self._meant.get(pair)
                by_meaning = (meant.near, meant.rank) if meant else (-1.0, KEPT)
                yield Near(first, second, roots, sums[pair] - roots, ranks, thirds, *by_meaning)


def _rank(nearest: Sequence[tuple[float, int]], other: int) -> int:
    return next((rank for rank, (_, place) in enumerate(nearest) if place == other), KEPT)


def _third(nearest: Sequence[tuple[float, int]], other: int) -> float:
    return next((near for near, place in nearest if place != other), 0.0)

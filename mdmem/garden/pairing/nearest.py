"""The few notes nearest to each, by the roots of their words and by their spelling.

Both are cosines, 0-1, in which rare roots and rare runs of letters count most. Each note is found by every root
that at most `_COMMON` notes have, so the work grows with the notes, not with their pairs; each keeps at most
`KEPT` others.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from heapq import heappush, heappushpop, nlargest
from typing import NamedTuple

from mdmem.garden.pairing.spelling import Spellings
from mdmem.language.alignment.nearness import Vocabulary

KEPT = 6  # nearest notes of each that are kept
_TRIED = 12  # nearest notes by roots whose spelling is compared
_COMMON = 100  # a root that more notes than this have pairs no notes
_LEAST = 0.06  # cosine


class NearTexts(NamedTuple):
    """Two notes by their places, the first before the second, and how they rank among the others.

    `roots` and `spelled` are how near the two are by each measure, 0-1. `ranks` are how many notes are nearer to
    the first, and to the second, by the sum of both; at most `KEPT`. `thirds` are how near the nearest other note
    is to each, as a share of how near the two are.
    """

    first: int
    second: int
    roots: float
    spelled: float
    ranks: tuple[int, int]
    thirds: tuple[float, float]


class _Nearest:
    """The nearest few of each text as (how near, place), the nearest first, in packed arrays."""

    def __init__(self) -> None:
        self._starts = array("L", [0])
        self._near = array("d")
        self._places = array("I")

    def add(self, found: Sequence[tuple[float, int]]) -> None:
        """Add the nearest of the next text."""
        self._near.extend(near for near, _ in found)
        self._places.extend(place for _, place in found)
        self._starts.append(len(self._places))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def of(self, at: int) -> list[tuple[float, int]]:
        """The nearest of the text at a place."""
        own = slice(self._starts[at], self._starts[at + 1])
        return list(zip(self._near[own], self._places[own], strict=True))


def near_notes(vocabulary: Vocabulary, spellings: Spellings) -> Iterator[NearTexts]:
    """Pairs of texts of which one is among the nearest few of the other; both arguments number the texts alike."""
    by_roots = _nearest(vocabulary)
    firsts, seconds = _pairs(by_roots)
    nears = array("d", map(partial(_near, by_roots), firsts, seconds))
    spelled = array("d", map(spellings.near, firsts, seconds))
    best: list[list[tuple[float, int]]] = [[] for _ in range(len(by_roots))]
    for first, second, near, alike in zip(firsts, seconds, nears, spelled, strict=True):
        _hold(best[first], (near + alike, second))
        _hold(best[second], (near + alike, first))
    for nearest in best:
        nearest.sort(reverse=True)
    for first, second, near, alike in zip(firsts, seconds, nears, spelled, strict=True):
        ranks = _rank(best[first], second), _rank(best[second], first)
        if min(ranks) < KEPT:
            both = near + alike
            thirds = _third(best[first], second) / both, _third(best[second], first) / both
            yield NearTexts(first, second, near, alike, ranks, thirds)


def _pairs(nearest: _Nearest) -> tuple[array[int], array[int]]:
    """The first and the second places of the pairs of texts of which one is among the other's nearest, sorted.

    Each pair is one number while they are collected: tuples would take several times the memory.
    """
    count = len(nearest)
    pairs = sorted({min(at, other) * count + max(at, other) for at in range(count) for _, other in nearest.of(at)})
    return array("I", (pair // count for pair in pairs)), array("I", (pair % count for pair in pairs))


def _near(nearest: _Nearest, first: int, second: int) -> float:
    """How near two texts are, of which one is among the nearest of the other."""
    own = next((near for near, place in nearest.of(first) if place == second), None)
    return own if own is not None else next(near for near, place in nearest.of(second) if place == first)


def _hold(nearest: list[tuple[float, int]], new: tuple[float, int]) -> None:
    """Add a text to a heap of the nearest few."""
    if len(nearest) < KEPT:
        heappush(nearest, new)
    else:
        heappushpop(nearest, new)


def _nearest(vocabulary: Vocabulary) -> _Nearest:
    """The nearest texts of each text, by roots that few texts have."""
    squares = array("d", (vocabulary.weights.of(root) ** 2 for root in vocabulary.roots))
    lengths = array("d", (math.sqrt(math.fsum(map(squares.__getitem__, own))) or 1.0 for own in vocabulary.sets))
    places: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
    for at, own in enumerate(vocabulary.sets):
        for root in own:
            if len(places[root]) <= _COMMON:
                places[root].append(at)
    nearest = _Nearest()
    for at, own in enumerate(vocabulary.sets):
        shared: defaultdict[int, float] = defaultdict(float)
        for root in own:
            if places[root][-1] >= at:  # else it was common before this text, and is not counted
                square = squares[root]
                for other in places[root]:
                    shared[other] += square
        shared.pop(at, None)
        nears = ((weight / (lengths[at] * lengths[other]), other) for other, weight in shared.items())
        nearest.add(nlargest(_TRIED, ((near, other) for near, other in nears if near >= _LEAST)))
    return nearest


def _rank(nearest: Sequence[tuple[float, int]], other: int) -> int:
    return next((rank for rank, (_, place) in enumerate(nearest) if place == other), KEPT)


def _third(nearest: Sequence[tuple[float, int]], other: int) -> float:
    return next((near for near, place in nearest if place != other), 0.0)

"""The nearest few notes of each, by the roots of their words and by how these are spelled.

Both are cosines, 0-1, in which counts most what few notes have. Each note is found by every root that at most
`_COMMON` notes have, so the work grows with the notes, and of each no more than `KEPT` others are looked at.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import nlargest

from mdmem.garden.pairing.spelling import Spellings
from mdmem.language.alignment.nearness import Vocabulary
from mdmem.values import NamedTuple

KEPT = 6  # of the nearest of each note
_TRIED = 12  # of the nearest by roots, whose spelling is compared
_COMMON = 100  # notes with a root, from which on it brings nobody together
_LEAST = 0.06  # cosine


class NearTexts(NamedTuple):
    """Two notes by their places, the first before the second, and how they stand among the others.

    `roots` and `spelled` are how near the two are, 0-1 each. `ranks` are how many notes are nearer to the first,
    and to the second, by both together; `KEPT` if too many. `thirds` are how near the nearest other note is to
    each, as a share of how near the two are.
    """

    first: int
    second: int
    roots: float
    spelled: float
    ranks: tuple[int, int]
    thirds: tuple[float, float]


def near_notes(vocabulary: Vocabulary, spellings: Spellings) -> Iterator[NearTexts]:
    """Each two texts of which one is among the nearest few of the other, by places that both sources share."""
    by_roots = _nearest(vocabulary)
    pairs = {(min(at, other), max(at, other)): near for at, found in enumerate(by_roots) for near, other in found}
    spelled = {pair: spellings.near(*pair) for pair in pairs}
    nearest: list[list[tuple[float, int]]] = [[] for _ in by_roots]
    for (first, second), near in pairs.items():
        both = near + spelled[first, second]
        nearest[first].append((both, second))
        nearest[second].append((both, first))
    nearest = [nlargest(KEPT, found) for found in nearest]
    for (first, second), near in sorted(pairs.items()):
        ranks = _rank(nearest[first], second), _rank(nearest[second], first)
        if min(ranks) < KEPT:
            both = near + spelled[first, second]
            thirds = _third(nearest[first], second) / both, _third(nearest[second], first) / both
            yield NearTexts(first, second, near, spelled[first, second], ranks, thirds)


def _nearest(vocabulary: Vocabulary) -> list[list[tuple[float, int]]]:
    """For each text (how near, place) of the nearest others, the nearest first."""
    squares = array("d", (vocabulary.weights.of(root) ** 2 for root in vocabulary.roots))
    lengths = array("d", (math.sqrt(math.fsum(map(squares.__getitem__, own))) or 1.0 for own in vocabulary.sets))
    found: list[list[tuple[float, int]]] = [[] for _ in vocabulary.sets]
    for at, near, other in _sharing(vocabulary.sets, squares, lengths):
        for mine, its in ((at, other), (other, at)):
            found[mine].append((near, its))
            if len(found[mine]) > 4 * _TRIED:
                found[mine] = nlargest(_TRIED, found[mine])
    return [nlargest(_TRIED, nearest) for nearest in found]


def _sharing(
    sets: Sequence[array[int]], squares: array[float], lengths: array[float]
) -> Iterator[tuple[int, float, int]]:
    """(place of a text, how near, place of one before it) of all that share a root which few have."""
    places: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
    for at, own in enumerate(sets):
        shared: defaultdict[int, float] = defaultdict(float)
        for root in own:
            having = places[root]
            if len(having) <= _COMMON:
                square = squares[root]
                for other in having:
                    shared[other] += square
                having.append(at)
        for other, weight in shared.items():
            near = weight / (lengths[at] * lengths[other])
            if near >= _LEAST:
                yield at, near, other


def _rank(nearest: Sequence[tuple[float, int]], other: int) -> int:
    return next((rank for rank, (_, place) in enumerate(nearest) if place == other), KEPT)


def _third(nearest: Sequence[tuple[float, int]], other: int) -> float:
    return next((near for near, place in nearest if place != other), 0.0)

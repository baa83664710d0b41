"""The nearest neighbours of texts: two are each other's only if no third text is as near to either.

A third that is as near points to a family of texts that differ in one thing each (ports, birthdays, rules of a
house). That holds in any language and costs little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from heapq import nlargest
from typing import NamedTuple

_KEPT = 3  # nearest texts of each that are kept; more add nothing


class NearPair(NamedTuple):
    """Two texts, by their places, and how near they are (above 0)."""

    first: int
    second: int
    near: float


class Neighbours:
    """The few texts nearest to each text."""

    def __init__(self, pairs: Iterable[NearPair]) -> None:
        nearest: dict[int, list[tuple[float, int]]] = defaultdict(list)
        for first, second, near in pairs:
            for mine, other in ((first, second), (second, first)):
                nearest[mine].append((near, -other))
                if len(nearest[mine]) > 4 * _KEPT:
                    nearest[mine] = nlargest(_KEPT, nearest[mine])
        self._nearest = {mine: nlargest(_KEPT, found) for mine, found in nearest.items()}

    def third(self, one: int, two: int) -> float:
        """How near the nearest other text is to one of two, as a share of how near they are to each other.

        0 if there is no other; above 1 if another is nearer; infinite if neither of the two is among the nearest
        of the other.
        """
        own = next((near for near, other in self._nearest.get(one, ()) if -other == two), 0.0)
        own = own or next((near for near, other in self._nearest.get(two, ()) if -other == one), 0.0)
        others = [near for near, other in self._nearest.get(one, ()) if -other != two]
        others += [near for near, other in self._nearest.get(two, ()) if -other != one]
        return max(others, default=0.0) / own if own else float("inf")

"""How close the amounts in two notes are: a price that rose is seldom ten times what it was."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import product

from mdmem.language.alignment.reading import Word

_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)(.*)")  # the root of a number, with its unit: 52, 1800s, 2000g


def ratio(one: Iterable[Word], two: Iterable[Word]) -> float:
    """The smaller of two amounts in one unit as a share of the larger, 0-1; the largest share of all such pairs.

    `one` and `two` are the words that only one of the two texts has. The known units are those of time, weight,
    length and volume; all other amounts, such as money, count as having none. The result is 0 if no unit is in
    both.
    """
    mine, other = _amounts(one), _amounts(two)
    pairs = (pair for unit in mine.keys() & other.keys() for pair in product(mine[unit], other[unit]))
    return max((min(pair) / max(pair) for pair in pairs), default=0.0)


def _amounts(words: Iterable[Word]) -> Mapping[str, set[float]]:
    """Unit ("" for an unknown one or none) -> the amounts over 0 that are given in it."""
    found: defaultdict[str, set[float]] = defaultdict(set)
    for word in words:
        amount = _AMOUNT.fullmatch(word.root) if word.kind == "number" else None
        if amount and float(amount[1]):
            found[amount[2]].add(float(amount[1]))
    return found

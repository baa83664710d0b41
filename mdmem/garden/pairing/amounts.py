"""How near the amounts are that two notes give: a price that rose is seldom ten times what it was."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import product

from mdmem.language.alignment.reading import Word

_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)(.*)")  # as the root of a number has it, a measure behind: 52, 1800s, 2000g


def ratio(one: Iterable[Word], two: Iterable[Word]) -> float:
    """How much of the larger of two amounts of one unit the smaller one is, 0-1; of several pairs, the most.

    `one` and `two` are words that only one of two texts has. Units are those of time, weight, length and volume;
    of other amounts, such as money, it is not known of what they are. It is 0 where no unit is in both.
    """
    mine, other = _amounts(one), _amounts(two)
    pairs = (pair for unit in mine.keys() & other.keys() for pair in product(mine[unit], other[unit]))
    return max((min(pair) / max(pair) for pair in pairs), default=0.0)


def _amounts(words: Iterable[Word]) -> Mapping[str, set[float]]:
    """Unit, "" for another one or none -> the amounts over 0 that are given in it."""
    found: defaultdict[str, set[float]] = defaultdict(set)
    for word in words:
        amount = _AMOUNT.fullmatch(word.root) if word.kind == "number" else None
        if amount and float(amount[1]):
            found[amount[2]].add(float(amount[1]))
    return found

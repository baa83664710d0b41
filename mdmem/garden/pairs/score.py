"""A small fitted scorer: trees of three questions each, added up, and a curve from their sum to a confidence.

The weights are data (`data/pairs.json`, `data/cues.tsv`), fitted by `python -m tests.bench.pairs_fit --write`.
"""

from __future__ import annotations

import json
import math
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from mdmem.language.sureness import on_curve

FIRST, TWIN, CONFLICT = "first", "twin", "conflict"
KINDS = (TWIN, CONFLICT)
DEPTH = 3  # questions of a tree
_INNER = 2**DEPTH - 1
_SHOWN = 5  # heaviest figures that are told


def tree(flat: Sequence[float], at: int = 0) -> Any:
    """The first question of a tree as the data has it: places, starts, and what each way adds, level by level.

    A question `value of a figure >= start?` is the place of the figure, the start, and what follows for no and for
    yes: another question or, in the end, what the way through the tree adds (log-odds).
    """
    told = flat[_INNER + at]
    if at >= _INNER:
        return told
    return int(flat[at]), told, tree(flat, 2 * at + 1), tree(flat, 2 * at + 2)


class Scorer(NamedTuple):
    """What says how likely two notes are of a kind: the figures it asks for, its trees, and its curve.

    `usual` are the figures of a usual pair, beside which a figure is heavy. A sum below `least` is no more than
    a pair that is not looked at further.
    """

    figures: Sequence[str]
    usual: Sequence[float]
    bias: float
    trees: Sequence[Any]
    curve: Sequence[tuple[float, float]]
    least: float

    def values(self, figures: Mapping[str, float]) -> list[float]:
        return [float(figures.get(name, 0.0)) for name in self.figures]

    def total(self, values: Sequence[float]) -> float:
        """The sum of all trees, in log-odds."""
        total = self.bias
        for root in self.trees:  # DEPTH questions each
            place, start, no, yes = root
            place, start, no, yes = yes if values[place] >= start else no
            place, start, no, yes = yes if values[place] >= start else no
            total += yes if values[place] >= start else no
        return total

    def confidence(self, total: float) -> float:
        """The share of pairs with this sum that are of the kind, 0-1."""
        return on_curve(self.curve, total)

    def heaviest(self, figures: Mapping[str, float]) -> list[tuple[str, float, float]]:
        """The figures that speak most for or against: (name, value, log-odds beside a usual value)."""
        values = self.values(figures)
        whole = self.total(values)
        found = []
        for at, name in enumerate(self.figures):
            without = [*values[:at], self.usual[at], *values[at + 1 :]]
            found.append((name, round(values[at], 2), round(whole - self.total(without), 2)))
        return sorted(found, key=lambda one: -abs(one[2]))[:_SHOWN]


@cache
def _fitted() -> Any:
    with open(os.path.join(os.path.dirname(__file__), "data", "pairs.json"), encoding="utf-8") as file:
        return json.load(file)


@cache
def scorer(kind: str) -> Scorer:
    """The scorer of a kind of pair, or the one of the first look."""
    told = _fitted()
    own = told[kind]
    trees = [tree(flat) for flat in own["trees"]]
    curve = [(at, share) for at, share in own["curve"]]
    return Scorer(told["figures"], told["usual"], own["bias"], trees, curve, own["least"])


def settled(
    pairs: Sequence[tuple[str, str]], twins: Sequence[float], conflicts: Sequence[float]
) -> tuple[list[float], list[float]]:
    """The sums of pairs, each of two notes, lowered by what speaks against them beside their own figures.

    The more surely two notes say the same, the less they exclude each other; and of two pairs that share a note,
    the lower one is lowered further by as much as the other exceeds it.
    """
    clashing = [clash - math.log1p(math.exp(twin)) for twin, clash in zip(twins, conflicts, strict=True)]
    return _against_rivals(pairs, twins), _against_rivals(pairs, clashing)


def _against_rivals(pairs: Sequence[tuple[str, str]], sums: Sequence[float]) -> list[float]:
    best: defaultdict[str, float] = defaultdict(lambda: -math.inf)  # note -> its highest sum
    for pair, total in zip(pairs, sums, strict=True):
        for name in pair:
            best[name] = max(best[name], total)
    highest = (max(map(best.__getitem__, pair)) for pair in pairs)
    return [2 * total - most for total, most in zip(sums, highest, strict=True)]

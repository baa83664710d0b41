"""Nominates the pairs of notes that may say the same or exclude each other, each with how sure that is.

What says so is a small fitted scorer: trees of three questions each, added up, and a curve from their sum to a
confidence. The weights are data (`data/pairs.json`, `data/cues.tsv`), fitted by
`python -m tests.bench.pairs_fit --write`.
"""

from __future__ import annotations

import json
import math
import os
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import LIKELY, Figure, JudgedPair, MeantPair
from mdmem.garden.pairs import figures, words
from mdmem.garden.pairs.figures import Told
from mdmem.garden.pairs.near import Field, Figures, Weights
from mdmem.language.likeness import denies, swapped
from mdmem.language.sureness import SURE, on_curve

_Meant = Sequence[MeantPair]
_APART = 7.0  # days; at a write notes of fewer are compared as if so many lay between
_HELD = 500  # notes that are kept as they were read for comparison
FIRST, TWIN, CONFLICT = "first", "twin", "conflict"
KINDS = (TWIN, CONFLICT)
DEPTH = 3  # questions of a tree
_INNER = 2**DEPTH - 1
_SHOWN = 5  # heaviest figures that are told


class Candidate(NamedTuple):
    """Two notes that are near, the older one first, read, with the figures of the first look."""

    older: Told
    newer: Told
    figures: Figures
    weights: Weights

    def whole(self) -> Figures:
        """All figures."""
        return {**self.figures, **figures.second_look(self.older, self.newer, self.weights)}


def comparable(notes: Sequence[Note], of: str = "") -> list[Note]:
    """The notes that may be merged or superseded as a whole, the oldest first.

    Of notes of the same second the one at the path `of`, which was just written, is the newest.
    """
    active = (note for note in notes if note.may_give_way)
    short = (note for note in active if note.length <= words.LONGEST)
    return sorted(short, key=lambda note: (note.moment, note.path == of, note.age_order))


def candidates(
    notes: Sequence[Note], meant: _Meant = (), first: Scorer | None = None, of: str = ""
) -> Iterator[Candidate]:
    """The near pairs among notes, given the oldest first; with a `first` scorer, those that pass its look.

    `of` is the path of a note that has to be one of the two.
    """
    places = {note.path: at for at, note in enumerate(notes)}
    field = Field(map(words.indexed, notes), _by_places(places, meant))
    told = lru_cache(_HELD)(lambda at: figures.told(notes[at], field.roots(at)))
    for (first_at, second_at), nearness in field.near():
        older, newer = notes[first_at], notes[second_at]
        is_asked = not of or of in (older.path, newer.path)
        if not (is_asked and may_be_compared(older, newer)):
            continue
        found = {**nearness, **figures.first_look(older, newer)}
        if of and not (older.tags and newer.tags):
            found["tags shared"] = 1.0  # unknown, so as usual: most people tag nothing as they write
        if of:
            found["days apart"] = max(found["days apart"], _APART)
        if first is None or first.total(first.values(found)) >= first.least:
            yield Candidate(told(first_at), told(second_at), found, field.weights)


def _by_places(places: Mapping[str, int], meant: _Meant) -> dict[tuple[int, int], MeantPair]:
    known = [pair for pair in meant if pair.first in places and pair.second in places]
    ordered = ((sorted((places[pair.first], places[pair.second])), pair) for pair in known)
    return {(first, second): pair for (first, second), pair in ordered}


def may_be_compared(one: Note, two: Note) -> bool:
    """Whether two notes are of one project and scope, and no link between them says how they stand already."""
    return one.circle == two.circle and not one.is_linked_with(two)


def judged(
    notes: Sequence[Note], meant: _Meant = (), least: float = LIKELY, why: bool = False, of: str = ""
) -> tuple[JudgedPair, ...]:
    """The pairs of notes that are at least `least` (0-1) sure to be twins or to be in conflict.

    With `why`, each says which figures were heaviest, which takes as long again as to find them. `of` is the path
    of a note that has to be one of the two.
    """
    scorers = [scorer(kind) for kind in KINDS]
    names: list[tuple[str, str]] = []
    sums = array("d"), array("d")
    likely: dict[int, JudgedPair] = {}  # place of a pair -> the pair; the others only compete with these
    opposed: dict[int, float] = {}  # of pairs that are no twins, however alike: how sure a conflict is, at most
    for one in candidates(comparable(notes, of), meant, scorer(FIRST), of):
        whole = one.whole()
        values = scorers[0].values(whole)
        for each, kind in zip(sums, scorers, strict=True):
            each.append(kind.total(values))
        names.append((one.older.note.path, one.newer.note.path))
        twin, conflict = (each.confidence(own[-1]) for each, own in zip(scorers, sums, strict=True))
        if max(twin, conflict) >= least:
            old, new = figures.telling(one.older, one.newer, one.weights)
            heaviest = scorers[conflict > twin].heaviest(whole) if why else ()
            at = len(names) - 1
            likely[at] = JudgedPair(*names[-1], twin, conflict, old, new, tuple(heaviest))
            if swapped(old.text, new.text, directed=True):
                opposed[at] = 1.0
            elif denies(one.older.text, one.newer.text):
                opposed[at] = SURE["conflict.denied"]
    twins, conflicts = settled(names, *sums)
    for at, pair in likely.items():
        twin, conflict = scorers[0].confidence(twins[at]), scorers[1].confidence(conflicts[at])
        if at in opposed:
            twin, conflict = 0.0, max(min(twin, opposed[at]), conflict)
        likely[at] = pair._replace(twin=twin, conflict=conflict)
    return tuple(pair for pair in likely.values() if max(pair.twin, pair.conflict) >= least)


# -- the scorer ----------------------------------------------------------------------------------------------


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

    `figures` are their names, with the place of each among the values. `usual` are those of a usual pair, beside
    which a figure is heavy. A sum below `least` is no more than a pair that is not looked at further.
    """

    figures: Mapping[str, int]
    usual: Sequence[float]
    bias: float
    trees: Sequence[Any]
    curve: Sequence[tuple[float, float]]
    least: float

    def values(self, figures: Mapping[str, float]) -> list[float]:
        found = [0.0] * len(self.figures)
        for name, value in figures.items():
            if name in self.figures:
                found[self.figures[name]] = float(value)
        return found

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

    def heaviest(self, figures: Mapping[str, float]) -> list[Figure]:
        """The figures that speak most for or against: (name, value, log-odds beside a usual value)."""
        values = self.values(figures)
        whole = self.total(values)
        found = []
        for name, at in self.figures.items():
            without = [*values[:at], self.usual[at], *values[at + 1 :]]
            found.append(Figure(name, round(values[at], 2), round(whole - self.total(without), 2)))
        return sorted(found, key=lambda one: -abs(one.weight))[:_SHOWN]


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
    places = {name: at for at, name in enumerate(told["figures"])}
    return Scorer(places, told["usual"], own["bias"], trees, curve, own["least"])


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

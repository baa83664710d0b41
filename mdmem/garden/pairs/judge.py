"""Nominates the pairs of notes that may say the same or exclude each other, each with how sure that is."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import LIKELY, JudgedPair, MeantPair
from mdmem.garden.pairs import figures, near, score, words
from mdmem.garden.pairs.figures import Figures, Told
from mdmem.garden.pairs.near import Weights
from mdmem.language.likeness import swapped
from mdmem.store.appendonly import IMMUTABLE
from mdmem.store.index.edges import fold_target

_Meant = Sequence[MeantPair]
_APART = 7.0  # days; at a write notes of fewer are compared as if so many lay between
_HELD = 2_000  # notes that are kept as they were read for comparison


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
    active = (note for note in notes if note.is_active and note.text("type") not in IMMUTABLE)
    short = (note for note in active if note.length <= words.LONGEST)
    return sorted(short, key=lambda note: (note.moment, note.path == of, note.age_order))


def candidates(
    notes: Sequence[Note], meant: _Meant = (), first: score.Scorer | None = None, of: str = ""
) -> Iterator[Candidate]:
    """The near pairs among notes, given the oldest first; with a `first` scorer, those that pass its look.

    `of` is the path of a note that has to be one of the two.
    """
    places = {note.path: at for at, note in enumerate(notes)}
    field = near.Field(
        (words.roots(note) for note in notes),
        (words.runs(note) for note in notes),
        _by_places(places, meant),
    )
    told = lru_cache(_HELD)(lambda at: figures.told(notes[at], field.roots(at)))
    for pair in field.near():
        older, newer = notes[pair.first], notes[pair.second]
        is_asked = not of or of in (older.path, newer.path)
        if not (is_asked and may_be_compared(older, newer)):
            continue
        found = figures.first_look(
            pair, older, newer, (len(field.texts[pair.first]), len(field.texts[pair.second]))
        )
        if of and not (older.tags and newer.tags):
            found["tags shared"] = 1.0  # unknown, so as usual: most people tag nothing as they write
        if of:
            found["days apart"] = max(found["days apart"], _APART)
        if first is None or first.total(first.values(found)) >= first.least:
            yield Candidate(told(pair.first), told(pair.second), found, field.weights)


def _by_places(places: Mapping[str, int], meant: _Meant) -> dict[tuple[int, int], MeantPair]:
    known = [pair for pair in meant if pair.first in places and pair.second in places]
    ordered = ((sorted((places[pair.first], places[pair.second])), pair) for pair in known)
    return {(first, second): pair for (first, second), pair in ordered}


def may_be_compared(one: Note, two: Note) -> bool:
    """Whether two notes are of one project and scope, and no link between them says how they stand already."""
    pairs = ((one, two), (two, one))
    is_linked = any(fold_target(there.path) in {target for target, *_ in here.links} for here, there in pairs)
    return one.circle == two.circle and not is_linked


def judged(
    notes: Sequence[Note], meant: _Meant = (), least: float = LIKELY, why: bool = False, of: str = ""
) -> tuple[JudgedPair, ...]:
    """The pairs of notes that are at least `least` (0-1) sure to be twins or to be in conflict.

    With `why`, each says which figures were heaviest, which takes as long again as to find them. `of` is the path
    of a note that has to be one of the two.
    """
    scorers = [score.scorer(kind) for kind in score.KINDS]
    names: list[tuple[str, str]] = []
    sums = array("d"), array("d")
    likely: dict[int, JudgedPair] = {}  # place of a pair -> the pair; the others only compete with these
    for one in candidates(comparable(notes, of), meant, score.scorer(score.FIRST), of):
        whole = one.whole()
        values = scorers[0].values(whole)
        for each, scorer in zip(sums, scorers, strict=True):
            each.append(scorer.total(values))
        names.append((one.older.note.path, one.newer.note.path))
        twin, conflict = (each.confidence(own[-1]) for each, own in zip(scorers, sums, strict=True))
        if max(twin, conflict) >= least:
            old, new = figures.telling(one.older, one.newer, one.weights)
            heaviest = scorers[conflict > twin].heaviest(whole) if why else ()
            likely[len(names) - 1] = JudgedPair(*names[-1], twin, conflict, old, new, tuple(heaviest))
    twins, conflicts = score.settled(names, *sums)
    found = (
        _unturned(pair, scorers[0].confidence(twins[at]), scorers[1].confidence(conflicts[at]))
        for at, pair in likely.items()
    )
    return tuple(pair for pair in found if max(pair.twin, pair.conflict) >= least)


def _unturned(pair: JudgedPair, twin: float, conflict: float) -> JudgedPair:
    """A pair with its confidences; notes that compare the other way round are in conflict, however alike."""
    if swapped(pair.old.text, pair.new.text, directed=True):
        twin, conflict = 0.0, max(twin, conflict)
    return pair._replace(twin=twin, conflict=conflict)

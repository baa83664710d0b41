"""Finds the pairs of notes that say the same or contradict each other, by one model with fitted weights.

The candidates are the few notes nearest to each note. A first look drops most of them, and only the texts of the
rest are aligned. In a tiny vault the neighbours say too little, and nothing is judged.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import LIKELY, Evidence, JudgedPair
from mdmem.garden.pairing import features, texts, weights
from mdmem.garden.pairing.features import ComparedNote, Figures
from mdmem.garden.pairing.nearest import near_notes
from mdmem.garden.pairing.spelling import Spellings, runs
from mdmem.index.edges import fold_target
from mdmem.language.alignment import reading
from mdmem.language.alignment.nearness import Vocabulary
from mdmem.language.alignment.sides import Alignment, Weights, align
from mdmem.language.alignment.slots import VALUE_KINDS
from mdmem.language.disagreement import verdict
from mdmem.language.sureness import on_curve
from mdmem.local import workers
from mdmem.note import links
from mdmem.note.appendonly import IMMUTABLE

_LEAST_NOTES = 20  # with fewer, one subject fills the vault, and no word is rare
_LONGEST = 1000  # characters of a note that is judged as a whole
_LEAST_BESIDE = 2  # words of its own in each sentence, to which a denial may belong instead
_MANY = 1_500  # pairs from which several processes are faster than one
_TASK = f"{__name__}:second_look"  # the name by which workers find it
KINDS = ("twin", "conflict")

Steps = Sequence[tuple[float, float]]  # (value of a figure, weight added from there on), by rising values


class ReadPair(NamedTuple):
    """Two notes that are near, the older one first, with their figures and the alignment of their texts."""

    older: Note
    newer: Note
    figures: Figures
    aligned: Alignment


def judged(notes: Sequence[Note], least: float = LIKELY) -> tuple[JudgedPair, ...] | None:
    """The pairs of notes that are twins or in conflict, at least `least` sure; None if there are too few notes."""
    fit = comparable(notes)
    if len(fit) < _LEAST_NOTES:
        return None
    names: list[tuple[str, str]] = []
    scores = {kind: array("d") for kind in KINDS}
    likely: dict[int, JudgedPair] = {}  # place of a pair -> the pair, if sure enough: rivals only lower its score
    vocabulary = Vocabulary(note.derived(texts.roots) for note in fit)
    asked = _asked(fit, vocabulary, weights.FIRST_LEAST)
    with workers.shared_out(_TASK, LookedFor(vocabulary.weights, least), asked, _MANY) as looks:
        for at, look in enumerate(looks):
            names.append((fit[look.older].path, fit[look.newer].path))
            for kind, score in zip(KINDS, look.scores, strict=True):
                scores[kind].append(score)
            if look.pair is not None:
                likely[at] = look.pair
    twins, conflicts = settled(names, scores["twin"], scores["conflict"])
    found = (
        pair._replace(twin=confidence("twin", twins[at]), conflict=confidence("conflict", conflicts[at]))
        for at, pair in likely.items()
    )
    return tuple(pair for pair in found if max(pair.twin, pair.conflict) >= least)


def settled(
    pairs: Sequence[tuple[str, str]], twins: Sequence[float], conflicts: Sequence[float]
) -> tuple[list[float], list[float]]:
    """The scores of pairs (of two paths each) as twins and as conflicts, lowered by what speaks against them.

    The more surely two notes say the same, the less they contradict each other. Pairs that share a note compete,
    unless their other two notes say the same: then both may be its twins, or both contradict it.
    """
    alike = {frozenset(pair) for pair, twin in zip(pairs, twins, strict=True) if twin >= 0}
    clashing = [clash - math.log1p(math.exp(twin)) for twin, clash in zip(twins, conflicts, strict=True)]
    return _against_rivals(pairs, twins, alike), _against_rivals(pairs, clashing, alike)


class _Rival(NamedTuple):
    """The other note of a pair, and the score of that pair."""

    name: str
    score: float


def _against_rivals(
    pairs: Sequence[tuple[str, str]], scores: Sequence[float], alike: Set[frozenset[str]]
) -> list[float]:
    """The scores of pairs, each lowered by as much as the best competing pair exceeds it.

    Pairs that share a note compete, unless their other notes are `alike`.
    """
    rivals: defaultdict[str, list[_Rival]] = defaultdict(list)
    for (one, two), score in zip(pairs, scores, strict=True):
        rivals[one].append(_Rival(two, score))
        rivals[two].append(_Rival(one, score))
    lowered = []
    for (one, two), score in zip(pairs, scores, strict=True):
        highest = max(_highest(rivals[one], two, alike), _highest(rivals[two], one, alike))
        lowered.append(score - (highest - score))
    return lowered


def _highest(rivals: Sequence[_Rival], other: str, alike: Set[frozenset[str]]) -> float:
    """The highest score of the rivals that are not `alike` to `other`, which is one of them itself."""
    return max(rival.score for rival in rivals if frozenset((rival.name, other)) not in alike)


def comparable(notes: Sequence[Note]) -> list[Note]:
    """The notes that may be merged or superseded as a whole, the oldest first."""
    active = (note for note in notes if note.is_active and note.text("type") not in IMMUTABLE)
    fit = [note for note in active if note.length <= _LONGEST]
    return sorted(fit, key=lambda note: note.age_order)


def spelled(note: Note) -> bytes:
    """The packed letter runs of a note; empty for one that is too long to be judged as a whole."""
    return runs(links.apart(texts.indexed(note))[0]) if note.length <= _LONGEST else b""


def candidates(notes: Sequence[Note], least: float = weights.FIRST_LEAST) -> Iterator[ReadPair]:
    """The pairs of notes that are worth a second look; the notes are given the oldest first.

    `least` is the lowest score at the first look.
    """
    vocabulary = Vocabulary(note.derived(texts.roots) for note in notes)
    for pair in _asked(notes, vocabulary, least):
        yield _candidate(pair, vocabulary.weights)


class _AskedPair(NamedTuple):
    """Two notes that passed the first look: their places, their roots, and the figures of that look."""

    places: tuple[int, int]
    older: Note
    newer: Note
    roots_old: frozenset[str]
    roots_new: frozenset[str]
    figures: Figures


def _asked(notes: Sequence[Note], vocabulary: Vocabulary, least: float) -> Iterator[_AskedPair]:
    """The pairs that pass the first look, as in `candidates`."""
    spellings = Spellings(note.derived(spelled) for note in notes)
    known = [features.figures_of(note) for note in notes]
    for near in near_notes(vocabulary, spellings):
        old, new = known[near.first], known[near.second]
        older, newer = notes[near.first], notes[near.second]
        if old.circle == new.circle and not _are_linked(older, newer):
            sizes = len(vocabulary.sets[near.first]), len(vocabulary.sets[near.second])
            figures = features.first_look(near, old, new, sizes)
            if weighed(figures, weights.FIRST_LOOK, weights.FIRST_BIAS) >= least:
                roots = vocabulary.roots_of(near.first), vocabulary.roots_of(near.second)
                yield _AskedPair((near.first, near.second), older, newer, *roots, figures)


class SecondLook(NamedTuple):
    """The places of two notes, their scores for each of `KINDS`, and the described pair if it may be either."""

    older: int
    newer: int
    scores: tuple[float, ...]
    pair: JudgedPair | None


class LookedFor(NamedTuple):
    """What `second_look` needs to know: the weight of each root, and how sure a pair must be to be described."""

    rarity: Weights
    least: float


def second_look(wanted: LookedFor, asked: _AskedPair) -> SecondLook:
    """The task of a worker: align the two texts and score the pair."""
    candidate = _candidate(asked, wanted.rarity)
    scores = tuple(weighed(candidate.figures, weights.WEIGHTS[kind], weights.BIAS[kind]) for kind in KINDS)
    may_be = any(confidence(kind, score) >= wanted.least for kind, score in zip(KINDS, scores, strict=True))
    return SecondLook(*asked.places, scores, _described(candidate) if may_be else None)


def _are_linked(one: Note, two: Note) -> bool:
    """Whether one of two notes links to the other: then their relation has been stated already."""
    if not (one.links or two.links):
        return False
    pairs = ((one, two), (two, one))
    return any(fold_target(there.path) in {target for target, *_ in here.links} for here, there in pairs)


def _read(note: Note, roots: frozenset[str]) -> ComparedNote:
    said = texts.said(note)
    return ComparedNote(note, roots, note.body, reading.read(said), verdict.words_of(said))


def _candidate(asked: _AskedPair, rarity: Weights) -> ReadPair:
    old, new = _read(asked.older, asked.roots_old), _read(asked.newer, asked.roots_new)
    aligned = align(old.said, new.said, rarity)
    more = features.second_look(old, new, aligned, rarity, asked.figures["nearer third"])
    return ReadPair(asked.older, asked.newer, asked.figures | more, aligned)


def weighed(figures: Figures, table: Mapping[str, Steps], bias: float) -> float:
    """The bias and the weights of a table that the figures reach, added up."""
    total = 0.0
    for name, row in table.items():
        value = figures.get(name, 0.0)
        for start, more in row:
            if value < start:
                break
            total += more
    return bias + total


def confidence(kind: str, score: float) -> float:
    """The share of pairs with this score that are of a kind ("twin", "conflict"), 0-1; it rises with the score."""
    return on_curve(weights.CONFIDENCE[kind], score)


def _described(candidate: ReadPair) -> JudgedPair:
    """The pair with its evidence; how sure it is (0 here) is known only when all scores are settled."""
    aligned = candidate.aligned
    before, after = _telling_pair(candidate)
    told = sum(len(pair.shared) for pair in aligned.pairs) + int(candidate.figures["words retold"])
    return JudgedPair(
        candidate.older.path,
        candidate.newer.path,
        0.0,
        0.0,
        _evidence(candidate.older, before),
        _evidence(candidate.newer, after),
        beside=len(aligned.left_first),
        fitting=told,
        differ=differ(candidate),
        of_another=verdict.is_of_another(aligned),
    )


def differ(candidate: ReadPair) -> bool:
    """Whether each of two notes has a value that the other lacks, or one denies what the other says.

    If both sentences say something else besides, the denial may belong to that: "not on the leaves", "keep them
    dry".
    """
    denials = [pair for pair in candidate.aligned.pairs if pair.turned]
    is_denied = any(min(len(pair.alone_first), len(pair.alone_second)) < _LEAST_BESIDE for pair in denials)
    return is_denied or any(candidate.figures[f"other {kind} in each"] for kind in VALUE_KINDS)


def _telling_pair(candidate: ReadPair) -> tuple[str, str]:
    """The sentences that contradict each other, or else those that fit best, or else the titles."""
    pairs = candidate.aligned.pairs
    if not pairs:
        return candidate.older.title, candidate.newer.title
    telling = next((pair for pair in pairs if pair.turned or pair.slots), pairs[0])
    return telling.first.text, telling.second.text


def _evidence(note: Note, sentence: str) -> Evidence:
    before, _, _ = note.body.partition(sentence)
    return Evidence(note.path, note.body_line + before.count("\n"), sentence)

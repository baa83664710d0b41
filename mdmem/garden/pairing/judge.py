"""The pairs of notes that say the same or contradict each other, by one judgement with fitted weights.

Who is nearest to whom gives the candidates, a few for each note; a first look leaves most of them aside, and only
of the rest the texts are laid side by side. In a tiny vault neighbours tell too little, and nothing is judged.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

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
from mdmem.values import NamedTuple

_LEAST_NOTES = 20  # below, one subject fills the vault, and no word is rare
_LONGEST = 1000  # characters of a note that is judged as a whole
_LEAST_BESIDE = 2  # words that each of two sentences has alone, of which one denies what the other says
_MANY = 1_500  # pairs, from which on other processes are sooner than this one alone
_TASK = f"{__name__}:second_look"  # as workers know it
KINDS = ("twin", "conflict")

Steps = Sequence[tuple[float, float]]  # (from this value of a figure on, so much more), by rising values


class ReadPair(NamedTuple):
    """Two notes that are near, the older one first, and what is known of them."""

    older: Note
    newer: Note
    figures: Figures
    aligned: Alignment


def judged(notes: Sequence[Note], least: float = LIKELY) -> tuple[JudgedPair, ...] | None:
    """Every two of some notes that are twins or in conflict, from the confidence `least` on; None if too few."""
    fit = comparable(notes)
    if len(fit) < _LEAST_NOTES:
        return None
    names: list[tuple[str, str]] = []
    scores = {kind: array("d") for kind in KINDS}
    likely: dict[int, JudgedPair] = {}  # place of a pair -> what tells, if it may be sure: others only lower that
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
    """The sums of weights of some pairs of names for both kinds, when all that speaks against them is taken off.

    The more surely two notes say the same, the less do they contradict each other. And what contradicts one of two
    notes that say the same, or says the same as one of them, may be so to both.
    """
    alike = {frozenset(pair) for pair, twin in zip(pairs, twins, strict=True) if twin >= 0}
    clashing = [clash - math.log1p(math.exp(twin)) for twin, clash in zip(twins, conflicts, strict=True)]
    return _against_rivals(pairs, twins, alike), _against_rivals(pairs, clashing, alike)


class _Rival(NamedTuple):
    """A note that is in a pair with another one, and the score of the two."""

    name: str
    score: float


def _against_rivals(
    pairs: Sequence[tuple[str, str]], scores: Sequence[float], alike: Set[frozenset[str]]
) -> list[float]:
    """The sums of weights of pairs, each less what another pair with one of its notes has more than it.

    Pairs whose other notes are `alike` do not compete.
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
    """The highest score of the rivals that are not `alike` to another note, which is one of them itself."""
    return max(rival.score for rival in rivals if frozenset((rival.name, other)) not in alike)


def comparable(notes: Sequence[Note]) -> list[Note]:
    """The notes that may be merged or superseded as a whole, the oldest first."""
    active = (note for note in notes if note.is_active and note.text("type") not in IMMUTABLE)
    fit = [note for note in active if note.length <= _LONGEST]
    return sorted(fit, key=lambda note: note.age_order)


def spelled(note: Note) -> bytes:
    """The runs of letters of a note that is judged as a whole, packed."""
    return runs(links.apart(texts.indexed(note))[0]) if note.length <= _LONGEST else b""


def candidates(notes: Sequence[Note], least: float = weights.FIRST_LEAST) -> Iterator[ReadPair]:
    """The pairs of notes, given the oldest first, that are worth a second look.

    `least` is the sum of weights at the first one.
    """
    vocabulary = Vocabulary(note.derived(texts.roots) for note in notes)
    for pair in _asked(notes, vocabulary, least):
        yield _candidate(pair, vocabulary.weights)


class _AskedPair(NamedTuple):
    """Two notes that a first look did not leave aside, by their places, too; their roots, and its figures."""

    places: tuple[int, int]
    older: Note
    newer: Note
    roots_old: frozenset[str]
    roots_new: frozenset[str]
    figures: Figures


def _asked(notes: Sequence[Note], vocabulary: Vocabulary, least: float) -> Iterator[_AskedPair]:
    """See `candidates`."""
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
    """The places of two notes, their sums of weights for each of `KINDS`, and what tells if they may be either."""

    older: int
    newer: int
    scores: tuple[float, ...]
    pair: JudgedPair | None


class LookedFor(NamedTuple):
    """How much each root tells, and the confidence from which on a pair is described."""

    rarity: Weights
    least: float


def second_look(wanted: LookedFor, asked: _AskedPair) -> SecondLook:
    """The task of a worker: two texts laid side by side."""
    candidate = _candidate(asked, wanted.rarity)
    scores = tuple(weighed(candidate.figures, weights.WEIGHTS[kind], weights.BIAS[kind]) for kind in KINDS)
    may_be = any(confidence(kind, score) >= wanted.least for kind, score in zip(KINDS, scores, strict=True))
    return SecondLook(*asked.places, scores, _described(candidate) if may_be else None)


def _are_linked(one: Note, two: Note) -> bool:
    """Whether one of two notes has a link to the other: what they are to each other was said, then."""
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
    """The sum of the weights that some figures reach."""
    total = 0.0
    for name, row in table.items():
        value = figures.get(name, 0.0)
        for start, more in row:
            if value < start:
                break
            total += more
    return bias + total


def confidence(kind: str, score: float) -> float:
    """How many of those with that sum of weights are of a kind ("twin", "conflict"), 0-1; rising evenly."""
    return on_curve(weights.CONFIDENCE[kind], score)


def _described(candidate: ReadPair) -> JudgedPair:
    """What tells of two notes, while it is not known yet how sure they are."""
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

    Where both sentences say something else besides, a no may belong to that: "not on the leaves", "keep them dry".
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

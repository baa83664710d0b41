"""Notes that contradict each other in free text: each the nearest to the other among those that could.

An older note and one written weeks later are rivals if no third note is as near to either, and the newer one gives
another value, denies what the older one says, or says that something has changed. A third as near points to a
family of notes, such as ports or birthdays. Of notes written within days of each other only the nearest two are
rivals, if the newer says that what the older one says is over; a person decides about them.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from heapq import nlargest
from typing import NamedTuple

from mdmem.garden.gardeners.note import SAME_DAYS, Note
from mdmem.garden.gardeners.proposal import Evidence
from mdmem.language.alignment import reading
from mdmem.language.alignment.nearness import Vocabulary
from mdmem.language.alignment.neighbours import NearPair, Neighbours
from mdmem.language.alignment.sides import Alignment, align
from mdmem.language.disagreement import verdict
from mdmem.language.replacement import claims
from mdmem.language.sureness import SURE

_LONGEST = 600  # characters of the longest note that one sentence may overturn
_COMMON = 40  # a root that more notes than this have pairs no notes
_TRIED = 3  # nearest older notes that each is compared with
_LEAST_NEAR = 0.2  # cosine of the weights of their roots (0-1) below which two notes are about two things
_LEAST_OWN = 0.1  # the same for two notes that share a word no third note has
_SURE_IF_OWN = frozenset(("ended", "changed.value"))  # less sure if the two share common words only
_TELLING = frozenset(("ended", "changed", "changed.value"))  # believed of the nearest older note in any case
_CHANGES = frozenset(("ended", "changed", "changed.value", "changed.both", "changed.maybe"))
_CLEAR = 0.75  # share of their nearness; if the third is below it, a weak word of change is enough
_MOST_BESIDE = 2  # sentences of the older note without a counterpart in the newer one
_OVER = frozenset(("ended", "denial"))  # kinds that are believed of notes of the same days
_ALONE = frozenset(("slot", "denial"))  # kinds that are believed whatever the neighbours are


class Rivals(NamedTuple):
    """An older and a newer note that contradict each other, what each says, and how sure that is (0-1)."""

    older: Note
    newer: Note
    old: Evidence
    new: Evidence
    sure: float


class _Contender(NamedTuple):
    """One of the notes that are compared, and its place among them."""

    note: Note
    place: int
    moment: datetime
    circle: tuple[str, ...]

    @property
    def text(self) -> str:
        """The note's body, read again each time: only few notes are compared."""
        return self.note.body


class _Pair(NamedTuple):
    """An older and a newer note: how near they are (0-1), and how near the nearest third is, as a share of that.

    `is_nearest` is whether no older note is nearer to the newer one.
    """

    old: _Contender
    new: _Contender
    near: float
    third: float
    is_nearest: bool

    @property
    def is_of_same_days(self) -> bool:
        """Whether the two were written so close together that they may be about two things."""
        return self.new.moment - self.old.moment < SAME_DAYS


def rivals(notes: Sequence[Note], least: float = 0.0) -> Iterator[Rivals]:
    """The rivals among notes that may contradict others, if their sureness is at least `least`.

    `least` is 0, or the sureness from which changes are applied unasked: then pairs that cannot reach it are not
    read.
    """
    short = [note for note in notes if note.length <= _LONGEST]
    short.sort(key=lambda note: note.age_order)
    field = [_Contender(note, at, note.moment, note.circle) for at, note in enumerate(short)]
    vocabulary = Vocabulary(note.derived(roots) for note in short)
    may_count = _may_be_sure if least else _may_be
    for pair in _pairs(field, vocabulary):
        if may_count(pair, vocabulary):
            judged = _of_same_days if pair.is_of_same_days else _judged
            yield from (rivals for rivals in judged(pair, vocabulary) if rivals.sure >= least)


def _pairs(field: Sequence[_Contender], vocabulary: Vocabulary) -> Iterator[_Pair]:
    """Each note with the nearest from weeks before, and with the nearest older one if that is of the same days."""
    nearest: dict[int, list[tuple[float, int]]] = {}
    for at, older in enumerate(_older(field, vocabulary)):
        if older:
            nearest[at] = nlargest(_TRIED, _weeks_before(field, at, older))
            near, other = max(older)
            pair = _Pair(field[other], field[at], near, 0.0, True)
            if pair.is_of_same_days:
                yield pair
    apart = len(field)  # a note may be older in one pair and newer in another: it has a place for each role
    neighbours = Neighbours(
        NearPair(other, at + apart, near) for at, older in nearest.items() for near, other in older
    )
    for at, older in nearest.items():
        for near, other in older:
            third, is_nearest = neighbours.third(other, at + apart), (near, other) == older[0]
            yield _Pair(field[other], field[at], near, third, is_nearest)


def roots(note: Note) -> tuple[str, ...]:
    """The roots of a note's body and tags; tags often name what other notes say outright.

    There are none for a note that is too long.
    """
    if note.length > _LONGEST:
        return ()
    return tuple(reading.telling(f"{note.body}\n{' '.join(note.tags)}".replace("-", " ").replace("_", " ")))


def _older(field: Sequence[_Contender], vocabulary: Vocabulary) -> Iterator[list[tuple[float, int]]]:
    """For each note, oldest first, the older ones that share rare roots with it, as (how near, place)."""
    places: Mapping[str, array[int]] = defaultdict(lambda: array("I"))
    lengths = array("d")
    weights = vocabulary.weights
    for at, one in enumerate(field):
        roots = sorted(vocabulary.roots_of(at))
        lengths.append(math.sqrt(math.fsum(weights.of(root) ** 2 for root in roots)) or 1.0)
        found: dict[int, float] = defaultdict(float)
        for root in roots:
            if len(places[root]) <= _COMMON:
                for other in places[root]:
                    found[other] += weights.of(root) ** 2
                places[root].append(at)
        yield [
            (shared / (lengths[at] * lengths[other]), other)
            for other, shared in found.items()
            if one.moment > field[other].moment and one.circle == field[other].circle
        ]


def _weeks_before(
    field: Sequence[_Contender], at: int, before: Sequence[tuple[float, int]]
) -> Iterator[tuple[float, int]]:
    moment = field[at].moment
    return ((near, other) for near, other in before if moment - field[other].moment >= SAME_DAYS)


def _of_same_days(pair: _Pair, vocabulary: Vocabulary) -> Iterator[Rivals]:
    """The pair as rivals, if the newer note says that what the older one says is over."""
    old, new = pair.old, pair.new
    if not verdict.words_of(new.text).changed or _replaces_another(new.note):
        return
    aligned = _aligned(old, new, vocabulary)
    kind = verdict.kind(aligned, verdict.words_of(old.text), verdict.words_of(new.text))
    if kind in _OVER and aligned.turned:
        yield _as_rivals(old, new, aligned, SURE["conflict.doubted"])


def _may_be(pair: _Pair, vocabulary: Vocabulary) -> bool:
    """Whether two notes may be rivals, by how near they are."""
    is_nearly = pair.near >= _LEAST_OWN and pair.third <= 1.0
    return pair.near >= _LEAST_NEAR or (is_nearly and _share_their_own(pair, vocabulary))


def _may_be_sure(pair: _Pair, vocabulary: Vocabulary) -> bool:
    """Whether two notes may be rivals of a kind that is applied unasked, judging each by itself."""
    if pair.is_of_same_days or not _may_be(pair, vocabulary):
        return False
    old, new = verdict.words_of(pair.old.text), verdict.words_of(pair.new.text)
    may_exchange_or_deny = pair.near >= _LEAST_NEAR and not old.is_past
    may_have_changed = pair.third <= 1.0 and _share_their_own(pair, vocabulary)
    return (may_exchange_or_deny or may_have_changed) and not (old.is_unreal or new.is_unreal)


def _judged(pair: _Pair, vocabulary: Vocabulary) -> Iterator[Rivals]:
    """The pair as rivals, if they contradict each other."""
    old, new = pair.old, pair.new
    aligned = _aligned(old, new, vocabulary)
    kind = verdict.kind(aligned, verdict.words_of(old.text), verdict.words_of(new.text))
    sure = _sureness(kind, pair, vocabulary)
    if not sure or _replaces_another(new.note):
        return
    if len(aligned.left_first) > _MOST_BESIDE or not reading.read(old.text).is_whole:
        sure = min(sure, SURE["conflict.doubted"])
    yield _as_rivals(old, new, aligned, sure)


def _aligned(old: _Contender, new: _Contender, vocabulary: Vocabulary) -> Alignment:
    return align(reading.read(old.text), reading.read(new.text), vocabulary.weights)


def _as_rivals(old: _Contender, new: _Contender, aligned: Alignment, sure: float) -> Rivals:
    before, after = _telling_pair(aligned)
    return Rivals(old.note, new.note, _evidence(old.note, before, sure), _evidence(new.note, after, sure), sure)


def _sureness(kind: str, pair: _Pair, vocabulary: Vocabulary) -> float:
    """How sure a contradiction of this kind is, 0-1; 0 if there is none, or the neighbours speak against it."""
    is_own = _share_their_own(pair, vocabulary)
    is_known = kind in _ALONE or pair.third <= 1.0
    if not kind or not (is_known or (kind in _TELLING and pair.is_nearest)):
        return 0.0
    if pair.near < _LEAST_NEAR and not (is_own and kind in _CHANGES):
        return 0.0
    if (kind in _SURE_IF_OWN and not is_own) or not is_known:
        return SURE["rivals.changed.both"]
    if kind == "changed.maybe" and pair.third < _CLEAR:
        return SURE["rivals.changed.clear"]
    return SURE[f"rivals.{kind}"]


def _share_their_own(pair: _Pair, vocabulary: Vocabulary) -> bool:
    """Whether two notes share a word that none of the other notes has."""
    return vocabulary.weights.any_of_two(vocabulary.roots_of(pair.old.place) & vocabulary.roots_of(pair.new.place))


def _replaces_another(note: Note) -> bool:
    """Whether a note says, beside a link, which note replaces which: its words of change may be about that."""
    return bool(note.links) and any(True for _ in claims.claims(note.body))


def _telling_pair(aligned: Alignment) -> tuple[str, str]:
    """The sentences that contradict each other, or else those that fit best."""
    telling = next((pair for pair in aligned.pairs if pair.turned or pair.slots), aligned.pairs[0])
    return telling.first.text, telling.second.text


def _evidence(note: Note, sentence: str, sure: float) -> Evidence:
    before, _, _ = note.body.partition(sentence)
    return Evidence(note.path, note.body_line + before.count("\n"), sentence, sure)

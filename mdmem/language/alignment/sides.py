"""Two texts side by side: the sentences that fit best, the words they share, and the slots in which they differ.

`align` pairs the sentences of two readings, best fit first, and in each pair the words that say the same. What
is left alone on both sides between two shared words is a slot: "the port is 80" and "the port is 81" differ in
one. What is left alone on one side only is an addition. A sentence that fits none of the other is left over.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from mdmem.language.alignment.reading import Reading, ReadSentence, Word
from mdmem.language.alignment.sense import fit
from mdmem.language.tables import ANTONYMS
from mdmem.values import NamedTuple

VALUE_KINDS = ("time", "number", "day", "name")
_LEAST_ROTATED = 3  # shared words of which a clause may stand in front or behind
_LEAST_FIT = 0.2  # of the weight of the shorter sentence, from which two sentences are about one thing


class Weights:
    """How much the roots of words tell: those that few of a vault's notes have tell most."""

    def __init__(self, counts: Mapping[str, int], notes: int) -> None:
        self._counts = counts
        self._notes = notes

    def of(self, root: str) -> float:
        """The weight of one root, over 0."""
        return math.log(1 + self._notes / self._counts.get(root, 1))

    def total(self, roots: Iterable[str]) -> float:
        """The weight of several."""
        return math.fsum(map(self.of, roots))  # exact: the order of a set does not count


class SharedWord(NamedTuple):
    """A word of each text that say the same; `fit` is 0-1, 1 for the same word."""

    first: Word
    second: Word
    fit: float


class Slot(NamedTuple):
    """Where two sentences differ: the words that each has there alone, none of them empty.

    `kind` is "number", "time", "day" or "name" if both sides have one of that kind, "opposite" for two that
    exclude each other (on, off), else "word". `place` is "key" before the verb of both sentences, or in a phrase
    that leads them, and else "value".
    """

    first: tuple[Word, ...]
    second: tuple[Word, ...]
    kind: str
    place: str


class SentencePair(NamedTuple):
    """Two sentences that fit: what they share, in which slots they differ, and what one says more.

    `more_first` and `more_second` are words in no slot that only one of them has. `in_order` is whether the shared
    words come in the same order, a clause put in front aside. `turned` is whether one denies what the other says.
    """

    first: ReadSentence
    second: ReadSentence
    shared: tuple[SharedWord, ...]
    slots: tuple[Slot, ...]
    more_first: tuple[Word, ...]
    more_second: tuple[Word, ...]
    in_order: bool
    turned: bool

    @property
    def alone_first(self) -> tuple[Word, ...]:
        """What only the first says, in slots or as an addition."""
        return (*self.more_first, *(word for slot in self.slots for word in slot.first))

    @property
    def alone_second(self) -> tuple[Word, ...]:
        """What only the second says, in slots or as an addition."""
        return (*self.more_second, *(word for slot in self.slots for word in slot.second))


class Alignment(NamedTuple):
    """What two texts have in common, and what is left of each.

    `left_first` and `left_second` are sentences that fit none of the other text. `shared` is the weight of all
    that they share, `alone` that of what each has alone.
    """

    pairs: tuple[SentencePair, ...]
    left_first: tuple[ReadSentence, ...]
    left_second: tuple[ReadSentence, ...]
    shared: float
    alone: tuple[float, float]

    @property
    def share(self) -> float:
        """The share of common weight, 0-1."""
        return self.shared / (self.shared + sum(self.alone) or 1.0)

    @property
    def within(self) -> float:
        """The share of the shorter text that the longer one has, 0-1."""
        return self.shared / (self.shared + min(self.alone) or 1.0)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots of all pairs."""
        return tuple(slot for pair in self.pairs for slot in pair.slots)

    @property
    def turned(self) -> bool:
        """Whether some sentence denies what its like in the other text says."""
        return any(pair.turned for pair in self.pairs)


def align(one: Reading, two: Reading, weights: Weights) -> Alignment:
    """Two readings side by side."""
    matches = list(_best_pairs(one, two, weights))
    pairs = tuple(_pair(*match) for match in matches)
    left_first = _left(one, [pair.first for pair in pairs])
    left_second = _left(two, [pair.second for pair in pairs])
    alone_first = [word for pair in pairs for word in pair.alone_first]
    alone_second = [word for pair in pairs for word in pair.alone_second]
    alone = _weight(alone_first, left_first, weights), _weight(alone_second, left_second, weights)
    shared = math.fsum(_shared_weight(match, weights) for pair in pairs for match in pair.shared)
    return Alignment(pairs, left_first, left_second, shared, alone)


def _left(text: Reading, used: Sequence[ReadSentence]) -> tuple[ReadSentence, ...]:
    """The sentences of a text that are in no pair."""
    return tuple(sentence for sentence in text.sentences if not any(sentence is one for one in used))


def _weight(words: Sequence[Word], left: Iterable[ReadSentence], weights: Weights) -> float:
    """The weight of some words and of whole sentences."""
    return weights.total(word.root for word in (*words, *(word for sentence in left for word in sentence.words)))


def _shared_weight(match: SharedWord, weights: Weights) -> float:
    return match.fit * min(weights.of(match.first.root), weights.of(match.second.root))


# -- words -------------------------------------------------------------------------------------------------


def _best_pairs(
    one: Reading, two: Reading, weights: Weights
) -> Iterator[tuple[ReadSentence, ReadSentence, list[SharedWord]]]:
    """The sentences of each that fit, best first, each in one pair, with the words they share."""
    fits = []
    for at, first in enumerate(one.sentences):
        for other, second in enumerate(two.sentences):
            shared = shared_words(first.words, second.words, one.tongue)
            both = sum(match.fit * weights.of(match.first.root) for match in shared)
            least = min(weights.total(word.root for word in said.words) for said in (first, second))
            if both and both >= _LEAST_FIT * least:
                fits.append((-both, abs(at - other), at, other, shared))
    taken: set[tuple[int, int]] = set()
    for _, _, at, other, shared in sorted(fits, key=lambda found: found[:4]):
        if not {(0, at), (1, other)} & taken:
            taken |= {(0, at), (1, other)}
            yield one.sentences[at], two.sentences[other], shared


def shared_words(first: Sequence[Word], second: Sequence[Word], tongue: str) -> list[SharedWord]:
    """The words of two sentences that say the same, the nearest of several in place; each in one pair."""
    found = sorted(
        ((-score, abs(a.at - b.at), a.at, b.at) for a in first for b in second if (score := fit(a, b, tongue))),
    )
    here = {word.at: word for word in first}
    there = {word.at: word for word in second}
    pairs = []
    for negative, _, a, b in found:
        if a in here and b in there:
            pairs.append(SharedWord(here.pop(a), there.pop(b), -negative))
    return sorted(pairs, key=lambda pair: pair.first.at)


# -- slots -------------------------------------------------------------------------------------------------


def _pair(first: ReadSentence, second: ReadSentence, shared: Sequence[SharedWord]) -> SentencePair:
    spine = _spine(shared)
    known_first = {match.first.at for match in shared}
    known_second = {match.second.at for match in shared}
    left = [word for word in first.words if word.at not in known_first]
    right = [word for word in second.words if word.at not in known_second]
    slots = list(_slots(first, second, spine, left, right))
    slots += _far_slots(first, second, slots, left, right)
    in_first = {word.at for slot in slots for word in slot.first}
    in_second = {word.at for slot in slots for word in slot.second}
    return SentencePair(
        first,
        second,
        tuple(shared),
        tuple(slots),
        tuple(word for word in left if word.at not in in_first),
        tuple(word for word in right if word.at not in in_second),
        len(spine) == len(shared) or _only_a_phrase_moved(first, second, shared),
        _is_turned(first, second, shared),
    )


def _spine(shared: Sequence[SharedWord]) -> list[SharedWord]:
    """The longest run of shared words that stand in the same order in both (longest increasing subsequence)."""
    tails: list[int] = []
    chains: list[list[SharedWord]] = []
    for match in shared:
        at = bisect_left(tails, match.second.at)
        chain = [*(chains[at - 1] if at else []), match]
        tails[at : at + 1] = [match.second.at]
        chains[at : at + 1] = [chain]
    return chains[-1] if chains else []


def _only_a_phrase_moved(first: ReadSentence, second: ReadSentence, shared: Sequence[SharedWord]) -> bool:
    """Whether the order differs only because one sentence begins with what the other says later."""
    led = [match for match in shared if match.first.at >= first.leading and match.second.at >= second.leading]
    others, all_places = ([match.second.at for match in some] for some in (led, shared))
    is_led = len(led) < len(shared) and _is_rising(others)
    turns = sum(later < sooner for sooner, later in pairwise(all_places))
    return is_led or (len(shared) > _LEAST_ROTATED and turns == 1 and all_places[-1] < all_places[0])


def _is_rising(places: Sequence[int]) -> bool:
    return all(sooner < later for sooner, later in pairwise(places))


def _slots(
    first: ReadSentence,
    second: ReadSentence,
    spine: Sequence[SharedWord],
    left: Sequence[Word],
    right: Sequence[Word],
) -> Iterator[Slot]:
    """What stands alone on both sides between two shared words, before the first and behind the last."""
    ends = [(-1, -1), *((match.first.at, match.second.at) for match in spine)]
    ends.append((len(first.words), len(second.words)))
    for (from_, since), (to, until) in pairwise(ends):
        here = tuple(word for word in left if from_ < word.at < to)
        there = tuple(word for word in right if since < word.at < until)
        if here and there:
            yield _slot(first, second, here, there)


def _far_slots(
    first: ReadSentence, second: ReadSentence, known: Sequence[Slot], left: Sequence[Word], right: Sequence[Word]
) -> list[Slot]:
    """Values of one kind that stand alone on both sides, at different places."""
    mine = {word.at for slot in known for word in slot.first}
    others = {word.at for slot in known for word in slot.second}
    found = []
    for kind in VALUE_KINDS:
        here = tuple(word for word in left if word.kind == kind and word.at not in mine)
        there = tuple(word for word in right if word.kind == kind and word.at not in others)
        if here and there:
            found.append(_slot(first, second, here, there))
    return found


def _slot(first: ReadSentence, second: ReadSentence, here: tuple[Word, ...], there: tuple[Word, ...]) -> Slot:
    is_key = _is_in_key(first, here) and _is_in_key(second, there)
    return Slot(here, there, _kind(here, there), "key" if is_key else "value")


def _is_in_key(sentence: ReadSentence, words: Sequence[Word]) -> bool:
    return all(word.at < max(sentence.verb, sentence.leading) for word in words)


def _kind(here: Sequence[Word], there: Sequence[Word]) -> str:
    kinds = {word.kind for word in here} & {word.kind for word in there}
    named = next((kind for kind in VALUE_KINDS if kind in kinds), "")
    if named:
        return named
    pairs = {ANTONYMS[word.text] for word in here if word.text in ANTONYMS}
    excludes = any(ANTONYMS.get(word.text) in pairs for word in there)
    return "opposite" if excludes else "word"


def _is_turned(first: ReadSentence, second: ReadSentence, shared: Sequence[SharedWord]) -> bool:
    """Whether most of what both say is denied by one of them only."""
    turned = sum(first.denies(match.first) != second.denies(match.second) for match in shared)
    return turned * 2 > len(shared)

"""Two texts side by side: the sentences that fit best, the words they share, and the slots in which they differ.

`align` pairs the sentences of two readings, best fit first, and in each pair the words that say the same. What
is left alone on both sides between two shared words is a slot: "the port is 80" and "the port is 81" differ in
one. What is left alone on one side only is an addition. A sentence that fits none of the other is left over.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise

from mdmem.language.alignment.reading import Reading, ReadSentence, Word
from mdmem.language.alignment.sense import fit, is_part
from mdmem.language.tables import ANTONYMS
from mdmem.values import NamedTuple

VALUE_KINDS = ("time", "number", "day", "name")
_LABEL = 0.5  # of its weight, what only a title says weighs
_LEAST_ROTATED = 3  # shared words of which a clause may stand in front or behind
_TWO = 2
_LARGE = 400  # words of one sentence times words of the other; sentences of one text times those of the other
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
    that they share, `alone` that of what each has alone. `named` counts the words they share only by a title,
    `changed` is whether one of them alone tells of a change.
    """

    pairs: tuple[SentencePair, ...]
    left_first: tuple[ReadSentence, ...]
    left_second: tuple[ReadSentence, ...]
    shared: float
    alone: tuple[float, float]
    named: int = 0
    changed: bool = False

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
    def alone_first(self) -> tuple[Word, ...]:
        """The words of all sentences that only the first says."""
        return _words_of([pair.alone_first for pair in self.pairs], self.left_first)

    @property
    def alone_second(self) -> tuple[Word, ...]:
        """The words of all sentences that only the second says."""
        return _words_of([pair.alone_second for pair in self.pairs], self.left_second)

    @property
    def turned(self) -> bool:
        """Whether some sentence denies what its like in the other text says."""
        return any(pair.turned for pair in self.pairs)


class Title(NamedTuple):
    """The title of a text: its roots, and whether it tells of a change."""

    roots: Set[str]
    changes: bool


def align(one: Reading, two: Reading, weights: Weights) -> Alignment:
    """Two readings side by side."""
    one = _as_told(one, two)
    two = _as_told(two, one)
    matches = list(_best_pairs(one, two, weights))
    pairs = tuple(_pair(*match) for match in matches)
    left_first = _left(one, [pair.first for pair in pairs])
    left_second = _left(two, [pair.second for pair in pairs])
    shared = math.fsum(_shared_weight(match, weights) for pair in pairs for match in pair.shared)
    found = Alignment(pairs, left_first, left_second, shared, (0.0, 0.0))
    first_alone = weights.total(word.root for word in found.alone_first)
    second_alone = weights.total(word.root for word in found.alone_second)
    changed = any(pair.first.changes != pair.second.changes for pair in pairs)
    return found._replace(alone=(first_alone, second_alone), changed=changed)


def titled(found: Alignment, one: Title, two: Title, weights: Weights) -> Alignment:
    """An alignment of two texts with their titles.

    What a title alone says may be what the other text says; else it weighs half, for titles are labels.
    """
    said_first = {word.root for pair in found.pairs for word in pair.first.words}
    said_second = {word.root for pair in found.pairs for word in pair.second.words}
    said_first |= {word.root for word in found.alone_first}
    said_second |= {word.root for word in found.alone_second}
    more_first, more_second = one.roots - said_first, two.roots - said_second
    common = (more_first & (said_second | two.roots)) | (more_second & (said_first | one.roots))
    known_first = weights.total(root for root in common - more_first if root in _roots(found.alone_first))
    known_second = weights.total(root for root in common - more_second if root in _roots(found.alone_second))
    alone_first = found.alone[0] - known_first + _LABEL * weights.total(more_first - common)
    alone_second = found.alone[1] - known_second + _LABEL * weights.total(more_second - common)
    shared = found.shared + weights.total(common)
    changed = found.changed or one.changes != two.changes
    return found._replace(shared=shared, alone=(alone_first, alone_second), named=len(common), changed=changed)


def _roots(words: Iterable[Word]) -> set[str]:
    return {word.root for word in words}


def _left(text: Reading, used: Sequence[ReadSentence]) -> tuple[ReadSentence, ...]:
    """The sentences of a text that are in no pair."""
    return tuple(sentence for sentence in text.sentences if not any(sentence is one for one in used))


def _words_of(parts: Iterable[Sequence[Word]], sentences: Iterable[ReadSentence]) -> tuple[Word, ...]:
    return tuple(word for words in (*parts, *(sentence.words for sentence in sentences)) for word in words)


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
            both = _common_weight(first, second, one.tongue, weights)
            least = min(weights.total(word.root for word in said.words) for said in (first, second))
            if both and both >= _LEAST_FIT * least:
                fits.append((-both, abs(at - other), at, other))
    taken: set[tuple[int, int]] = set()
    for _, _, at, other in sorted(fits):
        if not {(0, at), (1, other)} & taken:
            taken |= {(0, at), (1, other)}
            first, second = one.sentences[at], two.sentences[other]
            yield first, second, shared_words(first.words, second.words, one.tongue)


def _common_weight(first: ReadSentence, second: ReadSentence, tongue: str, weights: Weights) -> float:
    """The weight of what two sentences share; of long ones only of the words that both have."""
    if len(first.words) * len(second.words) > _LARGE:
        return weights.total({word.root for word in first.words} & {word.root for word in second.words})
    shared = shared_words(first.words, second.words, tongue)
    return math.fsum(_shared_weight(match, weights) for match in shared)


def shared_words(first: Sequence[Word], second: Sequence[Word], tongue: str) -> list[SharedWord]:
    """The words of two sentences that say the same, the best of several; each in one pair."""
    by_root: dict[str, list[Word]] = defaultdict(list)
    for word in second:
        by_root[word.root].append(word)
    same = [(a, b) for a in first for b in by_root.get(a.root, ())]
    pairs = _chosen([(1.0, a, b) for a, b in same], first, second)
    here = {match.first.at for match in pairs}
    there = {match.second.at for match in pairs}
    others = [word for word in second if word.at not in there]
    near = [(score, a, b) for a in first if a.at not in here for b in others if (score := fit(a, b, tongue))]
    return sorted([*pairs, *_chosen(near, first, second)], key=lambda match: match.first.at)


def _chosen(
    fits: Sequence[tuple[float, Word, Word]], first: Sequence[Word], second: Sequence[Word]
) -> list[SharedWord]:
    """Pairs of which no word is in two: the best fit, then that with the same neighbours, then the nearest."""
    order = sorted(
        fits,
        key=lambda pair: (-pair[0], -_alike_beside(pair[1], pair[2], first, second), _distance(pair), pair[1].at),
    )
    here: set[int] = set()
    there: set[int] = set()
    pairs = []
    for score, a, b in order:
        if a.at not in here and b.at not in there:
            here.add(a.at)
            there.add(b.at)
            pairs.append(SharedWord(a, b, score))
    return pairs


def _distance(pair: tuple[float, Word, Word]) -> int:
    return abs(pair[1].at - pair[2].at)


def _alike_beside(one: Word, two: Word, first: Sequence[Word], second: Sequence[Word]) -> int:
    """How many of the words before and behind two words are the same."""
    beside = ((_root_at(first, one.at + step), _root_at(second, two.at + step)) for step in (-1, 1))
    return sum(here == there != "" for here, there in beside)


def _root_at(words: Sequence[Word], at: int) -> str:
    """The root of the word at a place of its sentence, "" if there is none; `words` are in order, from 0 on."""
    return words[at].root if 0 <= at < len(words) else ""


# -- sentences ---------------------------------------------------------------------------------------------


def _as_told(text: Reading, other: Reading) -> Reading:
    """A text with those sentences as one that tell what one sentence of the other does."""
    if len(text.sentences) < _TWO or len(text.sentences) * len(other.sentences) > _LARGE:
        return text
    targets: dict[int, list[ReadSentence]] = defaultdict(list)
    for at, sentence in enumerate(text.sentences):
        targets[_told_in(sentence, other, -1 - at)].append(sentence)
    return text._replace(sentences=tuple(_joined(parts) for parts in targets.values()))


def _told_in(sentence: ReadSentence, other: Reading, else_: int) -> int:
    """The number of the sentence that has most words of another, and at least half of them; or else `else_`."""
    said = {word.root for word in sentence.words}
    counts = [len(said & {word.root for word in one.words}) for one in other.sentences]
    most = max(counts, default=0)
    return counts.index(most) if 2 * most >= len(said) else else_


def _joined(parts: Sequence[ReadSentence]) -> ReadSentence:
    """Several sentences as one, each a clause of its own or more."""
    first, *rest = parts
    for part in rest:
        clause = 1 + max((word.clause for word in first.words), default=0)
        moved = (word._replace(at=word.at + len(first.words), clause=word.clause + clause) for word in part.words)
        first = ReadSentence(
            text=f"{first.text} {part.text}",
            words=(*first.words, *moved),
            verb=first.verb,
            leading=first.leading,
            denied=first.denied | {one + clause for one in part.denied},
            narrowing=(*first.narrowing, *(one + clause for one in part.narrowing)),
            changes=first.changes or part.changes,
        )
    return first


# -- slots -------------------------------------------------------------------------------------------------


def _pair(first: ReadSentence, second: ReadSentence, shared: Sequence[SharedWord]) -> SentencePair:
    spine = _spine(shared)
    known_first = {match.first.at for match in shared}
    known_second = {match.second.at for match in shared}
    left = [word for word in first.words if word.at not in known_first]
    right = [word for word in second.words if word.at not in known_second]
    left = [word for word in left if not any(is_part(word, match.second) for match in shared)]
    right = [word for word in right if not any(is_part(word, match.first) for match in shared)]
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
    """Whether one denies most of what both say, or a whole clause of what the other says."""
    turned = [match for match in shared if first.denies(match.first) != second.denies(match.second)]
    if 2 * len(turned) > len(shared):
        return True
    denied_first = _denied_whole(first, {match.first.at for match in turned})
    return denied_first or _denied_whole(second, {match.second.at for match in turned})


def _denied_whole(sentence: ReadSentence, turned: Set[int]) -> bool:
    """Whether a clause that says no has no words but some that the other text says without it (their places)."""
    for clause in sentence.denied:
        own = {word.at for word in sentence.words if word.clause == clause}
        if own and own <= turned:
            return True
    return False

"""Two sentences side by side: the slots in which they differ, what each adds, and whether one denies the other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from mdmem.language.alignment.reading import ReadSentence, Word
from mdmem.language.alignment.sense import is_part
from mdmem.language.alignment.shared import SharedWord
from mdmem.language.tables import ANTONYMS

VALUE_KINDS = ("time", "number", "day", "name")
_MOST_MENTIONED = 2  # most words of something that a sentence only mentions
_LEAST_ROTATED = 3  # with more shared words, a clause may move from the front to the end


class Slot(NamedTuple):
    """A place where two sentences differ: the words that each has there alone, at least one on each side.

    `kind` is "number", "time", "day" or "name" if both sides have a word of that kind, "opposite" for two that
    exclude each other (on, off), otherwise "word". `place` is "key" before the verb of both sentences or in an
    opening phrase, otherwise "value".
    """

    first: tuple[Word, ...]
    second: tuple[Word, ...]
    kind: str
    place: str


class SentencePair(NamedTuple):
    """Two sentences that match: the words they share, the slots in which they differ, and what each adds.

    `more_first` and `more_second` are words outside the slots that only one of them has. `in_order` is whether the
    shared words come in the same order, apart from a clause moved to the front. `turned` is whether one denies
    what the other says.
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
    def is_rearranged(self) -> bool:
        """Whether the shared words come in another order; a clause moved to the front counts, too."""
        return not _is_rising([match.second.at for match in self.shared])

    @property
    def alone_first(self) -> tuple[Word, ...]:
        """What only the first says, in slots or as an addition."""
        return (*self.more_first, *(word for slot in self.slots for word in slot.first))

    @property
    def alone_second(self) -> tuple[Word, ...]:
        """What only the second says, in slots or as an addition."""
        return (*self.more_second, *(word for slot in self.slots for word in slot.second))


def displaces(pair: SentencePair) -> bool:
    """Whether one sentence puts another word in place of one that the other only mentions.

    "Petra directs the play" and "Petra is ill, so Malik directs the play": the clause that says the same has a
    word of its own, and a word of the other sentence stands in another clause.
    """
    first = [match.first.clause for match in pair.shared]
    second = [match.second.clause for match in pair.shared]
    return _is_displaced(first, second, pair.alone_second) or _is_displaced(second, first, pair.alone_first)


def _is_displaced(whole: Sequence[int], parted: Sequence[int], alone: Sequence[Word]) -> bool:
    """Whether shared words of one clause (`whole`) are `parted`, and the main part has an `alone` word too."""
    if len(set(whole)) != 1 or len(set(parted)) == 1:
        return False
    main = max(sorted(set(parted)), key=parted.count)
    is_mention = len(parted) - parted.count(main) <= _MOST_MENTIONED
    return is_mention and any(word.clause == main for word in alone)


def side_by_side(first: ReadSentence, second: ReadSentence, shared: Sequence[SharedWord]) -> SentencePair:
    """Align two sentences by the words that they share."""
    spine = _spine(shared)
    left = _alone(first, [match.first for match in shared], [match.second for match in shared])
    right = _alone(second, [match.second for match in shared], [match.first for match in shared])
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


def _alone(sentence: ReadSentence, known: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    """The words of a sentence that are neither shared nor part of a compound on the other side."""
    places = {word.at for word in known}
    left = (word for word in sentence.words if word.at not in places)
    return [word for word in left if not any(is_part(word, other) for other in others)]


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
    """The slots between the shared words, before the first, and after the last."""
    ends = [(-1, -1), *((match.first.at, match.second.at) for match in spine)]
    ends.append((len(first.words), len(second.words)))
    for (from_, since), (to, until) in pairwise(ends):
        here = tuple(word for word in left if from_ < word.at < to)
        there = tuple(word for word in right if since < word.at < until)
        if here and there:
            yield from _parted(first, second, here, there)


def _parted(
    first: ReadSentence, second: ReadSentence, here: tuple[Word, ...], there: tuple[Word, ...]
) -> Iterator[Slot]:
    """One slot, or two if the words reach from before the verb to after it in both sentences."""
    keys = _split(first, here), _split(second, there)
    if all(all(parts) for parts in keys):
        for mine, other in zip(*keys, strict=True):
            yield _slot(first, second, mine, other)
    else:
        yield _slot(first, second, here, there)


def _split(sentence: ReadSentence, words: tuple[Word, ...]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """The words before the verb of a sentence, and those after it."""
    end = bisect_left([word.at for word in words], sentence.verb)
    return words[:end], words[end:]


def _far_slots(
    first: ReadSentence, second: ReadSentence, known: Sequence[Slot], left: Sequence[Word], right: Sequence[Word]
) -> list[Slot]:
    """Slots of values of one kind that stand alone on both sides, but in different places."""
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
    """Whether one denies most of what both say, or has a whole clause that denies what the other says."""
    turned = [match for match in shared if first.denies(match.first) != second.denies(match.second)]
    if 2 * len(turned) > len(shared):
        return True
    denied_first = _denied_whole(first, {match.first.at for match in turned})
    return denied_first or _denied_whole(second, {match.second.at for match in turned})


def _denied_whole(sentence: ReadSentence, turned: Set[int]) -> bool:
    """Whether some denied clause consists only of words that the other text states (`turned`: their places)."""
    for clause in sentence.denied:
        own = {word.at for word in sentence.words if word.clause == clause}
        if own and own <= turned:
            return True
    return False

"""Two texts side by side: the sentences that match best, the words they share, and the slots in which they differ.

`align` pairs the sentences of two readings, the best match first, and in each pair the words that say the same.
Words between two shared words that are left on both sides make a slot: "the port is 80" and "the port is 81"
differ in one. Words that are left on one side only are an addition. A sentence that matches none of the other text
is left over.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from mdmem.language.alignment.reading import Reading, ReadSentence, Word
from mdmem.language.alignment.shared import SharedWord, shared_words
from mdmem.language.alignment.slots import SentencePair, Slot, side_by_side

_LABEL = 0.5  # share of its weight that a word counts for if only a title has it
_TWO = 2
_LARGE = 400  # words of one sentence times words of the other; likewise sentences of texts
_LEAST_FIT = 0.2  # share of the lighter sentence's weight from which two are about one thing


class _CountWeights(dict[int, float]):
    """Number of notes that have a root -> how much the root tells; computed when it is first needed."""

    def __init__(self, notes: int) -> None:
        self._notes = notes

    def __missing__(self, count: int) -> float:
        weight = self[count] = math.log(1 + self._notes / count)
        return weight


class Weights:
    """How much the roots of words tell: those that few notes of a vault have tell most."""

    def __init__(self, counts: Mapping[str, int], notes: int) -> None:
        self._counts = counts
        self._of_count = _CountWeights(notes)

    def of(self, root: str) -> float:
        """The weight of one root, above 0; a root that was not counted weighs as much as one of a single note."""
        return self._of_count[self._counts.get(root, 1)]

    def any_of_two(self, roots: Iterable[str]) -> bool:
        """Whether one of these roots, which two texts share, is in no third text."""
        return any(map(self.is_of_two, roots))

    def is_of_two(self, root: str) -> bool:
        """Whether exactly two texts have a root."""
        return self._counts.get(root, 0) == _TWO

    def total(self, roots: Iterable[str]) -> float:
        """The total weight of several roots."""
        return math.fsum(map(self.of, roots))  # exact: the order of a set does not count


class Alignment(NamedTuple):
    """What two texts have in common, and what is left of each.

    `left_first` and `left_second` are the sentences that match none of the other text. `shared` is the weight of
    all that both say, `alone` the weights of what only the first and only the second says. `named` counts the
    words that they share only by way of a title, `changed` is whether one of them alone tells of a change,
    `tongue` is the language of the first.
    """

    pairs: tuple[SentencePair, ...]
    left_first: tuple[ReadSentence, ...]
    left_second: tuple[ReadSentence, ...]
    shared: float
    alone: tuple[float, float]
    named: int = 0
    changed: bool = False
    tongue: str = "en"

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
        """The words of all sentences that only the first text has."""
        return _words_of([pair.alone_first for pair in self.pairs], self.left_first)

    @property
    def alone_second(self) -> tuple[Word, ...]:
        """The words of all sentences that only the second text has."""
        return _words_of([pair.alone_second for pair in self.pairs], self.left_second)

    @property
    def turned(self) -> bool:
        """Whether some sentence denies what its counterpart in the other text says."""
        return any(pair.turned for pair in self.pairs)


class Title(NamedTuple):
    """The title of a text: its roots, and whether it tells of a change."""

    roots: Set[str]
    changes: bool


def align(one: Reading, two: Reading, weights: Weights) -> Alignment:
    """Align two readings."""
    one = _as_told(one, two)
    two = _as_told(two, one)
    pairs = tuple(_best_pairs(one, two, weights))
    left_first = _left(one, [pair.first for pair in pairs])
    left_second = _left(two, [pair.second for pair in pairs])
    shared = math.fsum(_shared_weight(match, weights) for pair in pairs for match in pair.shared)
    found = Alignment(pairs, left_first, left_second, shared, (0.0, 0.0), tongue=one.tongue)
    first_alone = weights.total(word.root for word in found.alone_first)
    second_alone = weights.total(word.root for word in found.alone_second)
    changed = any(pair.first.changes != pair.second.changes for pair in pairs)
    return found._replace(alone=(first_alone, second_alone), changed=changed)


def titled(found: Alignment, one: Title, two: Title, weights: Weights) -> Alignment:
    """The alignment of two texts, with their titles taken into account.

    A title may say what only the other text says. Otherwise its words weigh half, since titles are labels.
    """
    alone_first, alone_second = _roots(found.alone_first), _roots(found.alone_second)
    said_first = alone_first | _roots(word for pair in found.pairs for word in pair.first.words)
    said_second = alone_second | _roots(word for pair in found.pairs for word in pair.second.words)
    more_first, more_second = one.roots - said_first, two.roots - said_second
    common = (more_first & (said_second | two.roots)) | (more_second & (said_first | one.roots))
    known_first, known_second = (common - more_first) & alone_first, (common - more_second) & alone_second
    weight_first, weight_second = found.alone
    return found._replace(
        shared=found.shared + weights.total(common),
        alone=(
            weight_first - weights.total(known_first) + _LABEL * weights.total(more_first - common),
            weight_second - weights.total(known_second) + _LABEL * weights.total(more_second - common),
        ),
        named=len(common),
        changed=found.changed or one.changes != two.changes,
    )


def _roots(words: Iterable[Word]) -> set[str]:
    return {word.root for word in words}


def _left(text: Reading, used: Sequence[ReadSentence]) -> tuple[ReadSentence, ...]:
    """The sentences of a text that are in no pair."""
    return tuple(sentence for sentence in text.sentences if not any(sentence is one for one in used))


def _words_of(parts: Iterable[Sequence[Word]], sentences: Iterable[ReadSentence]) -> tuple[Word, ...]:
    return tuple(word for words in (*parts, *(sentence.words for sentence in sentences)) for word in words)


def _shared_weight(match: SharedWord, weights: Weights) -> float:
    return match.fit * min(weights.of(match.first.root), weights.of(match.second.root))


# -- sentences ---------------------------------------------------------------------------------------------


class _SentenceFit(NamedTuple):
    """Two sentences, by their places, the weight of the words they share, and these; None if both are long."""

    first: int
    second: int
    weight: float
    shared: list[SharedWord] | None


def _best_pairs(one: Reading, two: Reading, weights: Weights) -> Iterator[SentencePair]:
    """The sentences that match, the best first, each in one pair."""
    taken_of_one: set[int] = set()
    taken_of_two: set[int] = set()
    for fit in sorted(_fits(one, two, weights), key=_by_weight):
        if fit.first in taken_of_one or fit.second in taken_of_two:
            continue
        taken_of_one.add(fit.first)
        taken_of_two.add(fit.second)
        first, second = one.sentences[fit.first], two.sentences[fit.second]
        shared = shared_words(first.words, second.words, one.tongue) if fit.shared is None else fit.shared
        yield side_by_side(first, second, shared)


def _by_weight(fit: _SentenceFit) -> tuple[float, int, int, int]:
    return -fit.weight, abs(fit.first - fit.second), fit.first, fit.second


def _fits(one: Reading, two: Reading, weights: Weights) -> Iterator[_SentenceFit]:
    """The pairs of sentences that are about one thing."""
    of_one, of_two = (
        [weights.total(word.root for word in said.words) for said in text.sentences] for text in (one, two)
    )
    for at, first in enumerate(one.sentences):
        for other, second in enumerate(two.sentences):
            shared = None
            if len(first.words) * len(second.words) > _LARGE:
                weight = weights.total({word.root for word in first.words} & {word.root for word in second.words})
            else:
                shared = shared_words(first.words, second.words, one.tongue)
                weight = math.fsum(_shared_weight(match, weights) for match in shared)
            if weight and weight >= _LEAST_FIT * min(of_one[at], of_two[other]):
                yield _SentenceFit(at, other, weight, shared)


def _as_told(text: Reading, other: Reading) -> Reading:
    """A text in which sentences are joined that say together what one sentence of the other text says."""
    if len(text.sentences) < _TWO or len(text.sentences) * len(other.sentences) > _LARGE:
        return text
    targets: dict[int, list[ReadSentence]] = defaultdict(list)
    for at, sentence in enumerate(text.sentences):
        targets[_told_in(sentence, other, -1 - at)].append(sentence)
    return text._replace(sentences=tuple(_joined(parts) for parts in targets.values()))


def _told_in(sentence: ReadSentence, other: Reading, else_: int) -> int:
    """The place of the sentence with the most words of another one, if that is half of them; else `else_`."""
    said = {word.root for word in sentence.words}
    counts = [len(said & {word.root for word in one.words}) for one in other.sentences]
    most = max(counts, default=0)
    return counts.index(most) if 2 * most >= len(said) else else_


def _joined(parts: Sequence[ReadSentence]) -> ReadSentence:
    """Several sentences as one, each as one or more clauses of it."""
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

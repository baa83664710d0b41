"""Which of many texts share rare words: pairs worth a closer look, without comparing all with all.

Each text is kept as the numbers of its roots, the rarest first. Two texts are looked at if they share some of the
rarest words of either, so the work grows with the texts, not with their pairs; a word that very many texts have
pairs none of them. Copies are found whatever their words.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise

from mdmem.language.alignment.neighbours import NearPair
from mdmem.language.alignment.sides import Weights
from mdmem.language.repeats import Repeats

_HELD, _ASKED = 10, 30  # so many of its rarest shared words a text is found by, and searches with
_COMMON = 100  # most texts that have a word by which a text is found
_LONG, _LONG_SHARED = 12, 2  # words of a long text; rare words that two long ones must share
_LEAST_NEAR = 0.1  # least share of common weight


class PackedSets:
    """The roots of many texts as numbers, in one array."""

    def __init__(self) -> None:
        self._numbers = array("I")
        self._starts = array("Q", [0])

    def append(self, numbers: Iterable[int]) -> None:
        """Add the numbers of the next text."""
        self._numbers.extend(numbers)
        self._starts.append(len(self._numbers))

    def rename(self, names: array[int]) -> None:
        """Replace each number by the one that `names` has at its place, and sort the numbers of each text."""
        for at, (start, end) in enumerate(pairwise(self._starts)):
            renamed = sorted([names[number] for number in self[at]])
            self._numbers[start:end] = array("I", renamed)

    def __len__(self) -> int:
        return len(self._starts) - 1

    def size(self, at: int) -> int:
        """How many numbers a text has."""
        return self._starts[at + 1] - self._starts[at]

    def __getitem__(self, at: int) -> array[int]:
        return self._numbers[self._starts[at] : self._starts[at + 1]]

    def __iter__(self) -> Iterator[array[int]]:
        return map(self.__getitem__, range(len(self)))


class Vocabulary:
    """The roots of many texts as numbers, packed, the rarest first.

    `sets` are the numbers of each text, `roots` the roots that the numbers stand for, `weights` how much each root
    tells.
    """

    def __init__(self, texts: Iterable[Collection[str]]) -> None:
        numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
        counts: Counter[int] = Counter()
        self.sets = PackedSets()
        for text in texts:
            own = list(map(numbers.__getitem__, text))
            counts.update(own)
            self.sets.append(own)
        names = list(numbers)
        order = sorted(range(len(names)), key=lambda number: (counts[number], names[number]))
        rank = array("I", bytes(4 * len(names)))
        for place, number in enumerate(order):
            rank[number] = place
        self.sets.rename(rank)
        self.roots = [names[number] for number in order]
        self._counts = array("I", (counts[number] for number in order))
        self.weights = Weights(dict(zip(self.roots, self._counts, strict=True)), len(self.sets))
        self._weight = array("d", map(self.weights.of, self.roots))

    def roots_of(self, at: int) -> frozenset[str]:
        """The roots of the text at a place."""
        return frozenset(map(self.roots.__getitem__, self.sets[at]))

    def near(self, least: float = _LEAST_NEAR) -> Iterator[NearPair]:
        """The pairs of texts (the first before the second) that share at least `least` of their weight, 0-1."""
        shared = bisect_right(self._counts, 1)  # from this number on, several texts have the word
        common = bisect_right(self._counts, _COMMON)
        total = array("d", (sum(map(self._weight.__getitem__, own)) for own in self.sets))
        blocks: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
        for at, other in self._copies():
            yield NearPair(at, other, 1.0)
        long = bytes(self.sets.size(at) >= _LONG for at in range(len(self.sets)))
        for at, own in enumerate(self.sets):
            rare = own[bisect_left(own, shared) : bisect_left(own, common)]
            words = set(own)
            for other in _sharing(rare, blocks, long if long[at] else b""):
                others = self.sets[other]
                both = sum(map(self._weight.__getitem__, words.intersection(others)))
                near = both / (total[at] + total[other] - both)
                if near >= least and others != own:
                    yield NearPair(other, at, near)
            for word in rare[:_HELD]:
                blocks[word].append(at)

    def _copies(self) -> Iterator[tuple[int, int]]:
        """(first text with the same words, copy) for each text that repeats the words of an earlier one."""
        first: dict[bytes, int] = {}
        likely = Repeats(own.tobytes() for own in self.sets)
        for at, own in enumerate(self.sets):
            written = own.tobytes()
            known = first.setdefault(written, at) if written in likely else at
            if own and known != at:
                yield known, at


def _sharing(rare: array[int], blocks: Mapping[int, array[int]], long: bytes) -> list[int]:
    """The places of the texts that share rare words with one text; two words are needed if both are long.

    `long` has a byte for each text, 1 for a long one; it is empty if the one text is not long.
    """
    hits: Counter[int] = Counter()
    for word in rare[:_ASKED]:
        if word in blocks:
            hits.update(blocks[word])
    if not long:
        return sorted(hits)
    return sorted(other for other, count in hits.items() if count >= _LONG_SHARED or not long[other])

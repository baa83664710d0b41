"""A second opinion on twins: notes that a sentence model finds near, and in which nothing speaks against it.

The model only names candidates. It is nearest to look-alikes and conflicts, so that a pair counts only if the two
are each other's nearest, no slot of their sentences differs, and none denies the other; a person decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import MeantPair
from mdmem.language.alignment.reading import Reading, read
from mdmem.language.alignment.sides import Weights, align
from mdmem.note import pieces


def paraphrases(pairs: tuple[MeantPair, ...], notes: Mapping[str, Note]) -> Iterator[tuple[Note, Note, float]]:
    """Those of the pairs whose notes (by path) may say the same in other words, with their cosine."""
    known = [pair for pair in pairs if {pair.first, pair.second} <= notes.keys()]
    texts = {path: _read(notes[path]) for pair in known for path in (pair.first, pair.second)}
    weights = Weights(Counter(root for text in texts.values() for root in _roots(text)), len(texts))
    for first, second, near in known:
        orders = ((first, second), (second, first))  # of a clause that moved, one may find a slot
        if any(_may_say_the_same(texts[one], texts[two], weights) for one, two in orders):
            yield notes[first], notes[second], near


def _may_say_the_same(one: Reading, two: Reading, weights: Weights) -> bool:
    """Whether nothing speaks against it; texts without a sentence in common would have no slot either."""
    sides = align(one, two, weights)
    are_apart = not sides.pairs or (sides.left_first and sides.left_second)
    return not (are_apart or sides.turned or sides.slots)


def _read(note: Note) -> Reading:
    body = pieces.without_title(note.body, note.title)
    return read(body if body.strip() else note.title)


def _roots(text: Reading) -> set[str]:
    return {word.root for sentence in text.sentences for word in sentence.words}

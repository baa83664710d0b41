"""A second opinion on twins: notes that a sentence model finds near, and that no rule tells apart.

The model only names candidates. It finds look-alikes and conflicts nearest of all, so a pair counts only if the
two are each other's nearest, and the rules for paraphrases (`alignment.reworded`) find nothing against it. A
person decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import MeantPair
from mdmem.language.alignment import reworded
from mdmem.language.alignment.reading import Reading, read
from mdmem.language.alignment.sides import Weights, align
from mdmem.note import pieces


def paraphrases(pairs: tuple[MeantPair, ...], notes: Mapping[str, Note]) -> Iterator[tuple[Note, Note, float]]:
    """The pairs of notes that may say the same in other words, with their cosine; `notes` are by path."""
    known = [pair for pair in pairs if {pair.first, pair.second} <= notes.keys()]
    texts = {path: _read(notes[path]) for pair in known for path in (pair.first, pair.second)}
    weights = Weights(Counter(root for text in texts.values() for root in _roots(text)), len(texts))
    for pair in known:
        if reworded.may_be(align(texts[pair.first], texts[pair.second], weights), 0.0, weights):
            yield notes[pair.first], notes[pair.second], pair.near


def _read(note: Note) -> Reading:
    body = pieces.without_title(note.body, note.title)
    return read(body if body.strip() else note.title)


def _roots(text: Reading) -> set[str]:
    return {word.root for sentence in text.sentences for word in sentence.words}

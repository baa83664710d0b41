"""Two sentence models as one: their vectors are concatenated, so that a cosine is the mean of theirs.

Where one misjudges how near two texts are, the other may know better: one has seen more questions, the other more
languages. The vectors of single words are those of the first model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mdmem.models import minilm, sentence
from mdmem.models.late import AskedWords
from mdmem.models.sentence import Embedder, WordEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]


class SideBySide:
    """Two sentence models that each make a part of a vector, which is as long as both together."""

    def __init__(self, name: str, first: WordEmbedder, second: Embedder) -> None:
        self.name = self.kept_as = name
        self._first = first
        self._second = second

    def embed(self, texts: Sequence[str]) -> Matrix:
        """A unit vector for each text."""
        return _joined(self._first.embed(texts), self._second.embed(texts))

    def embed_with_words(self, texts: Sequence[str]) -> tuple[Matrix, list[bytes]]:
        """The vectors that `embed` gives, and for each text those of its tokens."""
        first, words = self._first.embed_with_words(texts)
        return _joined(first, self._second.embed(texts)), words

    def question(self, text: str) -> tuple[NDArray[np.float32], AskedWords]:
        """The unit vector of a question, and the vectors of its tokens."""
        first, asked = self._first.question(text)
        return _joined(first[None], self._second.embed([text]))[0], asked


def _joined(first: Matrix, second: Matrix) -> Matrix:
    import numpy as np

    matrix: Matrix = np.hstack([first, second]) / np.float32(2**0.5)
    return matrix


def load() -> SideBySide:
    """MiniLM and the multilingual model. Raises MdmemError if one of them is not installed."""
    return SideBySide(sentence.BOTH.name, minilm.load(), sentence.USE.load())

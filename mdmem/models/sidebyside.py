"""Two sentence models as one: their vectors side by side, so that a cosine is the mean of theirs.

What one of them takes for near the other may know better: one has seen more questions, the other more languages.
"""

from __future__ import annotations

from collections.abc import Sequence

from mdmem.models import sentence
from mdmem.models.sentence import Embedder
from mdmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SideBySide:
    """Sentence models that each make a part of a vector."""

    def __init__(self, name: str, models: Sequence[Embedder]) -> None:
        self.name = self.kept_as = name
        self._models = models

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A unit vector for each text, of as many numbers as those of all models have together."""
        import numpy as np

        parts = [model.embed(texts) for model in self._models]
        matrix: NDArray[np.float32] = np.hstack(parts) / np.float32(len(parts) ** 0.5)
        return matrix


def load() -> SideBySide:
    """MiniLM and the multilingual model. Raises MdmemError if one of them is not installed."""
    return SideBySide(sentence.BOTH.name, [sentence.MINILM.load(), sentence.USE.load()])

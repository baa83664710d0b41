"""Vectors of the passages of texts, stored by a digest of the text and the name of the model.

The same text never has to go through the model twice, whatever its file is called. The file is local and can be
deleted; `mdmem rebuild vectors` makes it again. Of a vector its direction is kept, a byte a number.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.errors import MdmemError
from mdmem.store import layout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

SCHEMA = 1  # of the file, and of how `recall.passages` cuts a text: a file with another number is made anew
_MAKE = f"""BEGIN IMMEDIATE;
DROP TABLE IF EXISTS vectors;
CREATE TABLE vectors(model TEXT, digest BLOB, passages INTEGER, numbers BLOB, UNIQUE(model, digest));
PRAGMA user_version={SCHEMA};
COMMIT"""
_WAIT = 5.0  # seconds for another process that writes
_LARGEST = 127  # a number of a vector is scaled to -127..127
_ROWS = 2048  # vectors that are compared at a time: as numbers of four bytes they fit the cache


class PassageVectors(NamedTuple):
    """The vectors of many texts: those of text `at` are `rows[starts[at]:starts[at + 1]]`, one a passage."""

    digests: list[bytes]
    starts: NDArray[np.int64]
    rows: NDArray[np.int8]
    lengths: Matrix  # of the rows, none of which is 0

    def cosines(self, vector: Matrix) -> Matrix:
        """The cosine between each row and a unit vector."""
        import numpy as np

        found = np.empty(len(self.rows), np.float32)
        for start in range(0, len(found), _ROWS):
            some = slice(start, start + _ROWS)
            np.matmul(self.rows[some].astype(np.float32), vector, out=found[some])
        return found / self.lengths

    def each(self) -> list[NDArray[np.int8]]:
        """The rows of each text."""
        return [self.rows[start:end] for start, end in pairwise(self.starts.tolist())]

    def wholes(self) -> Matrix:
        """A unit vector for each text: the mean of those of its passages."""
        import numpy as np

        found = np.empty((len(self.digests), self.rows.shape[1]), np.float32)
        for start in range(0, len(found), _ROWS):
            starts = self.starts[start : start + _ROWS + 1]
            some = slice(starts[0], starts[-1])
            sums = np.add.reduceat(self.rows[some] / self.lengths[some, None], starts[:-1] - starts[0], axis=0)
            found[start : start + _ROWS] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
        return found


class Vectors:
    """The vectors of one model in one vault."""

    def __init__(self, root: str, model: str) -> None:
        self._place = os.path.join(root, layout.STATE, "vectors.sqlite")
        self._model = model

    def digests(self) -> set[bytes]:
        """The digests of all texts that have vectors. Raises MdmemError for a damaged file."""
        return {digest for (digest,) in self._rows("digest")}

    @property
    def stamp(self) -> tuple[int, int]:
        """What changes with the file: when it was last written, and its size."""
        try:
            found = os.stat(self._place)
        except OSError:
            return 0, 0
        return found.st_mtime_ns, found.st_size

    @property
    def is_empty(self) -> bool:
        """Whether no text has vectors. Raises MdmemError for a damaged file."""
        return not any(self._rows("1", " LIMIT 1"))

    def load(self) -> PassageVectors:
        """All vectors. Raises MdmemError for a damaged file."""
        return _together(self._rows("digest, passages, numbers"), self._place)

    def of(self, digests: Collection[bytes]) -> PassageVectors:
        """The vectors of those texts that have some; takes some hundred at once. Raises MdmemError."""
        marks = ",".join("?" * len(digests))
        return _together(
            self._rows("digest, passages, numbers", f" AND digest IN ({marks})", *digests), self._place
        )

    def add(self, texts: Mapping[bytes, Matrix]) -> None:
        """Store the vectors of texts, a row a passage. If the disk cannot be written, they are not stored."""
        rows = [(self._model, digest, len(matrix), _packed(matrix)) for digest, matrix in texts.items()]
        try:
            with closing(self._open()) as db, db:
                db.executemany("INSERT OR REPLACE INTO vectors VALUES(?,?,?,?)", rows)
        except sqlite3.OperationalError:
            return

    def keep_only(self, digests: Collection[bytes]) -> int:
        """Delete the vectors of all other texts, and return how many texts there were."""
        gone = [(self._model, digest) for digest in self.digests().difference(digests)]
        if gone:
            with closing(self._open()) as db, db:
                db.executemany("DELETE FROM vectors WHERE model=? AND digest=?", gone)
        return len(gone)

    def _rows(self, columns: str, where: str = "", *values: bytes) -> Iterator[tuple[Any, ...]]:
        if not os.path.exists(self._place):
            return
        try:
            with closing(self._open()) as db:
                query = f"SELECT {columns} FROM vectors WHERE model=?{where}"  # noqa: S608 - our own names
                yield from db.execute(query, (self._model, *values))
        except sqlite3.DatabaseError as error:
            raise _unreadable(self._place, error) from None

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._place, timeout=_WAIT)
        try:
            db.execute("PRAGMA synchronous=OFF")
            if db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
                db.executescript(_MAKE)
        except sqlite3.Error:
            db.close()
            raise
        return db


def _packed(matrix: Matrix) -> bytes:
    """The directions of some vectors, a byte a number."""
    import numpy as np

    largest = np.maximum(np.abs(matrix).max(1, keepdims=True), np.float32(1e-9))
    rounded: NDArray[np.int8] = np.rint(matrix * (_LARGEST / largest)).astype(np.int8)
    return rounded.tobytes()


def _together(texts: Iterable[tuple[bytes, int, bytes]], place: str) -> PassageVectors:
    import numpy as np

    digests, starts, sizes, numbers = list[bytes](), [0], set[int](), bytearray()
    for digest, passages, packed in texts:
        size, rest = divmod(len(packed), max(passages, 1))
        sizes.add(-1 if rest or passages < 1 else size)
        digests.append(digest)
        starts.append(starts[-1] + passages)
        numbers += packed
    if len(sizes) > 1 or -1 in sizes:
        raise _unreadable(place, "it holds vectors of different lengths")
    rows = np.frombuffer(numbers, np.int8).reshape(starts[-1], max(sizes, default=0))
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float32))
    return PassageVectors(digests, np.array(starts), rows, np.maximum(lengths, np.float32(1)))


def _unreadable(place: str, why: object) -> MdmemError:
    return MdmemError(f"{place} cannot be read: {why}", "delete it, then: mdmem rebuild vectors")

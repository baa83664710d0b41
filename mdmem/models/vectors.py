"""Vectors of texts and of their words, stored by a digest of the text and the name of the model.

The same text never has to go through the model twice, whatever its file is called. The file is local and can be
deleted; `mdmem embed` makes it again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from mdmem.errors import MdmemError
from mdmem.note import layout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WAIT = 5.0  # seconds for another process that writes
_AT_ONCE = 500  # digests in one query


class _Kept:
    """What is stored for texts by one model in one vault: a table of the file, with one row per digest."""

    table, make = "", ""  # the table's name, and the statement that creates it

    def __init__(self, root: str, model: str) -> None:
        self._place = os.path.join(root, layout.STATE, "vectors.sqlite")
        self._model = model

    def digests(self) -> set[bytes]:
        """All digests. Raises MdmemError for a damaged file."""
        if not os.path.exists(self._place):
            return set()
        return {digest for (digest,) in self._rows(f"SELECT digest FROM {self.table} WHERE model=?")}  # noqa: S608

    def keep_only(self, digests: Collection[bytes]) -> int:
        """Delete the rows of all other texts, and return how many there were."""
        gone = [(self._model, digest) for digest in self.digests().difference(digests)]
        if not gone:
            return 0
        with closing(self._open()) as db, db:
            db.execute(self.make)
            db.executemany(f"DELETE FROM {self.table} WHERE model=? AND digest=?", gone)  # noqa: S608
        return len(gone)

    def _write(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Store (digest, content) rows. If the disk cannot be written, they are not stored."""
        told = [(self._model, digest, content) for digest, content in rows]
        try:
            with closing(self._open()) as db, db:
                db.execute(self.make)
                db.executemany(f"INSERT OR REPLACE INTO {self.table} VALUES(?,?,?)", told)
        except sqlite3.OperationalError:
            return

    def _rows(self, query: str, *values: bytes) -> list[Any]:
        try:
            with closing(self._open()) as db:
                db.execute(self.make)
                return db.execute(query, (self._model, *values)).fetchall()
        except sqlite3.DatabaseError as error:
            raise MdmemError(f"{self._place} cannot be read: {error}", "delete it, then: mdmem embed") from None

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._place, timeout=_WAIT)
        try:
            db.execute("PRAGMA synchronous=OFF")
        except sqlite3.Error:
            db.close()
            raise
        return db


class WordVectors(_Kept):
    """The vectors of the words of texts, as `late.packed` makes them, if the model has such."""

    table = "words"
    # With rowids, digests are read from the index alone, without the long rows.
    make = "CREATE TABLE IF NOT EXISTS words(model TEXT, digest BLOB, words BLOB, UNIQUE(model, digest))"

    def of(self, digests: Sequence[bytes]) -> dict[bytes, bytes]:
        """digest -> the vectors of its words, for those stored. Raises MdmemError for a damaged file."""
        found: dict[bytes, bytes] = {}
        for start in range(0, len(digests) if os.path.exists(self._place) else 0, _AT_ONCE):
            some = digests[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            query = f"SELECT digest, words FROM words WHERE model=? AND digest IN ({marks})"  # noqa: S608
            found.update(self._rows(query, *some))
        return found

    def add(self, digests: Iterable[bytes], words: Iterable[bytes]) -> None:
        """Store the words of texts. If the disk cannot be written, they are not stored."""
        self._write(zip(digests, words, strict=True))


class Vectors(_Kept):
    """The vectors of one model in one vault, as float16."""

    table = "vectors"
    make = (
        "CREATE TABLE IF NOT EXISTS vectors(model TEXT, digest BLOB, vector BLOB, PRIMARY KEY(model, digest))"
        " WITHOUT ROWID"
    )

    def load(self) -> tuple[list[bytes], NDArray[np.float32]]:
        """All digests, and their vectors: one row each, of length 1. Raises MdmemError for a damaged file."""
        import numpy as np

        rows: list[tuple[bytes, bytes]] = []
        if os.path.exists(self._place):
            rows = self._rows("SELECT digest, vector FROM vectors WHERE model=?")
        if not rows:
            return [], np.zeros((0, 0), np.float32)
        if len({len(vector) for _, vector in rows}) > 1:
            raise MdmemError(f"{self._place} holds vectors of different lengths", "delete it, then: mdmem embed")
        matrix = np.frombuffer(b"".join(vector for _, vector in rows), np.float16).astype(np.float32)
        return [digest for digest, _ in rows], matrix.reshape(len(rows), -1)

    def of(self, digests: Collection[bytes]) -> dict[bytes, list[float]]:
        """digest -> vector, for those stored; takes some hundred at once. Raises MdmemError for a damaged file."""
        import struct

        if not os.path.exists(self._place):
            return {}
        marks = ",".join("?" * len(digests))
        query = f"SELECT digest, vector FROM vectors WHERE model=? AND digest IN ({marks})"  # noqa: S608
        rows = self._rows(query, *digests)
        return {digest: list(struct.unpack(f"<{len(vector) // 2}e", vector)) for digest, vector in rows}

    def add(self, digests: Iterable[bytes], matrix: NDArray[np.float32]) -> None:
        """Store vectors. If the disk cannot be written, they are not stored."""
        import numpy as np

        rows = (row.astype(np.float16).tobytes() for row in matrix)
        self._write(zip(digests, rows, strict=True))

"""Vectors of texts, kept by what they are of: a digest of the text and what tells its model.

The same text never has to go through the model twice, whatever its file is called. The file is local and can
be deleted; `mdmem embed` makes it again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable
from contextlib import closing
from typing import TYPE_CHECKING, Any

from mdmem.errors import MdmemError
from mdmem.note import layout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TABLE = (
    "CREATE TABLE IF NOT EXISTS vectors(model TEXT, digest BLOB, vector BLOB, PRIMARY KEY(model, digest))"
    " WITHOUT ROWID"
)
_WAIT = 5.0  # seconds for another process that writes


class Vectors:
    """The vectors of one model in one vault, as float16."""

    def __init__(self, root: str, model: str) -> None:
        self._place = os.path.join(root, layout.STATE, "vectors.sqlite")
        self._model = model

    def load(self) -> tuple[list[bytes], NDArray[np.float32]]:
        """Every digest, and their vectors: one row each, of length 1. Raises MdmemError for a damaged file."""
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

    def digests(self) -> set[bytes]:
        """Every digest. Raises MdmemError for a damaged file."""
        if not os.path.exists(self._place):
            return set()
        return {digest for (digest,) in self._rows("SELECT digest FROM vectors WHERE model=?")}

    def of(self, digests: Collection[bytes]) -> dict[bytes, list[float]]:
        """digest -> vector of those that there are; some hundred at once. Raises MdmemError for a damaged file."""
        import struct

        if not os.path.exists(self._place):
            return {}
        marks = ",".join("?" * len(digests))
        query = f"SELECT digest, vector FROM vectors WHERE model=? AND digest IN ({marks})"  # noqa: S608
        rows = self._rows(query, *digests)
        return {digest: list(struct.unpack(f"<{len(vector) // 2}e", vector)) for digest, vector in rows}

    def add(self, digests: Iterable[bytes], matrix: NDArray[np.float32]) -> None:
        """Keep vectors. On a disk that cannot be written they are not kept."""
        import numpy as np

        rows = [
            (self._model, digest, row.astype(np.float16).tobytes())
            for digest, row in zip(digests, matrix, strict=True)
        ]
        try:
            with closing(self._open()) as db, db:
                db.execute(_TABLE)
                db.executemany("INSERT OR REPLACE INTO vectors VALUES(?,?,?)", rows)
        except sqlite3.OperationalError:
            return

    def keep_only(self, digests: Collection[bytes]) -> int:
        """Forget the vectors of all other texts; how many those were."""
        gone = [(self._model, digest) for digest in self.digests().difference(digests)]
        if not gone:
            return 0
        with closing(self._open()) as db, db:
            db.execute(_TABLE)
            db.executemany("DELETE FROM vectors WHERE model=? AND digest=?", gone)
        return len(gone)

    def _rows(self, query: str, *values: bytes) -> list[Any]:
        try:
            with closing(self._open()) as db:
                db.execute(_TABLE)
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

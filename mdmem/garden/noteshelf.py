"""Where a vault's notes are kept while a plan is made: in memory up to a limit, beyond it in a nameless file."""

from __future__ import annotations

import errno
import io
import sys
from array import array
from functools import lru_cache
from threading import Lock
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from mdmem.garden.gardeners.note import NoteRecord

_TEXTS = 4 << 20  # bytes; the texts of a small vault need no file
_RECORDS = 10_000  # notes, at 2 kB each
_KEPT = 1_000  # of the other records, those used last
_PLACE = "a temporary file (TMPDIR names the folder)"

share = sys.intern  # a text that many notes have, as one object for all of them


class Spill:
    """Byte strings that are needed only now and then, each stored under a number.

    The file is gone with the process, however that ends, and nobody can open it by a name.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] = io.BytesIO()
        self._starts = array("Q", [0])
        self._lock = Lock()

    def append(self, data: bytes) -> int:
        """Store bytes and return the number that they are stored under. Raises OSError if there is no room."""
        with self._lock:
            try:
                if isinstance(self._file, io.BytesIO) and self._starts[-1] + len(data) > _TEXTS:
                    self._file = _nameless(self, self._file.getvalue())
                self._file.seek(self._starts[-1])
                self._file.write(data)
            except OSError as error:
                error.filename = error.filename or _PLACE
                raise
            self._starts.append(self._starts[-1] + len(data))
            return len(self._starts) - 2

    def __getitem__(self, at: int) -> bytes:
        """The bytes with a number. Raises OSError if some are missing, as after a write that ran out of room."""
        with self._lock:
            start, end = self._starts[at], self._starts[at + 1]
            self._file.seek(start)
            data = self._file.read(end - start)
        if len(data) < end - start:
            raise OSError(errno.EIO, "a text is gone", _PLACE)
        return data


def _nameless(owner: Spill, data: bytes) -> IO[bytes]:
    """A nameless file with these bytes that lives as long as its owner. Raises OSError if there is no room."""
    import tempfile  # few vaults need one, and a memory that is written does not wait for it
    import weakref

    file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as its owner
    weakref.finalize(owner, file.close)
    file.write(data)
    return file


class NoteShelf:
    """Notes and their texts."""

    def __init__(self) -> None:
        self._spill = Spill()  # the text of each note, followed by its record if that is not in memory
        self._in_memory = 0
        self.record = lru_cache(_KEPT)(self._record)

    def put(self, record: NoteRecord, data: bytes) -> tuple[int, NoteRecord | None]:
        """Store a note; the number that it has from now on, and its record if that stays in memory.

        Raises OSError if there is no room.
        """
        at = self._spill.append(data)
        if self._in_memory < _RECORDS:
            self._in_memory += 1
            return at, record
        import pickle

        self._spill.append(pickle.dumps(record))
        return at, None

    def data(self, at: int) -> bytes:
        """The bytes of that note's file. Raises OSError if they are gone."""
        return self._spill[at]

    def _record(self, at: int) -> NoteRecord:
        """The record of the note with that number."""
        import pickle

        record: NoteRecord = pickle.loads(self._spill[at + 1])  # noqa: S301 - of this process
        return record

"""The notes of a vault while a plan is made: in memory up to a limit, beyond it in a nameless file."""

from __future__ import annotations

import errno
import io
import marshal
from array import array
from functools import lru_cache
from threading import Lock
from typing import IO, Any

_MOST = 4 << 20  # bytes; the notes of a small vault need no file
_KEPT = 10_000  # notes that were read last: a plan reads each one several times
PLACE = "a temporary file (TMPDIR names the folder)"


Row = dict[str, Any]  # what is known of a note, by names


class NoteShelf:
    """Notes that are needed only now and then, each stored under a number.

    The file is gone with the process, however that ends, and nobody can open it by a name.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] = io.BytesIO()
        self._starts = array("Q", [0])
        self._lock = Lock()
        self._row = lru_cache(_KEPT)(self.fetch)

    def append(self, row: Row) -> int:
        """Store a note and return the number that it is stored under. Raises OSError if there is no room."""
        data = marshal.dumps(row)
        with self._lock:
            try:
                if isinstance(self._file, io.BytesIO) and self._starts[-1] + len(data) > _MOST:
                    self._file = _nameless(self, self._file.getvalue())
                self._file.seek(self._starts[-1])
                self._file.write(data)
            except OSError as error:
                error.filename = error.filename or PLACE
                raise
            self._starts.append(self._starts[-1] + len(data))
            return len(self._starts) - 2

    def __getitem__(self, at: int) -> Row:
        """The note with a number. Raises OSError if it is missing, as after a write that ran out of room."""
        return self._row(at)

    def fetch(self, at: int) -> Row:
        """The same, read once more."""
        with self._lock:
            start, end = self._starts[at], self._starts[at + 1]
            self._file.seek(start)
            data = self._file.read(end - start)
        if len(data) < end - start:
            raise OSError(errno.EIO, "a text is gone", PLACE)
        found: Row = marshal.loads(data)  # noqa: S302 - written above, by this process
        return found


def _nameless(owner: NoteShelf, data: bytes) -> IO[bytes]:
    """A nameless file with these bytes that lives as long as its owner. Raises OSError if there is no room."""
    import tempfile  # few vaults need one, and a memory that is written does not wait for it
    import weakref

    file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as its owner
    weakref.finalize(owner, file.close)
    file.write(data)
    return file

"""The texts of a vault's notes while a plan is made: in memory up to a limit, beyond it in a nameless file."""

from __future__ import annotations

import errno
import io
import sys
from array import array
from threading import Lock
from typing import IO

_MOST = 4 << 20  # bytes; the texts of a small vault need no file
_PLACE = "a temporary file (TMPDIR names the folder)"

share = sys.intern  # a text that many notes have, as one object for all of them


class NoteShelf:
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
                if isinstance(self._file, io.BytesIO) and self._starts[-1] + len(data) > _MOST:
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


def _nameless(owner: NoteShelf, data: bytes) -> IO[bytes]:
    """A nameless file with these bytes that lives as long as its owner. Raises OSError if there is no room."""
    import tempfile  # few vaults need one, and a memory that is written does not wait for it
    import weakref

    file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as its owner
    weakref.finalize(owner, file.close)
    file.write(data)
    return file

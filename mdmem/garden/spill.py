"""Where data about a vault is kept while a plan is made: in a nameless temporary file, not in memory."""

from __future__ import annotations

import errno
import tempfile
import weakref
from array import array
from threading import Lock

_IN_MEMORY = 4 << 20  # bytes; the texts of a small vault need no file
_PLACE = "a temporary file (TMPDIR names the folder)"


class Spill:
    """Byte strings that are needed only now and then, each stored under a number.

    The file is gone with the process, however that ends, and nobody can open it by a name.
    """

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - lives as long as this
        self._starts = array("Q", [0])
        self._lock = Lock()  # several threads send notes to workers
        weakref.finalize(self, self._file.close)

    def append(self, data: bytes) -> int:
        """Store bytes and return the number that they are stored under. Raises OSError if there is no room."""
        with self._lock:
            try:
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

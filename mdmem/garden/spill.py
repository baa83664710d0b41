"""Where the texts of a vault are while it is planned: in a file without a name, not in memory."""

from __future__ import annotations

import errno
import os
import tempfile
import weakref
from collections.abc import Callable
from functools import partial

_IN_MEMORY = 4 << 20  # bytes; the texts of a small vault need no file
_PLACE = "a temporary file (TMPDIR names the folder)"


class Spill:
    """Bytes that are needed now and then.

    The file is gone with the process, however that ends: nobody can open it by a name.
    """

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - lives as long as this
        weakref.finalize(self, self._file.close)

    def keep(self, data: bytes) -> Callable[[], bytes]:
        """Put bytes away; what reads them again. Raises OSError where there is no room for them."""
        try:
            start = self._file.seek(0, os.SEEK_END)
            self._file.write(data)
        except OSError as error:
            error.filename = error.filename or _PLACE
            raise
        return partial(self._read, start, len(data))

    def _read(self, start: int, length: int) -> bytes:
        """Raises OSError where a part of it is gone, such as after a write for which there was no room."""
        self._file.seek(start)
        data = self._file.read(length)
        if len(data) < length:
            raise OSError(errno.EIO, "a text is gone", _PLACE)
        return data

"""Where the texts of a vault are while it is planned: in a file without a name, not in memory."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Callable
from functools import partial

_IN_MEMORY = 4 << 20  # bytes; the texts of a small vault need no file


class Spill:
    """Bytes that are needed now and then.

    The file is gone with the process, however that ends: nobody can open it by a name.
    """

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - lives as long as this
        weakref.finalize(self, self._file.close)

    def keep(self, data: bytes) -> Callable[[], bytes]:
        """Put bytes away; what reads them again. Raises OSError where there is no room for them."""
        start = self._file.seek(0, os.SEEK_END)
        self._file.write(data)
        return partial(self._read, start, len(data))

    def _read(self, start: int, length: int) -> bytes:
        self._file.seek(start)
        return self._file.read(length)

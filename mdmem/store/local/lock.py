"""One writer at a time: an advisory lock on a file, which the system releases when its holder dies.

The library for this, filelock, takes 33 ms to import: more than a whole hook may take. This makes the same
`flock`/`msvcrt` call.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mdmem.errors import BusyError

PATIENCE = 180.0  # seconds to wait for another writer before giving up
NOTICE = 1.0  # seconds of waiting after which the person is told
_PAUSE = 0.02  # seconds between attempts at first; whoever waits longest tries most often


@contextmanager
def held(path: str, tell: Callable[[str], None] | None = None, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock at `path`. Waits up to `patience` seconds, then raises BusyError.

    `tell` gets one line after NOTICE seconds of waiting.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        start, told = time.monotonic(), False
        while not _try(handle):
            waited = time.monotonic() - start
            if waited >= patience:
                raise BusyError(
                    f"another mdmem has been writing to this vault for {waited:.0f} s",
                    "try again when it is done",
                )
            if tell and waited >= NOTICE and not told:
                tell("waiting for another mdmem that is writing to this vault ...")
                told = True
            time.sleep(_PAUSE / (1 + waited))
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":

    def _try(handle: int) -> bool:
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _try(handle: int) -> bool:
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

"""Notes on disk: their bytes, and stamps that tell whether they changed."""

import os
import time
from stat import S_ISLNK
from typing import NamedTuple

from mdmem.errors import MdmemError, NoteError, NotFoundError, Problem
from mdmem.note import memory
from mdmem.store.local import files

UNSURE = "racy"  # a stamp that begins with this is never trusted
MOST_RAW = 64 * 2**20  # bytes; larger raw files are not read
_RACY = 2_000_000_000  # ns: a file changed this shortly before it was read is read again next time


class Dirty(NamedTuple):
    """An uncommitted memory: its stamp, which shows whether it changed again, and its path before it was moved.

    `origin` is "" if it was not moved.
    """

    stamp: str
    origin: str = ""


def read(root: str, path: str, most: int = memory.MAX_BYTES) -> bytes | None:
    """A note's bytes; None if it is gone. Raises NoteError if it is over `most` bytes, a symlink or unreadable."""
    try:
        stat = os.lstat(os.path.join(root, path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.st_size > most:
        raise NoteError(memory.too_large(path, stat.st_size))
    if S_ISLNK(stat.st_mode):
        fix = "put the note itself into the vault"
        raise NoteError(Problem("path-link", path, 0, "is a symbolic link", fix, "warning"))
    try:
        return files.read(root, path)
    except NotFoundError:
        return None


def read_if_note(root: str, path: str) -> bytes | None:
    """A note's bytes; None if it is gone or cannot be read as one."""
    try:
        return read(root, path)
    except NoteError:
        return None


def saved_since(root: str, path: str, moment: int) -> bool:
    """Whether a file was changed at or after a moment (ns since 1970); False if it is gone."""
    try:
        return os.lstat(os.path.join(root, path)).st_ctime_ns >= moment
    except (FileNotFoundError, NotADirectoryError):
        return False


def stamp(place: str) -> str:
    """A text that differs once a file has changed. It begins with UNSURE if the last change is too recent.

    The later of mtime and ctime decides that: a replaced file may bring an old mtime along, and the clock may
    have been set back since. Raises MdmemError if the file cannot be read.
    """
    try:
        stat = os.lstat(place)
    except (FileNotFoundError, NotADirectoryError):
        return "gone"
    except OSError as error:
        raise MdmemError(f"{place} cannot be read: {error.strerror}", "fix its permissions") from None
    racy = time.time_ns() - max(stat.st_mtime_ns, stat.st_ctime_ns) < _RACY
    prefix = UNSURE + " " if racy else ""
    return f"{prefix}{stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_ino}"

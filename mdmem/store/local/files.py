"""Reading and writing files of the vault: never outside it, and never half a file."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from mdmem.errors import ConflictError, NoteError, NotFoundError, Problem, UsageError
from mdmem.store import layout

if TYPE_CHECKING:
    from typing import BinaryIO, TypeVar

    _T = TypeVar("_T")

UNREADABLE = "note-unreadable"  # problem code of a note that cannot be read
_OFF_LIMITS = (".git", layout.STATE)
_TAKEN = ".taken"  # the ending of a file that `take` has moved aside
_OPEN = 64  # files written at a time: systems limit how many may be open
_MANY, _AT_ONCE = 8, 16  # from how many files on they are synced by threads, and by how many
_NO_FILE = (FileNotFoundError, NotADirectoryError, IsADirectoryError)  # of what is no file, or not there
_LONGEST_NAME, _LONGEST_PATH = 255, 2000  # bytes; ext4, APFS and NTFS allow no longer names


def relative(place: str, folder: str) -> str:
    """A place as a path from a folder, with slashes on every system."""
    return os.path.relpath(place, folder).replace(os.sep, "/")


def is_plain(place: str) -> bool:
    """Whether there is a regular file, and no link to one."""
    return os.path.isfile(place) and not os.path.islink(place)


def listed(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing if there is no such folder. Raises OSError if it cannot be read."""
    try:
        return list(os.scandir(folder))
    except _NO_FILE:
        return []


def walk(
    tree: str, unlisted: Callable[[OSError], None] | None = None, enters: Callable[[str], bool] = bool
) -> Iterator[str]:
    """The path within `tree`, with `/`, of every file and every link to a folder, folder by folder.

    Hidden files and folders are left out, and links are not followed. `enters` gets the absolute path of a folder
    and says whether to descend into it; `unlisted` gets the error of a folder that cannot be read.
    """
    for folder, folders, names in os.walk(tree, onerror=unlisted):
        linked = {name for name in folders if os.path.islink(os.path.join(folder, name))}
        plain = (name for name in folders if name not in linked and not name.startswith("."))
        folders[:] = sorted(name for name in plain if enters(os.path.join(folder, name)))
        for name in sorted({*names, *linked}):
            if not name.startswith("."):
                yield relative(os.path.join(folder, name), tree)


def every(root: str, enters: Callable[[str], bool] = bool) -> Iterator[str]:
    """The path within `root`, with `/`, of every file, hidden or not; `enters` gets the name of each folder."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(filter(enters, folders))
        inner = relative(folder, root)
        yield from (name if inner == "." else f"{inner}/{name}" for name in sorted(names))


def is_inside(path: str) -> bool:
    """Whether a path, judged by its form alone, stays within the vault and outside git's and mdmem's folders."""
    if not path or os.path.isabs(path) or path.startswith("/") or "\0" in path:
        return False
    if os.sep == "\\" and ("\\" in path or ":" in path or "git~" in path.lower()):
        return False  # another way, a drive or stream, or the short name of git's folder
    if not (path.startswith(".") or "/." in path or "//" in path or path.endswith("/")):
        return True  # no part is empty or begins with a dot
    parts = path.split("/")
    return not any(part in ("", ".", "..") or part.rstrip(". ").lower() in _OFF_LIMITS for part in parts)


def locate(root: str, path: str) -> str:
    """The absolute path of `path` (relative to the vault, with `/`).

    Raises UsageError for anything that could lead out of the vault: absolute paths, `..`, git's own folder and
    mdmem's, NUL, and symbolic links anywhere in the path. Also for a name or path that is too long for file
    systems, which would fail in the middle of a change.
    """
    if not is_inside(path):
        raise UsageError(f"{path!r} is not a path within the vault", "paths are relative to the vault, without ..")
    if len(path) > _LONGEST_NAME or not path.isascii():
        _require_short(path)
    place = root
    for part in path.split("/"):
        place = f"{place}{os.sep}{part}"
        if os.path.islink(place):
            raise UsageError(f"{path} goes through a symbolic link", "memories must be real files in the vault")
    return place


def _require_short(path: str) -> None:
    """Raises UsageError for a path that is too long for file systems."""
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise UsageError(f"{path[:60]}... is too long a path", f"a path has at most {_LONGEST_PATH} bytes")
    if any(len(os.fsencode(part)) > _LONGEST_NAME for part in path.split("/")):
        raise UsageError(f"{path}: a name is too long", f"a name has at most {_LONGEST_NAME} bytes")


def read(root: str, path: str) -> bytes:
    """The bytes of a file. Raises NotFoundError if it does not exist, NoteError if it cannot be read."""
    try:
        with open(locate(root, path), "rb") as file:
            return file.read()
    except _NO_FILE:
        raise NotFoundError(f"there is no file {path}") from None
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise NoteError(Problem(UNREADABLE, path, 0, message, "fix its permissions")) from None


def read_or_none(root: str, path: str) -> bytes | None:
    """The bytes of a file, or None if it does not exist. Raises NoteError if it cannot be read."""
    try:
        return read(root, path)
    except NotFoundError:
        return None


def bytes_of(place: str) -> bytes | None:
    """The bytes of any file by its absolute path, None if there is none. Raises OSError if it cannot be read."""
    try:
        with open(place, "rb") as file:
            return file.read()
    except _NO_FILE:
        return None


def bytes_at(place: str) -> bytes:
    """The bytes of any file by its absolute path; b"" if it does not exist."""
    found = bytes_of(place) if os.path.isfile(place) else None
    return found or b""


def stamp(place: str) -> tuple[int, int, int] | None:
    """What tells whether a file changed: its inode, size and time of change; None if there is none."""
    try:
        found = os.stat(place)
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def text_of(place: str) -> str | None:
    """The text of a file of the user, None if there is none. Raises UsageError if it is not UTF-8, OSError."""
    data = bytes_of(place)
    try:
        return data.decode() if data is not None else None
    except UnicodeDecodeError:
        raise UsageError(f"{place} is not UTF-8", "save it as UTF-8, then try again") from None


@contextmanager
def aside(root: str, contents: Mapping[str, bytes], scratch: str) -> Iterator[Mapping[str, str]]:
    """Write the new contents to temporary files, for `put`: path -> temporary file. Those left are deleted.

    `scratch` is a folder on the same file system. Raises UsageError like `locate`, OSError.
    """
    with _written([(locate(root, path), data) for path, data in contents.items()], scratch) as temporaries:
        yield dict(zip(contents, temporaries, strict=True))


def put(root: str, path: str, before: bytes | None, temporary: str) -> str:
    """Replace a file of the vault atomically: a reader sees the old bytes or the new ones, even after a crash.

    Returns the folder to pass to `sync`: until then, a crash may bring the old file back. Raises ConflictError
    unless the file has the bytes `before` (None: it does not exist) just before that, and OSError.
    """
    place = locate(root, path)
    _require_same(path, read_or_none(root, path), before)
    try:
        os.replace(temporary, place)
    except FileNotFoundError:  # it is the first in its folder
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.replace(temporary, place)
    except IsADirectoryError:
        raise ConflictError(f"{path} is a folder", "give one of them another name") from None
    return os.path.dirname(place)


def take(root: str, path: str, before: bytes | None, keep: str, scratch: str) -> str:
    """Delete a file that has the bytes `before`, and the folders within `keep` that become empty.

    It is moved to `scratch`, looked at there, and moved back if another program has saved it meanwhile. Returns
    the folder that remains, to pass to `sync`. Raises ConflictError, OSError.
    """
    place, aside = locate(root, path), os.path.join(scratch, f"{os.urandom(8).hex()}{_TAKEN}")
    _require_same(path, read_or_none(root, path), before)
    if before is not None:
        os.makedirs(scratch, exist_ok=True)
        os.rename(place, aside)
        try:
            _require_same(path, bytes_of(aside), before)
        except ConflictError:
            if not os.path.lexists(place):  # else it was saved once more
                os.rename(aside, place)
            raise
        os.unlink(aside)
    return _without_empty(os.path.dirname(place), root, keep)


def _require_same(path: str, found: bytes | None, before: bytes | None) -> None:
    if found != before:
        raise ConflictError(f"{path} was saved by another program just now", "nothing was lost; try again")


def save(place: str, data: bytes, scratch: str = "") -> str:
    """Replace the file at any absolute path atomically; returns its folder. Raises OSError.

    It is written in `scratch` first, by default in its own folder. If a process with the vault's lock clears
    that meanwhile, it is written there again.
    """
    folder = os.path.dirname(place)
    while True:
        try:
            with _written([(place, data)], scratch or folder) as (temporary,):
                os.replace(temporary, place)
            return folder
        except FileNotFoundError:
            if not os.path.isdir(folder):
                raise


@contextmanager
def replacing(place: str) -> Iterator[str]:
    """A path beside that of any file or folder: what the block makes there takes its place, whole or not at all.

    A folder that is replaced has to be empty. Raises UsageError if it cannot be written.
    """
    beside = f"{place}.{os.urandom(4).hex()}.part"  # a name that no file of the user has
    try:
        yield beside
        if os.path.isdir(place) and os.path.isdir(beside):
            os.rmdir(place)  # Windows renames onto no folder
        os.replace(beside, place)
    except OSError as error:
        raise UsageError(f"{place} cannot be written: {error.strerror}", "name another one") from None
    finally:
        if os.path.isdir(beside):
            from shutil import rmtree  # hooks load this module, and no shutil

            rmtree(beside, ignore_errors=True)
        elif os.path.lexists(beside):
            os.unlink(beside)


@contextmanager
def _written(contents: Sequence[tuple[str, bytes]], scratch: str) -> Iterator[Sequence[str]]:
    """Write temporary files with the new contents, in the same order; all are on disk when the block begins."""
    os.makedirs(scratch, exist_ok=True)
    temporaries: list[str] = []
    try:
        for group in _groups(contents):
            with ExitStack() as opened:
                handles = []
                for place, data in group:
                    # random: in a container, a killed process and the next one may have the same id
                    temporary = os.path.join(scratch, f"{os.getpid()}-{os.urandom(8).hex()}.tmp")
                    temporaries.append(temporary)
                    file = opened.enter_context(_new_file(temporary, place))
                    file.write(data)
                    file.flush()
                    handles.append(file.fileno())
                _sync_all(handles)
        yield temporaries
    finally:
        for temporary in temporaries:
            discard(temporary)


def _new_file(temporary: str, place: str) -> BinaryIO:
    """Create a file with the permissions of the one that it is to replace."""
    old = stat.S_IMODE(os.stat(place).st_mode) if os.path.isfile(place) else None
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, 0o666 if old is None else old)
    if old is not None:
        os.chmod(temporary, old)  # whatever the umask is
    return os.fdopen(handle, "wb")


def _sync_all(handles: Sequence[int]) -> None:
    """Flush open files to disk; many at once take little more time than one."""
    if len(handles) < _MANY:
        for handle in handles:
            os.fsync(handle)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(_AT_ONCE) as threads:  # it waits for all of them, even if one fails
        list(threads.map(os.fsync, handles))


def _groups(items: Sequence[_T]) -> Iterator[Sequence[_T]]:
    """Items in groups small enough to be open at once."""
    for start in range(0, len(items), _OPEN):
        yield items[start : start + _OPEN]


def clear(scratch: str, known: Collection[bytes | None] = ()) -> list[str]:
    """Delete the temporary files that killed processes left in `scratch`. The caller holds the vault's lock.

    Returns those that `take` moved there and that have none of the `known` bytes: they stay. Raises OSError.
    """
    kept = []
    for entry in listed(scratch):
        if entry.name.endswith(_TAKEN) and bytes_of(entry.path) not in known:
            kept.append(entry.path)
        else:
            discard(entry.path)  # a process without the lock may have put it into place
    return kept


def discard(place: str) -> None:
    """Delete a file that may be gone already. Raises OSError."""
    with suppress(FileNotFoundError):
        os.unlink(place)


def remove(root: str, path: str, keep: str) -> str:
    """Delete a file if it exists, and the folders within `keep` that become empty.

    Returns the folder that remains, to pass to `sync`. Raises OSError.
    """
    place = locate(root, path)
    discard(place)
    return _without_empty(os.path.dirname(place), root, keep)


def _without_empty(folder: str, root: str, keep: str) -> str:
    """Delete a folder and those around it, within `keep`, that are empty; returns the one that remains."""
    top = os.path.normpath(os.path.join(root, keep))
    while folder.startswith(top + os.sep) and os.path.isdir(folder) and not os.listdir(folder):
        os.rmdir(folder)
        folder = os.path.dirname(folder)
    return folder


def sync(folders: Iterable[str]) -> None:
    """Make files that were put into folders, or deleted from them, survive a system crash. Raises OSError."""
    if os.name == "nt":
        return  # Windows cannot open a folder, and does not need it synced
    there = [folder for folder in set(folders) if os.path.isdir(folder)]  # one may be deleted by now
    for group in _groups(there):
        with ExitStack() as opened:
            handles = []
            for folder in group:
                handles.append(os.open(folder, os.O_RDONLY))
                opened.callback(os.close, handles[-1])
            _sync_all(handles)

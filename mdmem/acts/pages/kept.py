"""The folder into which pages are written: which files it holds, and whether anything has changed since.

Only files that differ are written. A list in the folder names the files of the export and holds a hash of its
sources: if that hash is unchanged and nobody touched the files, nothing is read or rendered.
"""

import json
import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError
from mdmem.garden import keptplan
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault

LIST = "mdmem-export.json"  # lists the files of an export
_FORMAT = 1


class WrittenPages(NamedTuple):
    """What an export did: how many files it holds, how many were written, and how many were removed."""

    files: int
    written: int
    removed: int


def keep(vault: Vault, folder: str, made: Callable[[datetime], Iterable[tuple[str, bytes]]]) -> WrittenPages:
    """Bring a folder up to date with the files, (name, bytes) each, that are made for the time of the last commit.

    Raises ConflictError if the folder holds files that do not belong to an export, and OSError.
    """
    earlier, source_then = _earlier(folder)
    head = vault.repo.head()[0]
    if not head:
        raise MdmemError("the vault has no commit yet", "mdmem remember writes a first memory")
    now = datetime.fromtimestamp(vault.repo.time_of(head), UTC)
    source = _source(vault, now)
    if source_then == source and _is_untouched(folder, earlier):
        return WrittenPages(len(earlier), 0, 0)
    os.makedirs(folder, exist_ok=True)
    written, own = 0, []
    for file, data in made(now):
        own.append(file)
        if files.read_or_none(folder, file) != data:
            _replace(folder, file, data)
            written += 1
    stale = sorted(earlier - set(own))
    for file in stale:
        files.remove(folder, file, "")
    listed = {"format": _FORMAT, "source": source, "files": sorted(own)}
    _replace(folder, LIST, json.dumps(listed, indent=1).encode())  # written last, so that no file is newer
    return WrittenPages(len(own), written, len(stale))


def _earlier(folder: str) -> tuple[frozenset[str], str]:
    """The files that an earlier export left in a folder, and the hash of its sources ("" if unknown).

    Raises ConflictError if there are files that do not belong to an export.
    """
    if not files.listed(folder):
        return frozenset(), ""
    data = files.read_or_none(folder, LIST)
    try:
        found = json.loads(data or b"")
        listed = found["files"] if found["format"] == _FORMAT else None
        source = found.get("source", "")
    except (ValueError, TypeError, KeyError, RecursionError):
        listed = None
    if not isinstance(listed, list):
        raise ConflictError(f"{folder} holds files that do not belong to an export", "name a new or empty folder")
    own = frozenset(file for file in listed if isinstance(file, str) and files.is_inside(file))
    return own, source if len(own) == len(listed) else ""


def _is_untouched(folder: str, names: frozenset[str]) -> bool:
    """Whether all files of an earlier export are there, and none was changed after their list was written."""
    try:
        listed_at = _changed_at(folder, LIST)
        return all(_changed_at(folder, name) <= listed_at for name in names)
    except OSError:
        return False


def _changed_at(folder: str, name: str) -> int:
    """When a file was last changed (ns). A copy keeps the modification time of its original, but not the ctime."""
    stat = os.lstat(os.path.join(folder, name))
    return max(stat.st_mtime_ns, stat.st_ctime_ns)


def _source(vault: Vault, now: datetime) -> str:
    """A hash of what pages are made from: commit, uncommitted files, settings, clearance, version of mdmem."""
    rests_on = keptplan.basis_of(vault, now)
    differing = [(*item, _saved(vault.root, item[0])) for item in sorted(rests_on.differing.items())]
    made_of = (os.path.basename(vault.root), *rests_on._replace(differing={}), differing)
    return sha256(repr(made_of).encode()).hexdigest()


def _saved(root: str, path: str) -> int:
    """When a file was saved (ns): the date of a memory that is not committed. 0 if the file is gone."""
    try:
        return os.lstat(os.path.join(root, path)).st_mtime_ns
    except OSError:
        return 0


def _replace(folder: str, file: str, data: bytes) -> None:
    place = files.locate(folder, file)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb") as target:
        target.write(data)

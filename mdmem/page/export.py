"""The pages as files: they open from a folder, offline, and need nothing but each other.

Two exports of the same vault are byte-identical: the time is that of the last commit, and what only this machine
knows is left out. Only files that differ are written. A list in the folder names the files of the export and holds
a hash of its sources: if that hash is unchanged and nobody touched the files, nothing is read or rendered.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError
from mdmem.garden.keptplan import basis
from mdmem.page import frame
from mdmem.page.frame import PageFrame
from mdmem.page.links import FileLinks, file_of
from mdmem.page.request import PageRequest
from mdmem.page.site import PAGES, SitePage, Value
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault

LIST = "mdmem-export.json"  # lists the files of an export
_ASSETS = os.path.join(os.path.dirname(__file__), "assets")
_FORMAT = 1


class WrittenPages(NamedTuple):
    """What an export did: how many files it holds, how many were written, and how many were removed."""

    files: int
    written: int
    removed: int


class _Earlier(NamedTuple):
    """The files of an earlier export, and a hash of its sources ("" if unknown)."""

    files: frozenset[str]
    source: str


def export(vault: Vault, folder: str, progress: Callable[[int, int], None]) -> WrittenPages:
    """Write the pages into a folder; `progress` is called with (done, total).

    Raises ConflictError if the folder holds files that do not belong to an export, and OSError.
    """
    earlier = _earlier(folder)
    now = _time_of(vault)
    source = _source(vault, now)
    if earlier.source == source and _is_untouched(folder, earlier.files):
        return WrittenPages(len(earlier.files), 0, 0)
    os.makedirs(folder, exist_ok=True)
    writer = _PageWriter(vault, now)
    total, written = len(writer.wanted), 0
    own: list[str] = []
    for done, (page, key) in enumerate(writer.wanted):
        progress(done, total)
        for file, data in writer.files(page, key):
            written += _write(folder, file, data)
            own.append(file)
    for name in sorted(os.listdir(_ASSETS)):
        with open(os.path.join(_ASSETS, name), "rb") as asset:
            written += _write(folder, f"assets/{name}", asset.read())
        own.append(f"assets/{name}")
    stale = sorted(earlier.files - set(own))
    for file in stale:
        files.remove(folder, file, "")
    listed = {"format": _FORMAT, "source": source, "files": sorted(own)}
    _replace(folder, LIST, json.dumps(listed, indent=1).encode())  # written last, so that no file is newer
    progress(total, total)
    return WrittenPages(len(own), written, len(stale))


def _earlier(folder: str) -> _Earlier:
    """What an earlier export left in a folder. Raises ConflictError if its files do not belong to an export."""
    if not os.path.isdir(folder) or not os.listdir(folder):
        return _Earlier(frozenset(), "")
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
    return _Earlier(own, source if len(own) == len(listed) else "")


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
    rests_on = basis.basis_of(vault, now)
    differing = [(*item, _saved(vault.root, item[0])) for item in sorted(rests_on.differing.items())]
    made_of = (os.path.basename(vault.root), *rests_on._replace(differing={}), differing)
    return sha256(repr(made_of).encode()).hexdigest()


def _saved(root: str, path: str) -> int:
    """When a file was saved (ns): the date of a memory that is not committed. 0 if the file is gone."""
    try:
        return os.lstat(os.path.join(root, path)).st_mtime_ns
    except OSError:
        return 0


def _time_of(vault: Vault) -> datetime:
    head = vault.repo.head()[0]
    if not head:
        raise MdmemError("the vault has no commit yet", "mdmem remember writes a first memory")
    return datetime.fromtimestamp(vault.repo.time_of(head), UTC)


class _PageWriter:
    """Renders the files of pages. `wanted` lists all pages of the export as (page, key)."""

    def __init__(self, vault: Vault, now: datetime) -> None:
        self.wanted = [(page, key) for page in PAGES for key in page.kept(vault)]
        self._vault = vault
        self._now = now
        self._names = frozenset(page.name for page, _ in self.wanted)

    def files(self, page: SitePage, key: str) -> Iterator[tuple[str, bytes]]:
        """(file, bytes) for each part of a page."""
        number = parts = 1
        while number <= parts:
            given = {"page": str(number)} if number > 1 else {}
            value = page.read(self._vault, PageRequest(self._now, key, given, is_kept=True))
            file = file_of(page.name, key, number)
            yield file, self._html(page, value, file)
            parts = value.get("pages", 1)
            number += 1

    def _html(self, page: SitePage, value: Value, file: str) -> bytes:
        links = FileLinks(file, self._names)
        frame_around = PageFrame(os.path.basename(self._vault.root), links, PAGES, page, is_kept=True)
        return frame.html(page.name, value, frame_around)


def _write(folder: str, file: str, data: bytes) -> bool:
    """Write a file if its content differs; return whether it was written."""
    if files.read_or_none(folder, file) == data:
        return False
    _replace(folder, file, data)
    return True


def _replace(folder: str, file: str, data: bytes) -> None:
    place = files.locate(folder, file)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb") as target:
        target.write(data)

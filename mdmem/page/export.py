"""The pages as files: they open from a folder, offline, and need nothing but each other.

Two exports of the same vault are the same bytes: the time is that of its last commit, and what only this machine
knows is left out. Only files that differ are written; a list in the folder says which are the export's own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from mdmem.errors import ConflictError, MdmemError
from mdmem.local import files
from mdmem.page import frame
from mdmem.page.frame import PageFrame
from mdmem.page.links import FileLinks, file_of
from mdmem.page.request import PageRequest
from mdmem.page.site import PAGES, SitePage, Value, navigation
from mdmem.values import NamedTuple
from mdmem.vault.vault import Vault

LIST = "mdmem-export.json"  # names the files of an export
_ASSETS = os.path.join(os.path.dirname(__file__), "assets")
_FORMAT = 1


class WrittenPages(NamedTuple):
    """What an export did: how many files it holds, and how many of them were written or removed."""

    files: int
    written: int
    removed: int


def export(vault: Vault, folder: str, progress: Callable[[int, int], None]) -> WrittenPages:
    """Write the pages into a folder; `progress` gets (done, total).

    Raises ConflictError for a folder with files of others, OSError.
    """
    known = _known(folder)
    os.makedirs(folder, exist_ok=True)
    writer = _PageWriter(vault, _time_of(vault))
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
    stale = sorted(known - set(own))
    for file in stale:
        files.remove(folder, file, "")
    listed = {"format": _FORMAT, "files": sorted(own)}
    _write(folder, LIST, json.dumps(listed, indent=1).encode())
    progress(total, total)
    return WrittenPages(len(own), written, len(stale))


def _known(folder: str) -> set[str]:
    """The files that an earlier export left in a folder. Raises ConflictError if it is not one of an export."""
    if not os.path.isdir(folder) or not os.listdir(folder):
        return set()
    data = files.read_or_none(folder, LIST)
    try:
        found = json.loads(data or b"")
        listed = found["files"] if found["format"] == _FORMAT else None
    except (ValueError, TypeError, KeyError):
        listed = None
    if not isinstance(listed, list):
        raise ConflictError(
            f"{folder} holds files that are not of an export", "name a folder that is new or empty"
        )
    return {file for file in listed if isinstance(file, str) and files.is_inside(file)}


def _time_of(vault: Vault) -> datetime:
    head = vault.repo.head()[0]
    if not head:
        raise MdmemError("the vault has no commit yet", "mdmem remember writes a first memory")
    return datetime.fromtimestamp(vault.repo.time_of(head), UTC)


class _PageWriter:
    """Makes the files of pages. `wanted` are all of them: (page, key)."""

    def __init__(self, vault: Vault, now: datetime) -> None:
        self.wanted = [(page, key) for page in PAGES for key in page.kept(vault)]
        self._vault = vault
        self._now = now
        self._names = frozenset(page.name for page, _ in self.wanted)

    def files(self, page: SitePage, key: str) -> Iterator[tuple[str, bytes]]:
        """(file, bytes) of each part of a page."""
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
        items = navigation(links, page)
        frame_around = PageFrame(os.path.basename(self._vault.root), links, items, is_kept=True)
        return frame.html(page.name, page.view(value, links), frame_around)


def _write(folder: str, file: str, data: bytes) -> bool:
    """Write a file if it is another one; whether it was."""
    if files.read_or_none(folder, file) == data:
        return False
    place = files.locate(folder, file)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb") as target:
        target.write(data)
    return True

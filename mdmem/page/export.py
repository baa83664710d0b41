"""The pages as files: they open from a folder, offline, and need nothing but each other.

Two exports of the same vault are byte-identical: the time is that of the last commit, and what only this machine
knows is left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from mdmem.acts.pages import kept
from mdmem.acts.pages.kept import WrittenPages
from mdmem.acts.pages.request import PageRequest
from mdmem.page import frame
from mdmem.page.frame import PageFrame
from mdmem.page.links import FileLinks, file_of
from mdmem.page.site import PAGES, SitePage, Value

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault

_ASSETS = os.path.join(os.path.dirname(__file__), "assets")


def export(vault: Vault, folder: str, progress: Callable[[int, int], None]) -> WrittenPages:
    """Write the pages into a folder; `progress` is called with (done, total).

    Raises ConflictError if the folder holds files that do not belong to an export, and OSError.
    """
    return kept.keep(vault, folder, lambda now: _files(_PageWriter(vault, now), progress))


def _files(writer: _PageWriter, progress: Callable[[int, int], None]) -> Iterator[tuple[str, bytes]]:
    total = len(writer.wanted)
    for done, (page, key) in enumerate(writer.wanted):
        progress(done, total)
        yield from writer.files(page, key)
    for name in sorted(os.listdir(_ASSETS)):
        with open(os.path.join(_ASSETS, name), "rb") as asset:
            yield f"assets/{name}", asset.read()
    progress(total, total)


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

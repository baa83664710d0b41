"""The pages as files: they open from a folder, offline, and need nothing but each other.

Two exports of the same vault are byte-identical: the time is that of the last commit, and what only this machine
knows is left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from mdmem.acts.pages import kept
from mdmem.acts.pages.kept import WrittenPages
from mdmem.acts.pages.request import PageRequest
from mdmem.page import frame
from mdmem.page.frame import PageFrame
from mdmem.page.links import FileLinks, file_of
from mdmem.page.site import PAGES

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault

_ASSETS = os.path.join(os.path.dirname(__file__), "assets")


def export(vault: Vault, folder: str, progress: Callable[[int, int], None]) -> WrittenPages:
    """Write the pages into a folder; `progress` is called with (done, total).

    Raises ConflictError if the folder holds files that do not belong to an export, and OSError.
    """
    return kept.keep(vault, folder, partial(_files, vault, progress))


def _files(vault: Vault, progress: Callable[[int, int], None], now: datetime) -> Iterator[tuple[str, bytes]]:
    """(file, bytes) of each part of each page, and of the assets."""
    wanted = [(page, key) for page in PAGES for key in page.kept(vault)]
    names = frozenset(page.name for page, _ in wanted)
    for done, (page, key) in enumerate(wanted):
        progress(done, len(wanted))
        number = parts = 1
        while number <= parts:
            given = {"page": str(number)} if number > 1 else {}
            value = page.read(vault, PageRequest(now, key, given, is_kept=True))
            file = file_of(page.name, key, number)
            around = PageFrame(os.path.basename(vault.root), FileLinks(file, names), PAGES, page, is_kept=True)
            yield file, frame.html(page.name, value, around)
            parts = value.get("pages", 1)
            number += 1
    for name in sorted(os.listdir(_ASSETS)):
        with open(os.path.join(_ASSETS, name), "rb") as asset:
            yield f"assets/{name}", asset.read()
    progress(len(wanted), len(wanted))

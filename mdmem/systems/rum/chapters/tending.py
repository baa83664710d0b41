"""Finds outdated chapters and wisdom, which the gardener proposes to make again."""

from __future__ import annotations

from collections.abc import Iterator

from mdmem.garden.gardeners.proposal import StaleNote
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum.chapters import keeping


def stale(vault: Vault) -> Iterator[StaleNote]:
    """The pages whose part between the markers would change if they were made again, by path.

    Wisdom waits until its chapters are up to date.
    """
    pages = list(keeping.stale(vault))
    outdated = {page.path for page in pages}
    yield from (page for page in pages if outdated.isdisjoint(page.sources))

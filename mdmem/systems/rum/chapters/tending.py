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
    waited_for = {page.note.id for page in pages}
    for page in pages:
        if not waited_for.isdisjoint(page.made_of):
            continue
        path = page.note.path
        sources = {note.path for id in page.made_of for note in vault.index.with_id(id)}
        yield StaleNote(path, page.note.name, vault.read(path), page.again, tuple(sorted(sources)))

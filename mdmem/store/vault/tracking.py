"""Derived files that git tracks, for readers with a clone but without mdmem (`[derived] commit`).

They get a commit of their own, after a write by mdmem or a rebuild. Hooks only write the files, so that a person's
commit never becomes two; those files are committed with the next write.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mdmem.store import registry
from mdmem.store.operation import Operation

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault

MARKDOWN, ALL = "markdown", "all"
_ENDS = {"": (), MARKDOWN: (".md",), ALL: (".md", ".json")}


def commit(vault: Vault) -> str:
    """Commit the derived files that are to be tracked and differ from HEAD; the commit's id, "" if there are none.

    Raises what `vault.change` raises.
    """
    differing = sorted(_differing(vault))
    if not differing:
        return ""
    reason = "Derived files, for readers without mdmem."
    with vault.change(Operation("rebuild", reason, names=("derived files",))) as tx:
        for path in differing:
            tx.include(path, even_gone=True)
    return tx.commit


def _differing(vault: Vault) -> Iterator[str]:
    """The paths of such files that HEAD does not have or has with other content, and of those deleted since."""
    ends = _ENDS[vault.config.derived.commit]
    if not ends:
        return
    trees = list(registry.trees(vault))
    there = {path for tree in trees for path in tree.present(vault, ()) if path.endswith(ends) and tree.owns(path)}
    head = vault.repo.head()[0]
    tracked = {file.path for file in vault.repo.files(head)} if head else set()
    yield from there - tracked
    changed = {entry.path for entry in vault.repo.status().entries if entry.path in tracked}
    yield from (path for path in changed if path.endswith(ends) and any(tree.owns(path) for tree in trees))

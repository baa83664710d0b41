"""What follows a write (see `store.registry`): each follower runs once, and none can make the write fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mdmem.errors import MdmemError
from mdmem.store import registry
from mdmem.store.local import lock
from mdmem.store.operation import Operation

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault


def follow(vault: Vault, paths: registry.Paths | None = None, patience: float = lock.PATIENCE) -> list[str]:
    """Run every follower that the settings ask for; a line for each one that failed.

    `paths` are those that were touched, None if not known; a follower waits `patience` seconds for other
    processes.
    """
    complaints = []
    for name, follower in registry.followers(vault):
        try:
            follower(vault, paths, patience)
        except (MdmemError, OSError) as error:
            complaints.append(f"saved; {name} did not follow: {error}")
    return complaints


def track(vault: Vault) -> None:
    """Commit the derived files that git is to track; report what prevents that."""

    try:
        commit_derived(vault)
    except (MdmemError, OSError) as error:
        vault.tell(f"saved; the derived files are not committed: {error}")


MARKDOWN, ALL = "markdown", "all"
_ENDS = {"": (), MARKDOWN: (".md",), ALL: (".md", ".json")}


def commit_derived(vault: Vault) -> str:
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

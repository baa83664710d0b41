"""What follows a write (see `store.registry`): each follower runs once, and none can make the write fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdmem.errors import MdmemError
from mdmem.store import registry
from mdmem.store.local import lock

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
    from mdmem.store.vault import tracking

    try:
        tracking.commit(vault)
    except (MdmemError, OSError) as error:
        vault.tell(f"saved; the derived files are not committed: {error}")

"""What the frame around every page tells: which pages the vault has nothing for, and how much waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mdmem.acts.checks import queue
from mdmem.acts.pages import chronicle, topics, works

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault

_OF_PEOPLE = (queue.CAPTURED, queue.MERGE)


def lacking(vault: Vault) -> set[str]:
    """The pages that would be empty, as long as they are."""
    kinds: dict[str, Callable[[Vault], Any]] = {"topics": topics.names, "work": works.any_of}
    return chronicle.kept(
        vault, "page.lacking", lambda: {name for name, found in kinds.items() if not found(vault)}
    )


def waiting(vault: Vault) -> int:
    """How many captured memories and conflicts wait; what the gardeners propose takes long to say."""
    return sum(queue.counts(vault, _OF_PEOPLE).values())

"""What a tool works with: the vault as the caller may see it, and the caller."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.acts.places import holder
from mdmem.acts.style import Aside
from mdmem.note.terminal import safe_line
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.store.vault.several import OpenVaults


class Visit(NamedTuple):
    """One call: the open vault, with the clearance of the agent `who` that calls.

    `beside` opens it together with the other vaults that queries go to; None if it is the only one.
    """

    vault: Vault
    who: Caller
    beside: Callable[[], AbstractContextManager[OpenVaults | None]]

    @contextmanager
    def places(self) -> Iterator[Vault | OpenVaults]:
        """The vault, or all that queries go to."""
        with self.beside() as vaults:
            yield vaults or self.vault

    @contextmanager
    def holder(self, text: str) -> Iterator[tuple[Vault, str, str]]:
        """(vault, its name among several or "", the text within it) for the vault with what a text names."""
        with self.places() as places:
            yield holder(places, text)


def told(result: Any) -> str:
    """The lines of a result."""
    return "\n".join(line for line in result.lines() if not isinstance(line, Aside))


def commit_line(verb: str, names: str, commit: str) -> str:
    """`remembered NAME (commit 1a2b3c4d)`."""
    return f"{verb} {safe_line(names)} (commit {commit[:8]})"

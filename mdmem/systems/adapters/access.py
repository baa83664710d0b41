"""A vault that an adapter keeps open between calls, and the actor in whose name it writes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from posixpath import join, normpath
from typing import TypeVar

from mdmem.errors import UsageError
from mdmem.store import layout
from mdmem.store.local import clock
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.store.vault.vault import Vault

_T = TypeVar("_T")


class VaultAccess:
    """A vault as `actor` may see it, up to the sensitivity `limit` ("" for as much as agents may see).

    `session` is the id of the conversation; "" means the session that the actor has open in the vault, or else a
    new one. Not thread-safe.
    """

    def __init__(self, vault: str | None, actor: str, session: str, limit: str) -> None:
        self.keeper = VaultKeeper(vault, limit)
        self._actor = actor
        self._session = session
        self._thread = ThreadPoolExecutor(1, "mdmem")  # starts when it is first used
        self._new_session = f"{clock.now():%Y%m%dT%H%M%S}-{actor}-{os.getpid()}"

    def in_thread(self, function: Callable[..., _T], *arguments: object) -> Future[_T]:
        """Run a function in the thread of this vault, one after the other."""
        return self._thread.submit(function, *arguments)

    def end(self) -> None:
        """Close the vault for good, in its thread. It may be closed more than once."""
        with suppress(RuntimeError):  # the thread was shut down before
            self.in_thread(self.keeper.close).result()
        self._thread.shutdown()

    @contextmanager
    def visit(self, session: str = "") -> Iterator[tuple[Vault, Caller]]:
        """The vault, and the caller that writes in it. `session` is that of this call, if none was named before.

        Raises NotFoundError if there is no vault, UsageError if the limit exceeds what agents may see.
        """
        with self.keeper.visit() as vault:
            self.keeper.clear(vault, self._actor)
            who = Caller(clock.now(), self._actor, self._session or session)
            who = Sessions(vault).joined(who)
            yield vault, who if who.session else who._replace(session=self._new_session)


def folder_of_memories(vault: Vault, folder: str, usual: str) -> str:
    """The folder of the vault that is given, or else the `usual` one among the memories.

    Raises UsageError for a folder that does not hold memories.
    """
    place = normpath(folder or join(vault.config.memories, usual))
    if layout.kind_of(f"{place}/a.md", vault.config) != layout.Kind.MEMORY:
        hint = f"take a folder in {vault.config.memories}"
        raise UsageError(f"{place} is not a folder of memories of this vault", hint)
    return place


def is_hidden(vault: Vault, path: str) -> bool:
    """Whether a file of the vault is a memory that the reader may not see."""
    if vault.clearance.is_full or layout.kind_of(path, vault.config) != layout.Kind.MEMORY:
        return False
    return os.path.isfile(os.path.join(vault.root, path)) and vault.index.record(path) is None

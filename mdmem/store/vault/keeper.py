"""The vault of a server: it stays open between calls, and each call sees its current state."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from mdmem.store import config, layout
from mdmem.store.local import files, place
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.store.local.place import NamedPlace
    from mdmem.store.vault.several import OpenVaults

PATIENCE = 20.0  # seconds; clients give up on a call after a minute


class _Look(NamedTuple):
    """What identifies the vault that was opened: its folder, its settings and its index file."""

    root: str
    folder: tuple[int, int]
    settings: bytes | None
    database: tuple[int, int]


class VaultKeeper:
    """The vault at `where`, else where the environment and the current folder say; see `place.locate`.

    It is opened at the first visit. It is opened again after it was moved, replaced or given other settings, and
    after a visit that failed. Between visits it holds no lock. Not thread-safe.
    """

    def __init__(
        self, where: str | None = None, limit: str = "", scopes: Sequence[str] = (), patience: float = PATIENCE
    ) -> None:
        """Agents see memories of these `scopes` up to the sensitivity `limit` ("": as much as they are allowed).

        A write waits `patience` seconds for another writer.
        """
        self.told: list[str] = []  # the lines that the vault told in the last visit
        self.where = where
        self._seen_with = limit, tuple(scopes)
        self._patience = patience
        self._vault: Vault | None = None
        self._look: _Look | None = None
        self._others: dict[str, VaultKeeper] = {}  # by folder

    @contextmanager
    def visit(self) -> Iterator[Vault]:
        """The vault, for the duration of one call; the caller restricts it with `clear`.

        Raises NotFoundError if there is no vault.
        """
        self.told.clear()
        with ExitStack() as on_failure:
            on_failure.callback(self.close)
            look = _look(os.path.realpath(place.locate(self.where)))
            if self._vault is None or look != self._look:
                self.close()
                self._vault = Vault(look.root, self.told.append)
                self._vault.patience = self._patience
            self._vault.look_again()
            with self._vault.following():
                yield self._vault
            self._look = look._replace(database=_identity(_index_of(look.root)))
            on_failure.pop_all()

    @contextmanager
    def beside(self, vault: Vault, actor: str) -> Iterator[OpenVaults | None]:
        """The vault of this visit with the others that questions go to, each cleared for the agent `actor`.

        None if it is the only one. A vault that cannot be read is reported.
        """
        if not place.may_be_several():
            yield None
            return
        from mdmem.store.vault import several

        with several.beside(vault, partial(self._visited, actor), self.told.append) as vaults:
            yield vaults

    def _visited(self, actor: str, where: NamedPlace, held: ExitStack) -> Vault:
        """Another vault, cleared for an agent; its visit ends when `held` is closed."""
        from mdmem.store.vault.several import require_vault

        require_vault(where)
        keeper = self._others.setdefault(where.root, VaultKeeper(where.root, *self._seen_with))
        vault = held.enter_context(keeper.visit())
        keeper.clear(vault, actor)
        return vault

    def clear(self, vault: Vault, actor: str) -> None:
        """Restrict the vault to the memories that an agent may see. Raises UsageError if more was requested."""
        limit, scopes = self._seen_with
        vault.clear_for(actor, limit, scopes)

    def close(self) -> None:
        """Close the vault, if it is open, and the others opened beside it."""
        for other in self._others.values():
            other.close()
        if self._vault is not None:
            self._vault.close()
        self._vault = self._look = None


def _look(root: str) -> _Look:
    return _Look(root, _identity(root), files.read_or_none(root, config.FILE), _identity(_index_of(root)))


def _index_of(root: str) -> str:
    return os.path.join(root, layout.STATE, "index.sqlite")


def _identity(path: str) -> tuple[int, int]:
    """(device, inode) of the file at a path, to tell it from another one there; zeros if there is none."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return 0, 0
    return found.st_dev, found.st_ino

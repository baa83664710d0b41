"""Finds which of several vaults has what a person or an agent names: `NAME`, or `VAULT:NAME`."""

from __future__ import annotations

from typing import NamedTuple

from mdmem.errors import MdmemError, NotFoundError, UsageError
from mdmem.recall import lookup
from mdmem.store.index.port import qualified
from mdmem.store.vault.several import NamedVault, OpenVaults
from mdmem.store.vault.vault import Vault


class NamedMemory(NamedTuple):
    """A named memory: its vault, the vault's name, and the text that names it there, perhaps with a revision."""

    vault: Vault
    called: str
    text: str


def holder(vaults: OpenVaults, text: str) -> NamedMemory:
    """The vault that has the memory a text names; if none has it exactly, the one with a near match.

    Raises NotFoundError if none has it, UsageError if several have, and MdmemError if the vault that the text
    names cannot be read.
    """
    asked, _, own = text.partition(":")
    for name, vault in vaults.every:
        if name == asked and own:
            return NamedMemory(vault, name, own)
    for unread in vaults.unread:
        if unread.name == asked and own:
            raise MdmemError(f"{asked} cannot be read: {unread.message}", unread.hint)
    having = [each for each in vaults.every if _has(each.vault, text)]
    if not having:
        having = _nearly(vaults, text)
    if len(having) > 1:
        names = " or ".join(qualified(each.name, text) for each in having)
        raise UsageError(f"{len(having)} vaults have '{text}'", f"write {names}")
    return NamedMemory(having[0].vault, having[0].name, text)


def _has(vault: Vault, text: str) -> bool:
    """Whether a vault has a memory, entry or fact of exactly that name."""
    name, _ = lookup.split_revision(vault, text)
    if lookup.find_exact(vault, name):
        return True
    return lookup.may_mean_source(name) and bool(lookup.find_sources(vault, name, vault.index))


def _nearly(vaults: OpenVaults, text: str) -> list[NamedVault]:
    """The vaults that have a near match. Raises NotFoundError if none has, if possible with nearest names."""
    having, missing = [], []
    for each in vaults.every:
        try:
            lookup.find(each.vault, lookup.split_revision(each.vault, text)[0])
            having.append(each)
        except NotFoundError as error:
            missing.append(error)
    if not having:
        raise next((error for error in missing if error.hint.startswith("nearest")), missing[0])
    return having

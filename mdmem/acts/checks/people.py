"""Whose commits are trusted in this clone, and who else wrote memories."""

from __future__ import annotations

import re
from typing import NamedTuple

from mdmem.errors import UsageError
from mdmem.store.git import log
from mdmem.store.vault.vault import Vault

_ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+")


class People(NamedTuple):
    """E-mail addresses: the trusted ones, and the others, each with how many memories it was last to commit."""

    trusted: tuple[str, ...]
    others: tuple[tuple[str, int], ...]


def people(vault: Vault) -> People:
    """The trusted addresses in alphabetical order, and the others, the one with the most memories first."""
    trusted = vault.repo.people()
    others = [(address, count) for address, count in vault.index.committers().items() if address not in trusted]
    return People(tuple(sorted(trusted)), tuple(sorted(others, key=lambda item: (-item[1], item[0]))))


def older_addresses(vault: Vault) -> tuple[str, ...]:
    """The untrusted addresses under which someone with the name of git's user committed before."""
    name = vault.repo.identity().name.casefold()
    named_so = {address for other, address in log.committers(vault.repo) if other.casefold() == name}
    trusted = vault.repo.people()
    return tuple(sorted(address for address in named_so if address.lower() not in trusted))


def trust(vault: Vault, address: str) -> bool:
    """Trust the commits of an e-mail address in this clone. Returns False if they were trusted already.

    Raises UsageError if it is not an address.
    """
    if not _ADDRESS.fullmatch(address):
        raise UsageError(f"{address!r} is not an e-mail address", "mdmem trust lists who wrote memories here")
    if address.lower() in vault.repo.people():
        return False
    vault.repo.trust(address)
    return True

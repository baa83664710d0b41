"""Merge the contents of one file, by what it is."""

from __future__ import annotations

from typing import NamedTuple

from mdmem.vault.vault import Vault


class Content(NamedTuple):
    """The bytes of two versions, and whether a person has to settle something in them."""

    data: bytes
    conflict: bool


def merge(vault: Vault, path: str, base: bytes | None, ours: bytes, theirs: bytes) -> Content:
    """Two versions of the file at a path of the vault; a base of None says that they have no common past."""
    del path
    data, clean = vault.repo.merge(base or b"", ours, theirs, ("here", "before", "there"))
    return Content(data, not clean)

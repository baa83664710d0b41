"""What the files of the repository are, of which a vault may be only a folder."""

from __future__ import annotations

from mdmem.note import layout
from mdmem.note.layout import Kind
from mdmem.vault.vault import Vault


def kind(vault: Vault, path: str) -> str:
    """What the file at a path of the repository is, as in `Kind`; what lies outside of the vault is OTHER."""
    prefix = vault.repo.prefix
    return layout.kind_of(path.removeprefix(prefix), vault.config) if path.startswith(prefix) else Kind.OTHER


def is_note(vault: Vault, path: str) -> bool:
    """Whether it is a memory."""
    return kind(vault, path) == Kind.MEMORY


def is_derived(vault: Vault, path: str) -> bool:
    """Whether it is made of others, so that nobody's words are in it."""
    return kind(vault, path) == Kind.DERIVED

"""What kind of file is at a path of the repository, of which the vault may be only a folder."""

from mdmem.store import layout
from mdmem.store.layout import Kind
from mdmem.store.vault.vault import Vault


def kind(vault: Vault, path: str) -> str:
    """The `Kind` of the file at a path of the repository; OTHER for files outside the vault."""
    prefix = vault.repo.prefix
    return layout.kind_of(path.removeprefix(prefix), vault.config) if path.startswith(prefix) else Kind.OTHER


def is_note(vault: Vault, path: str) -> bool:
    """Whether the file at a path is a memory."""
    return kind(vault, path) == Kind.MEMORY


def is_derived(vault: Vault, path: str) -> bool:
    """Whether the file at a path is generated from others, so that it holds nobody's own words."""
    return kind(vault, path) == Kind.DERIVED

"""What a tool works with: the vault as the caller may see it, and who that is."""

from __future__ import annotations

from mdmem.operation import Caller
from mdmem.text.terminal import safe_line
from mdmem.values import NamedTuple
from mdmem.vault.vault import Vault


class Visit(NamedTuple):
    """One call: the open vault, cleared for the agent `who` that calls."""

    vault: Vault
    who: Caller


def commit_line(verb: str, names: str, commit: str) -> str:
    """`remembered NAME (commit 1a2b3c4d)`."""
    return f"{verb} {safe_line(names)} (commit {commit[:8]})"

"""What may leave the machine for a language model: the one rule."""

from __future__ import annotations

from collections.abc import Iterable

from mdmem.vault.vault import Vault
from mdmem.write import secrets


def kept_back(vault: Vault, paths: Iterable[str], text: str) -> str:
    """Why a model must not get a text that is made of the notes at these paths; "" if it may.

    A note leaves only up to the sensitivity that `git config mdmem.wording-max-sensitivity` allows, and nothing
    leaves that seems to hold a secret.
    """
    shown = vault.for_derived("wording").index
    if not all(shown.record(path) for path in paths):
        return "it is too sensitive for a model"
    leaks = secrets.kinds(text)
    return f"it seems to hold a secret, {leaks}" if leaks else ""

"""The one rule for what may be sent to a language model on another machine."""

from __future__ import annotations

from collections.abc import Iterable

from mdmem.store.vault.vault import Vault
from mdmem.write import secrets


def kept_back(vault: Vault, paths: Iterable[str], text: str) -> str:
    """Why a text made from the notes at these paths must not be sent to a model; "" if it may.

    A note may be sent only up to the sensitivity that `git config mdmem.wording-max-sensitivity` allows, and no
    text that seems to contain a secret.
    """
    shown = vault.for_derived("wording").index
    if not all(shown.record(path) for path in paths):
        return "it is too sensitive for a model"
    leaks = secrets.kinds(text)
    return f"it seems to hold a secret, {leaks}" if leaks else ""

"""Memories that were deleted."""

from __future__ import annotations

from typing import Any

from mdmem.acts.pages import chronicle
from mdmem.acts.pages.request import PageRequest
from mdmem.acts.telling import encode
from mdmem.history import past, rawpast
from mdmem.store.vault.vault import Vault

_AT_ONCE = 100


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """Deleted memories and dialogs, the latest deletion first: part `page` of `pages`."""
    deleted = chronicle.kept(vault, "page.trash", lambda: [*past.trash(vault), *rawpast.trash(vault)])
    items, counts = request.part(deleted, _AT_ONCE)
    return {"items": encode(items), **counts}

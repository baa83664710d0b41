"""Memories that were deleted, and conflicts that wait for a decision."""

from __future__ import annotations

from typing import Any

from mdmem.acts.telling import encode
from mdmem.errors import UsageError
from mdmem.history import past, rawpast
from mdmem.history.merging import unsettled
from mdmem.page.links import Destination
from mdmem.page.reading import chronicle
from mdmem.page.request import PageRequest
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

_AT_ONCE = 100
_SIDES = ("ours", "theirs")


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """Deleted memories and dialogs, the latest deletion first: part `page` of `pages`."""
    deleted = chronicle.kept(vault, "page.trash", lambda: [*past.trash(vault), *rawpast.trash(vault)])
    items, counts = request.part(deleted, _AT_ONCE)
    return {"items": encode(items), **counts}


def act(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Bring a deleted memory back, as `mdmem restore` does. Raises NotFoundError, ConflictError."""
    path, _ = past.restore(vault, request.text("restore"), who, request.text("reason"))
    return Destination("memory", path)


def read_conflicts(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """The conflicts that merges could not resolve, by path and line."""
    del request
    found = unsettled.find(vault)
    titles = chronicle.titles(vault, (one.path for one in found))
    return {"conflicts": [{**encode(one), "title": titles[one.path][0]} for one in found]}


def act_on_conflict(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Settle all conflicts of a memory for one side, as `mdmem judge` does."""
    side = request.text("side")
    if side not in _SIDES:
        raise UsageError(f"'{side[:20]}' is not a side", "give side=ours or side=theirs")
    unsettled.settle(vault, request.text("path"), side, who, request.text("reason"))
    return Destination("conflicts")

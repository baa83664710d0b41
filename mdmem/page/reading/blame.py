"""Who wrote each line of a memory."""

from __future__ import annotations

from typing import Any

from mdmem.history import past
from mdmem.page.request import PageRequest
from mdmem.recall import lookup
from mdmem.render.json.past import blame_json
from mdmem.vault.vault import Vault


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """The lines of a memory, each with its author. Raises NotFoundError, UsageError."""
    record = lookup.named(vault, request.key)
    path, lines = past.blame(vault, record.path)
    return {"title": record.title, **blame_json(path, lines)}

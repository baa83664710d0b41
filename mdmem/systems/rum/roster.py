"""The registered agents of a vault: `agents.json`, a tracked file beside the memories.

An agent that only wrote works is known from these. The file holds what works cannot tell: when an agent began,
whose subagent it is, and other metadata.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from mdmem.errors import NoteError, Problem
from mdmem.note.structured.shapes import Shape, objections
from mdmem.store.local import files
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import schema
from mdmem.systems.rum.schema import Record

FILE = "agents.json"
_AGENTS = Shape("list", items=schema.SHAPES["agent"])


def registered(vault: Vault) -> dict[str, Record]:
    """id -> agent. Raises NoteError if the file does not hold agents."""
    return _parsed(files.read_or_none(vault.root, FILE))


def put(tx: Transaction, agents: Iterable[Record]) -> None:
    """Register agents within a change; an agent that is registered already is replaced."""
    known = _parsed(tx.read(FILE))
    added = {agent["id"]: agent for agent in agents}
    if any(known.get(id) != agent for id, agent in added.items()):
        rows = [agent for _, agent in sorted({**known, **added}.items())]
        tx.write(FILE, (json.dumps(rows, indent=2, ensure_ascii=False) + "\n").encode())


def clear(tx: Transaction) -> None:
    """Remove all registered agents."""
    if tx.exists(FILE):
        tx.delete(FILE)


def _parsed(data: bytes | None) -> dict[str, Record]:
    if data is None:
        return {}
    try:
        agents = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NoteError(_problem(f"is not JSON: {error}")) from None
    for fault in objections(agents, _AGENTS):
        raise NoteError(_problem(f"{fault.field} {fault.message}".strip()))
    return {agent["id"]: agent for agent in agents}


def _problem(message: str) -> Problem:
    return Problem("agents", FILE, 0, message, f"git log -p {FILE} shows how it was")

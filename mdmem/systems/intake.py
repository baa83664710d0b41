"""Notes of another format on their way into a vault: what an import would write, and the commit that writes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mdmem.errors import Problem
from mdmem.note.memory import Memory
from mdmem.store.operation import Operation
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import planning


class Item(NamedTuple):
    """A note to import: its path in the vault, its bytes, its `facts` in JSON output, the parsed note if any."""

    path: str
    data: bytes
    facts: Mapping[str, Any]
    note: Memory | None = None


class Intake(NamedTuple):
    """What an import would do. `known` maps what is in the vault already, by its name at the source.

    Problems of severity error are about what is left out; warnings are about anything else a person should know.
    """

    items: tuple[Item, ...]
    known: Mapping[str, str]
    problems: tuple[Problem, ...]


def write(vault: Vault, items: Iterable[Item], what: Operation) -> str:
    """Write the items in one commit and return its id, "" if there was nothing to do.

    Raises ConflictError if one of the paths has been taken since.
    """
    with vault.change(what) as tx:
        for item in items:
            planning.stage(tx, item.path, item.data, item.note)
    return tx.commit

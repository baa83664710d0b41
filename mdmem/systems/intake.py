"""Notes of another format on their way into a vault: what an import would write, and the commit that writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from mdmem.errors import Problem
from mdmem.note.memory import Memory
from mdmem.store import layout
from mdmem.store.operation import Operation
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import planning
from mdmem.systems.importers.planning import NewNames

_T = TypeVar("_T")


class Item(NamedTuple):
    """A note to import: its path in the vault, its bytes, its `facts` in JSON output, the parsed note if any."""

    path: str
    data: bytes
    facts: Mapping[str, Any]
    note: Memory | None = None


@dataclass(frozen=True)
class Intake:
    """What an import would do. `known` maps what is in the vault already, by its name at the source.

    Problems of severity error are about what is left out; warnings are about anything else a person should know.
    """

    items: tuple[Item, ...]
    known: Mapping[str, str]
    problems: tuple[Problem, ...]


def distinct(given: Iterable[_T], identity: Callable[[_T], str], tell: Callable[[_T, _T], None]) -> list[_T]:
    """What is given, without what has the identity of an earlier one; `tell` gets each of these and that one."""
    first: dict[str, _T] = {}
    for one in given:
        other = first.setdefault(identity(one), one)
        if other is not one:
            tell(one, other)
    return list(first.values())


def path_for(vault: Vault, names: NewNames, title: str, text: str, created: str) -> str:
    """A free path for a new note, named after its title or text, in the folder for its time (RFC 3339)."""

    def path_of(name: str) -> str:
        return layout.path_for(name, created, vault.config)

    return path_of(names.made(title, text, path_of))


def write(vault: Vault, items: Iterable[Item], what: Operation) -> str:
    """Write the items in one commit and return its id, "" if there was nothing to do.

    Raises ConflictError if one of the paths has been taken since.
    """
    with vault.change(what) as tx:
        for item in items:
            planning.stage(tx, item.path, item.data, item.note)
    return tx.commit

"""Links between works. Each is a link property of the work that states it."""

from __future__ import annotations

from typing import NamedTuple

from mdmem.errors import UsageError
from mdmem.recall import lookup
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import schema, work
from mdmem.systems.rum.work import TYPE
from mdmem.write import edit, succession
from mdmem.write.edit import Edit


class LinkedWork(NamedTuple):
    """A link: the names of its ends, its type, and the commit, "" if the link was there already."""

    source: str
    type: str
    target: str
    commit: str


def link(vault: Vault, source: str, type: str, target: str, caller: Caller, reason: str = "") -> LinkedWork:
    """Add a link of one of schema.LINK_TYPES to a work; `source` and `target` are names or ids `mem_...`.

    A link of a type that allows only one replaces the old one. Raises NotFoundError for an unknown name,
    UsageError for a source that is not a work and for a link to itself.
    """
    first = lookup.named(vault, work.note_id(source))
    other = lookup.named(vault, work.note_id(target))
    if first.type != TYPE:
        raise UsageError(
            f"{first.name} is not a work", f"mdmem update {first.name} --set {type}=... links any memory"
        )
    if first.path == other.path:
        raise UsageError(f"{first.name} cannot be linked to itself", "name another work")
    wanted = succession.link_to(vault, other)
    change = Edit(changes={type: [wanted]}) if type in schema.ONE_LINK else Edit(add={type: [wanted]})
    done = edit.update(vault, first, change, caller, reason)
    return LinkedWork(first.name, type, other.name, done.commit)

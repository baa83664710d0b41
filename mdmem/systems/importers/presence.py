"""Whether the vault has memories with an id or a name, looked up for many notes."""

from __future__ import annotations

from mdmem.note import memory
from mdmem.store.index.port import IndexedNote
from mdmem.store.vault.vault import Vault


class PresentMemories:
    """The memories of a vault by id and name.

    If at least as many notes are to be looked up as there are memories, all ids and names are read once, so that
    most lookups need no query.
    """

    def __init__(self, vault: Vault, notes: int) -> None:
        """`notes` is the number of notes to be looked up."""
        self._vault = vault
        whole = vault.whole_index
        self._is_read = whole.count() <= notes
        known = list(whole.records()) if self._is_read else []
        self._ids = {record.id for record in known}
        self._names = {memory.fold(record.name) for record in known}

    def with_id(self, id: str) -> list[IndexedNote]:
        """The memories with this id that the reader may see."""
        return [] if self._is_read and id not in self._ids else self._vault.index.with_id(id)

    def named(self, name: str) -> list[IndexedNote]:
        """The memories of this name that the reader may see, in any folder and in any case."""
        return self._vault.index.named(name) if self._may_be_taken(name) else []

    def is_taken(self, name: str) -> bool:
        """Whether any memory has this name, including those that the reader may not see."""
        return self._may_be_taken(name) and bool(self._vault.whole_index.named(name))

    def _may_be_taken(self, name: str) -> bool:
        return not self._is_read or memory.fold(name) in self._names

"""Whether memories of an id or a name are in the vault already, asked for each of many notes."""

from __future__ import annotations

from mdmem.index.port import IndexedNote
from mdmem.note import memory
from mdmem.vault.vault import Vault


class PresentMemories:
    """The memories of a vault by id and name.

    For as many notes as there are memories, or more, what they are called is read once, so that most need no
    question to the index.
    """

    def __init__(self, vault: Vault, notes: int) -> None:
        """`notes` is how many are about to be asked for."""
        self._vault = vault
        whole = vault.whole_index
        self._is_read = whole.count() <= notes
        known = list(whole.records()) if self._is_read else []
        self._ids = {record.id for record in known}
        self._names = {memory.fold(record.name) for record in known}

    def with_id(self, id: str) -> list[IndexedNote]:
        """The memories of that id that may be seen."""
        return [] if self._is_read and id not in self._ids else self._vault.index.with_id(id)

    def named(self, name: str) -> list[IndexedNote]:
        """The memories of that name that may be seen, in any folder and in any case."""
        return self._vault.index.named(name) if self._may_be_taken(name) else []

    def is_taken(self, name: str) -> bool:
        """Whether a memory has that name, whether it may be seen or not."""
        return self._may_be_taken(name) and bool(self._vault.whole_index.named(name))

    def _may_be_taken(self, name: str) -> bool:
        return not self._is_read or memory.fold(name) in self._names

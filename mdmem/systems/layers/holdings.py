"""Finds the dialogs that a vault already holds, by the bytes of raw.md."""

from __future__ import annotations

from mdmem.note import layout
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import entries, schema
from mdmem.systems.layers.entries import EntryPlace


class Holdings:
    """The entries of a vault as they are now, and those about to be added."""

    def __init__(self, vault: Vault) -> None:
        self._root = vault.root
        self._by_hash: dict[str, list[EntryPlace]] = {}  # the digits of the hash at the end of an id -> entries
        self._new: dict[str, EntryPlace] = {}  # sha256 of raw.md -> entry
        for place in entries.places(vault):
            self._by_hash.setdefault(place.entry_id[-8:], []).append(place)

    def holder(self, data: bytes) -> EntryPlace | None:
        """The entry whose raw.md has exactly these bytes, None if there is none."""
        digest = schema.sha256(data)
        for place in self._by_hash.get(digest[:8], ()):
            if files.read_or_none(self._root, place.path(layout.RAW_FILE)) == data:
                return place
        return self._new.get(digest)

    def add(self, place: EntryPlace, data: bytes) -> None:
        """Take into account an entry that is not written yet."""
        self._new[schema.sha256(data)] = place

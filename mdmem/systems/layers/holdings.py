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
        self._vault = vault
        self._by_hash: dict[str, list[tuple[str, str]]] = {}  # the hash at the end of an id -> (topic, id) pairs
        self._sums: dict[str, str] = {}  # folder of an entry -> sha256 of its raw.md, "" if there is none
        for topic in entries.topics(vault):
            for entry_id in entries.names(vault, topic):
                self._by_hash.setdefault(entry_id[-8:], []).append((topic, entry_id))

    def holder(self, data: bytes) -> EntryPlace | None:
        """The entry whose raw.md has exactly these bytes, None if there is none."""
        digest = schema.sha256(data)
        named = self._by_hash.get(digest[:8], ())
        places = (entries.place_of(self._vault, topic, entry_id) for topic, entry_id in named)
        return next((place for place in places if self._sum(place) == digest), None)

    def add(self, place: EntryPlace, data: bytes) -> None:
        """Take into account an entry that is not written yet."""
        digest = schema.sha256(data)
        self._by_hash.setdefault(digest[:8], []).append((place.topic, place.entry_id))
        self._sums[place.folder] = digest

    def _sum(self, place: EntryPlace) -> str:
        if place.folder not in self._sums:
            is_entry = entries.is_there(self._vault, place)
            text = files.read_or_none(self._vault.root, place.path(layout.RAW_FILE)) if is_entry else None
            self._sums[place.folder] = "" if text is None else schema.sha256(text)
        return self._sums[place.folder]

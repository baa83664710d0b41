"""Which dialogs a vault holds already: found by the bytes of raw.md."""

from __future__ import annotations

from mdmem.local import files
from mdmem.note import layout
from mdmem.systems.layers import entries, schema
from mdmem.systems.layers.entries import EntryPlace
from mdmem.vault.vault import Vault


class Holdings:
    """The entries of a vault as they are now, and those that are added to them."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._by_hash: dict[str, list[EntryPlace]] = {}  # the hash at the end of an id -> entries
        self._sums: dict[str, str] = {}  # folder of an entry -> sha256 of its raw.md, "" for none
        for place in entries.places(vault):
            self._by_hash.setdefault(place.entry_id[-8:], []).append(place)

    def holder(self, data: bytes) -> EntryPlace | None:
        """The entry whose raw.md has these bytes."""
        digest = schema.sha256(data)
        return next((place for place in self._by_hash.get(digest[:8], ()) if self._sum(place) == digest), None)

    def add(self, place: EntryPlace, data: bytes) -> None:
        """Know of an entry that is not written yet."""
        digest = schema.sha256(data)
        self._by_hash.setdefault(digest[:8], []).append(place)
        self._sums[place.folder] = digest

    def _sum(self, place: EntryPlace) -> str:
        if place.folder not in self._sums:
            text = files.read_or_none(self._vault.root, place.path(layout.RAW_FILE))
            self._sums[place.folder] = "" if text is None else schema.sha256(text)
        return self._sums[place.folder]

"""Finds the chapters and wisdom of a vault, and reads them as records."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from mdmem.errors import NoteError, Problem, UsageError
from mdmem.note.memory import Memory
from mdmem.recall import lookup
from mdmem.store.index.port import IndexedNote
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum.chapters import pages
from mdmem.systems.rum.chapters.pages import PageKind
from mdmem.systems.rum.schema import Record
from mdmem.systems.rum.view import VaultWorks, require_valid
from mdmem.systems.rum.work import TYPE, note_id
from mdmem.write import succession


class PageView(NamedTuple):
    """A chapter or wisdom: its note, its record (`value`), and what keeps that from being valid."""

    note: IndexedNote
    read: Memory
    value: Record
    problems: tuple[Problem, ...]


class Shelf:
    """Reads chapters, wisdom and works of a vault, each work only once, and links to them."""

    def __init__(self, vault: Vault, as_stated: bool = False) -> None:
        """See `VaultWorks`."""
        self.vault = vault
        self.works = VaultWorks(vault, as_stated)
        self._members: dict[str, Record | None] = {}
        self._renewed: dict[str, bytes] = {}

    def find(self, name: str, *kinds: PageKind) -> PageView:
        """The page of these kinds with that name or id. Raises NotFoundError, UsageError for another memory."""
        note = lookup.find(self.vault, note_id(name))
        types = [kind.type for kind in kinds]
        if note.type not in types:
            hint = " or ".join(f"mdmem list --type {type}" for type in types)
            raise UsageError(f"{note.name} is not of type {' or '.join(types)}", hint)
        return self.view(note)

    def view(self, note: IndexedNote) -> PageView:
        """The chapter or wisdom in a note. Raises NoteError if it cannot be read."""
        kind = pages.KINDS[note.type]
        data = self._renewed.get(note.path) or self.vault.read(note.path)
        read = self.vault.parse(data, note.path)
        value = pages.record_of(read, kind, self.works.around(note), note.updated or note.created)
        return PageView(note, read, value, tuple(pages.problems(read, value, kind)))

    def renew(self, note: IndexedNote, data: bytes) -> None:
        """Take these bytes, about to be written, for the page's content: pages made of it next use them."""
        self._renewed[note.path] = data

    def all(self, *kinds: PageKind) -> list[PageView]:
        """Every page of these kinds that can be read, by path; doctor reports the others."""
        views = []
        for note in list(self.vault.index.records()):
            if note.type in [kind.type for kind in kinds]:
                with suppress(NoteError):
                    views.append(self.view(note))
        return views

    def members(self, ids: Iterable[str]) -> list[Record]:
        """The works with these ids that exist and are valid, in that order."""
        return [work for work in map(self._member, ids) if work]

    def _member(self, id: str) -> Record | None:
        """The work with an id, read only once; None if there is no valid one."""
        if id not in self._members:
            note = self.note_of(id)
            view = self.works.view(note) if note and note.type == TYPE else None
            self._members[id] = view.work if view and view.is_valid else None
        return self._members[id]

    def note_of(self, id: str) -> IndexedNote | None:
        """The note of a work, chapter or wisdom by its id, None if there is none."""
        notes = self.vault.index.with_id(note_id(id))
        return notes[0] if notes else None

    def link_of(self, id: str) -> str:
        """A wikilink to a work, chapter or wisdom, "" if it is not in the vault."""
        note = self.note_of(id)
        return succession.link_to(self.vault, note) if note else ""

    def require(self, name: str) -> Record:
        """The valid work with that name or id. Raises NotFoundError, UsageError."""
        return require_valid(self.works.view(self.works.find(name))).work

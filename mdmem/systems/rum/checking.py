"""Reports notes that are not valid works, chapters or wisdom, which answers leave out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from mdmem.errors import NoteError, NotFoundError, Problem
from mdmem.store.index.port import IndexedNote
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum.chapters import pages
from mdmem.systems.rum.chapters.pages import is_made
from mdmem.systems.rum.chapters.shelf import Shelf
from mdmem.systems.rum.work import TYPE


def problems(vault: Vault) -> Iterator[Problem]:
    """The problems of each invalid work, chapter and wisdom, with file, line and field."""
    shelf = Shelf(vault)
    for note in list(vault.index.records()):
        with suppress(NoteError, NotFoundError):  # doctor reports what cannot be read at all
            if note.type == TYPE:
                yield from _of_work(shelf, note)
            elif note.type in pages.KINDS:
                yield from _of_page(shelf, note)


def _of_work(shelf: Shelf, note: IndexedNote) -> Iterator[Problem]:
    view = shelf.works.view(note)
    if view.is_valid or shelf.works.is_broken(view):
        yield from (problem for problem in view.problems if problem.code == TYPE)


def _of_page(shelf: Shelf, note: IndexedNote) -> Iterator[Problem]:
    view = shelf.view(note)
    is_meant = is_made(view.read.body) or bool(view.value[pages.KINDS[note.type].joined])
    if is_meant or not shelf.vault.config.is_adopted:
        yield from (problem for problem in view.problems if problem.code == note.type)

"""Reads and converts one note of an old memory tree: the part of an import that worker processes can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mdmem.errors import NoteError, Problem
from mdmem.note import memory
from mdmem.note.memory import Memory
from mdmem.store.local import files
from mdmem.systems.legacy import header

TASK = f"{__name__}:of_file"  # its name for worker processes


class TreeNote(NamedTuple):
    """A note as it is in the tree, with its bytes (`given`), and converted: its new bytes, and those parsed."""

    note: Memory
    given: bytes
    data: bytes
    made: Memory
    id: str

    @property
    def text(self) -> str:
        """The note as it is in the tree."""
        return self.given.decode("utf-8", "replace")


def of_file(settings: Sequence[str], source: str) -> TreeNote | Problem:
    """Convert a note of the tree that `settings` name, or return its problem.

    A note without an id gets one derived from its path and text.
    """
    (tree,) = settings
    try:
        data = files.read(tree, source)
        note = memory.parse(data, source)
        identity = note.text("id") or memory.derived_id(f"{source}\n{data.decode('utf-8-sig')}", "legacy")
        converted = header.converted(data, note, identity)
        made = memory.parse(converted, source)
    except NoteError as error:
        return error.problem
    return TreeNote(note, data, converted, made, identity)

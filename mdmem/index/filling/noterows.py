"""The rows of a note from its file: what a full build leaves to other processes."""

from __future__ import annotations

from collections.abc import Sequence

from mdmem.errors import NoteError
from mdmem.index import disk, rows, sources
from mdmem.index.rows import NoteRows
from mdmem.note import memory

TASK = f"{__name__}:of_file"  # as workers know it


def of_file(settings: Sequence[str], path: str) -> NoteRows | None:
    """The rows of the note at a path; `settings` are the vault's folder and id.

    None for one that cannot be read, and for one whose facts are rows, too.
    """
    root, vault_id = settings
    try:
        data = disk.read(root, path)
        note = memory.parse(data, path, vault_id) if data is not None else None
    except NoteError:
        return None
    return rows.of_note(note) if note and not sources.tells_facts(note) else None

"""Makes the rows of a note from its file: the part of a full build that runs in other processes."""

from __future__ import annotations

from collections.abc import Sequence

from mdmem.errors import NoteError
from mdmem.note import memory
from mdmem.store.index import disk, rows, sources
from mdmem.store.index.rows import NoteRows

TASK = f"{__name__}:of_file"  # its name for workers


def of_file(settings: Sequence[str], path: str) -> NoteRows | None:
    """The rows of the note at a path; `settings` are the vault's folder and id.

    None if it cannot be read, or if it states facts, which have rows of their own.
    """
    root, vault_id = settings
    try:
        data = disk.read(root, path)
        note = memory.parse(data, path, vault_id) if data is not None else None
    except NoteError:
        return None
    return rows.of_note(note) if note and not sources.tells_facts(note) else None

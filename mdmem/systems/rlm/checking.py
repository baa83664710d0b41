"""Reports notes that do not fit the chunk schema. A store accepts them as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from mdmem.errors import NoteError, NotFoundError, Problem
from mdmem.note import tokens
from mdmem.note.memory import Memory
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import projection, schema


def problems(vault: Vault) -> Iterator[Problem]:
    """A warning for each value of a note with chunk properties that the schema does not allow."""
    for record in list(vault.index.records()):
        if not any(key.startswith("chunk_") for key in record.meta):
            continue
        with suppress(NoteError, NotFoundError):  # reported elsewhere
            yield from _of_note(vault.get(record.path), record.created)


def _of_note(note: Memory, created: str) -> Iterator[Problem]:
    if "chunk_tokens" in note.meta and note.number("chunk_tokens") is None:
        message = f"chunk_tokens is {note.text('chunk_tokens')!r}, not a number"
        yield Problem("chunk", note.path, 0, message, schema.TOKENS_FIX, "warning")
    for chunk in projection.chunks_of(note, created, tokens.estimate):
        for objection in schema.objections(chunk):
            if objection.fix:
                message = f"as a chunk, its {objection.field} {objection.message}"
                yield Problem("chunk", note.path, 0, message, objection.fix, "warning")

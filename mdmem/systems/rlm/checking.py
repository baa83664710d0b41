"""Reports notes that do not fit the chunk schema. A store accepts them as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from mdmem.errors import NoteError, NotFoundError, Problem
from mdmem.note import tokens
from mdmem.note.memory import Memory
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import projection, schema

# field of the schema -> what to do about an invalid value of it in a note
_FIXES = {
    "type": "write chunk_type as one of these, or remove it",
    "metadata.source": "write chunk_source as one of these, or remove it",
    "tokens": "remove chunk_tokens: tokens are then counted, and a long text becomes several chunks",
    "content": "write its content, or mdmem forget it",
    "id": "remove chunk_id: a new one is then made",
}


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
        yield Problem("chunk", note.path, 0, message, _FIXES["tokens"], "warning")
    for chunk in projection.chunks_of(note, created, tokens.estimate):
        for objection in schema.objections(chunk):
            if objection.field in _FIXES:  # a confidence is an ordinary property
                message = f"as a chunk, its {objection}"
                yield Problem("chunk", note.path, 0, message, _FIXES[objection.field], "warning")

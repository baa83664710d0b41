"""A memory that another one replaces: what is written into either."""

from __future__ import annotations

from mdmem.note import blocks, fields, memory


def deprecated(data: bytes, path: str, successor: str) -> bytes:
    """A note as deprecated for a successor (a name): status, `superseded_by`, and a warning above its body.

    Doing it again changes nothing. Raises NoteError for a header that cannot be edited safely.
    """
    note = memory.parse(data, path)
    link = f"[[{successor}]]"
    known = [item for item in note.strings("superseded_by") if item != link]
    data = fields.set_fields(data, {"status": "deprecated", "superseded_by": [*known, link]}, path)
    if blocks.is_deprecated(note.body):
        return data
    return fields.prepend_body(data, f"> [!warning] DEPRECATED: See valid architecture in {link}", path)


def changed_mind(day: str) -> str:
    """What the newer of two memories says of the change; `day` is YYYY-MM-DD."""
    return f"User changed mind {day}."

"""A memory that another one replaces: what is written into the old note (requirement B16)."""

from __future__ import annotations

from mdmem.core import fields, memory


def warning(successor: str) -> str:
    """The first line of the body of a note that `successor` (a name) replaces."""
    return f"> [!warning] DEPRECATED: See valid architecture in [[{successor}]]"


def deprecated(data: bytes, path: str, successor: str) -> bytes:
    """A note as deprecated for a successor: status, `superseded_by`, and the warning above its body.

    Doing it again changes nothing. Raises NoteError for a header that cannot be edited safely.
    """
    body = memory.parse(data, path).body
    if warning(successor) not in body:
        data = fields.set_body(data, f"{warning(successor)}\n\n{body.lstrip(chr(10))}", path)
    return fields.set_fields(data, {"status": "deprecated", "superseded_by": [f"[[{successor}]]"]}, path)

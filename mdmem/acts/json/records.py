"""Typed records (Membrane) as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.note.memory import as_number, as_text

if TYPE_CHECKING:
    from mdmem.systems.membrane.view import RecordSummary


def summary_json(one: RecordSummary) -> dict[str, Any]:
    """A record as lists show it; `salience` is its effective salience now (>= 0)."""
    note = one.note
    return {
        "name": note.name,
        "path": note.path,
        "id": note.id,
        "type": one.type,
        "note_type": note.type,
        "title": note.title,
        "status": note.status,
        "sensitivity": as_text(note.meta.get("sensitivity")) or "low",
        "scope": one.scope,
        "tags": list(note.tags),
        "confidence": as_number(note.meta.get("confidence")),
        "salience": round(one.salience, 6),
        "created": note.created,
        "updated": note.updated,
    }

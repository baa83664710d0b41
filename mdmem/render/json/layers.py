"""Dialogs, facts and topics as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.render.json.notes import problem_json

if TYPE_CHECKING:
    from mdmem.systems.layers.ingest import Ingested, IngestReport


def ingested_json(done: IngestReport) -> dict[str, Any]:
    """What was ingested, and what was left out and why."""
    return {
        "entries": [_entry_json(item) for item in done.items],
        "commit": done.commit,
        "problems": [problem_json(problem) for problem in done.problems],
    }


def _entry_json(item: Ingested) -> dict[str, Any]:
    return {
        "source": item.source,
        "topic": item.place.topic,
        "entry_id": item.place.entry_id,
        "path": item.place.folder,
        "known": item.known,
        "topic_confidence": item.sureness,
        "new_topic": item.is_new_topic,
        "redactions": [redaction._asdict() for redaction in item.redactions],
    }

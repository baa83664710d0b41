"""Retrieved records, the choice among alternatives, and checks of sources, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.note.memory import stem

if TYPE_CHECKING:
    from mdmem.systems.membrane.retrieval import Retrieval, RetrievedRecord
    from mdmem.systems.membrane.selecting import Alternative, Choice


def retrieval_json(found: Retrieval) -> dict[str, Any]:
    """The records in order; `selection` is null if there are no alternatives to choose from."""
    return {
        "records": [_retrieved_json(each) for each in found.records],
        "selection": choice_json(found.choice) if found.choice else None,
    }


def _retrieved_json(found: RetrievedRecord) -> dict[str, Any]:
    record = found.record
    return {
        "name": record.name,
        "path": record.path,
        "id": record.id,
        "title": record.title,
        "type": found.layer,
        "salience": round(found.salience, 4),
        "reservation": found.reservation,
    }


def choice_json(choice: Choice) -> dict[str, Any]:
    """The alternatives, best first; `confidence` (0-1) says how certain the choice of the first one is."""
    return {
        "selected": stem(choice.ranked[0].path) if choice.ranked else None,
        "confidence": round(choice.confidence, 4),
        "needs_more": choice.needs_more,
        "alternatives": [_alternative_json(each) for each in choice.ranked],
    }


def _alternative_json(each: Alternative) -> dict[str, Any]:
    return {
        "name": stem(each.path),
        "score": round(each.score, 4),
        "confidence": each.confidence,
        "success_rate": each.success_rate,
        "age_seconds": each.age,
    }

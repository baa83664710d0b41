"""Arbitrary MemoryRecords for hypothesis, and one of each type."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mdmem.note import moments
from mdmem.systems.membrane import record
from tests import shaped

EXAMPLE = {
    "id": "550e8400-e29b-41d4-a716-446655440000",
    "type": "semantic",
    "sensitivity": "medium",
    "confidence": 0.95,
    "salience": 1.7,
    "scope": "project-alpha",
    "tags": ["editor", "preference"],
    "created_at": "2025-01-15T10:00:00+01:00",
    "updated_at": "2025-01-16T10:00:00.250Z",
    "lifecycle": {
        "decay": {"curve": "exponential", "half_life_seconds": 86400, "min_salience": 0.01},
        "last_reinforced_at": "2025-01-15T10:00:00Z",
        "pinned": False,
        "deletion_policy": "auto_prune",
    },
    "provenance": {
        "sources": [
            {"kind": "event", "ref": "s-1/msg-1", "hash": "sha256:ab", "timestamp": "2025-01-15T10:00:00Z"}
        ],
        "created_by": "classifier-v1",
    },
    "relations": [],
    "payload": {
        "kind": "semantic",
        "subject": "user",
        "predicate": "prefers_language",
        "object": "Python",
        "validity": {"mode": "global"},
    },
    "audit_log": [
        {
            "action": "create",
            "actor": "agent-1",
            "timestamp": "2025-01-15T10:00:00Z",
            "rationale": "said so\ntwice",
        }
    ],
}


def _in_order(record: dict[str, Any]) -> dict[str, Any]:
    log = sorted(record["audit_log"], key=lambda entry: str(moments.parse(entry["timestamp"])))
    return {**record, "audit_log": log}


# Any valid record.
RECORDS = st.one_of([shaped.values(record.record_shape(type)) for type in record.TYPES]).map(_in_order)


def of_type(type: str, payload: dict[str, Any]) -> dict[str, Any]:
    """The example as a record of another type."""
    return {**EXAMPLE, "type": type, "payload": payload}

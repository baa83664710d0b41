"""The fields of Membrane's MemoryRecords, as tables.

The tables follow Membrane's page of schemas. Validation, the JSON Schema of the package, and the types by which
bullets of a note are read all come from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from mdmem.note import moments
from mdmem.note.memory import SENSITIVITIES
from mdmem.note.properties import POLICIES
from mdmem.note.structured.shapes import (
    ANY,
    Objection,
    Shape,
    choice,
    flag,
    integer,
    json_schema,
    listed,
    mapping,
    moment,
    number,
    objections,
    record,
    text,
    uuid,
)

TYPES = ("episodic", "working", "semantic", "competence", "plan_graph")
AUDIT_ACTIONS = ("create", "revise", "fork", "merge", "delete", "reinforce", "decay")
SOURCE_KINDS = ("event", "artifact", "tool_call", "observation", "outcome")
OUTCOMES = ("success", "failure", "partial")
REVISION_STATUSES = ("active", "contested", "retracted")
SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"

_NAME = text(1)
_TEXTS = listed(text())
_SHARE = number(0, 1)
NUMBER = number()

DECAY = record(
    {
        "curve": choice("exponential", "linear", "custom"),
        "half_life_seconds": integer(1),
        "min_salience": number(0),
        "max_age_seconds": integer(0),
        "reinforcement_gain": number(0),
    },
    required="curve half_life_seconds",
)
LIFECYCLE = record(
    {
        "decay": DECAY,
        "last_reinforced_at": moment(),
        "pinned": flag(),
        "deletion_policy": choice(*POLICIES),
    },
    required="decay last_reinforced_at",
)
SOURCE = record(
    {"kind": choice(*SOURCE_KINDS), "ref": _NAME, "hash": text(), "created_by": text(), "timestamp": moment()},
    required="kind ref",
)
PROVENANCE = record({"sources": listed(SOURCE, 1), "created_by": text()}, required="sources")
RELATION = record(
    {"predicate": _NAME, "target_id": uuid(), "weight": _SHARE, "created_at": moment()},
    required="predicate target_id",
)
AUDIT = record(
    {"action": choice(*AUDIT_ACTIONS), "actor": text(), "timestamp": moment(), "rationale": text()},
    required="action actor timestamp rationale",
)
EVIDENCE = record(
    {
        "source_type": choice("event", "tool", "observation", "human"),
        "source_id": _NAME,
        "timestamp": moment(),
    },
    required="source_type source_id timestamp",
)

PAYLOADS: dict[str, Shape] = {
    "episodic": record(
        {
            "kind": choice("episodic"),
            "timeline": listed(
                record(
                    {"t": moment(), "event_kind": _NAME, "ref": text(), "summary": text()},
                    required="t event_kind ref",
                )
            ),
            "tool_graph": listed(
                record(
                    {"id": _NAME, "tool": _NAME, "args": mapping(), "result": ANY, "depends_on": _TEXTS},
                    required="id tool",
                )
            ),
            "environment": record({"os": text(), "os_version": text(), "working_directory": text()}, is_open=True),
            "outcome": choice(*OUTCOMES),
            "artifacts": _TEXTS,
        },
        required="kind timeline",
    ),
    "working": record(
        {
            "kind": choice("working"),
            "thread_id": _NAME,
            "state": choice("planning", "executing", "blocked", "waiting", "done"),
            "active_constraints": listed(
                record({"type": _NAME, "key": text(), "value": ANY, "required": flag()}, required="type key value")
            ),
            "next_actions": _TEXTS,
            "open_questions": _TEXTS,
            "context_summary": text(),
        },
        required="kind thread_id state",
    ),
    "semantic": record(
        {
            "kind": choice("semantic"),
            "subject": _NAME,
            "predicate": _NAME,
            "object": ANY,
            "validity": record(
                {
                    "mode": choice("global", "conditional", "timeboxed"),
                    "conditions": mapping(),
                    "start": moment(),
                    "end": moment(),
                },
                required="mode",
            ),
            "evidence": listed(EVIDENCE),
            "revision_policy": choice("replace", "fork", "contest"),
            "revision": record(
                {"supersedes": text(), "superseded_by": text(), "status": choice(*REVISION_STATUSES)}
            ),
        },
        required="kind subject predicate object validity",
    ),
    "competence": record(
        {
            "kind": choice("competence"),
            "skill_name": _NAME,
            "version": text(),
            "triggers": listed(record({"signal": _NAME, "conditions": mapping()}, required="signal")),
            "recipe": listed(
                record(
                    {"step": _NAME, "tool": text(), "args_schema": mapping(), "validation": text()},
                    required="step",
                )
            ),
            "required_tools": _TEXTS,
            "failure_modes": _TEXTS,
            "fallbacks": _TEXTS,
            "performance": record(
                {
                    "success_count": integer(0),
                    "failure_count": integer(0),
                    "success_rate": _SHARE,
                    "avg_latency_ms": number(0),
                    "last_used_at": moment(),
                }
            ),
        },
        required="kind skill_name triggers recipe",
    ),
    "plan_graph": record(
        {
            "kind": choice("plan_graph"),
            "plan_id": _NAME,
            "version": _NAME,
            "intent": text(),
            "constraints": mapping(),
            "inputs_schema": mapping(),
            "outputs_schema": mapping(),
            "nodes": listed(
                record({"id": _NAME, "op": _NAME, "params": mapping(), "guards": mapping()}, required="id op")
            ),
            "edges": listed(
                record({"from": _NAME, "to": _NAME, "kind": choice("data", "control")}, required="from to kind")
            ),
            "metrics": record(
                {"avg_latency_ms": number(0), "failure_rate": _SHARE, "execution_count": integer(0)}
            ),
        },
        required="kind plan_id version nodes edges",
    ),
}

# What of a note of type work has a place of its own in an episodic payload.
WORK = record(
    {
        "actions": listed(record({"type": _NAME, "details": mapping()}, required="type", is_open=True)),
        "outcome": record({"success": flag()}, required="success", is_open=True),
    },
    required="outcome",
)

_ENVELOPE: dict[str, Shape] = {
    "id": uuid(),
    "type": choice(*TYPES),
    "sensitivity": choice(*SENSITIVITIES),
    "confidence": _SHARE,
    "salience": number(0),
    "scope": text(),
    "tags": _TEXTS,
    "created_at": moment(),
    "updated_at": moment(),
    "lifecycle": LIFECYCLE,
    "provenance": PROVENANCE,
    "relations": listed(RELATION),
    "payload": ANY,
    "audit_log": listed(AUDIT),
}
_REQUIRED = "id type sensitivity confidence salience created_at updated_at lifecycle provenance payload audit_log"


def record_shape(type: str) -> Shape:
    """The shape of records of a type."""
    return record({**_ENVELOPE, "type": choice(type), "payload": PAYLOADS[type]}, required=_REQUIRED)


def faults(value: Any) -> Iterator[Objection]:
    """Everything that keeps a value from being a MemoryRecord, each with the field and what is allowed."""
    type = value.get("type") if isinstance(value, Mapping) else None
    if not isinstance(type, str) or type not in PAYLOADS:
        yield from objections(value, record(_ENVELOPE, required=_REQUIRED))
        return
    found = list(objections(value, record_shape(type)))
    yield from found
    if not found:
        yield from _order_faults(value["audit_log"])


def _order_faults(entries: Sequence[Mapping[str, Any]]) -> Iterator[Objection]:
    """The entries of an audit log that are older than the entry before them."""
    times = [moments.parse(entry["timestamp"]) for entry in entries]
    for place, (earlier, later) in enumerate(pairwise(times), 1):
        if earlier and later and later < earlier:
            yield Objection(
                f"audit_log[{place}].timestamp", "is before the entry above it", "put the entries in order of time"
            )


def published() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a record: one of five, by type."""
    return {
        "$schema": SCHEMA_ID,
        "$id": "https://mdmem.invalid/schemas/membrane_record.v1.json",
        "title": "Membrane MemoryRecord",
        "oneOf": [{"$ref": f"#/$defs/{type}"} for type in TYPES],
        "$defs": {type: json_schema(record_shape(type)) for type in TYPES},
    }

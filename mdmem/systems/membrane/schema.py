"""The fields of Membrane's MemoryRecords: those of `record.schema.json`, the JSON Schema of the package.

The file follows Membrane's page of schemas. Validation, and the types by which bullets of a note are read, come
from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import pairwise
from pathlib import Path
from typing import Any

from mdmem.note import moments
from mdmem.note.structured.shapes import ANY, Objection, Shape, objections, of_json_schema

TYPES = ("episodic", "working", "semantic", "competence", "plan_graph")

# What of a note of type work has a place of its own in an episodic payload.
_ACTION = {"type": Shape("text", least=1), "details": Shape("mapping")}
_ACTIONS = Shape("list", items=Shape("record", fields=_ACTION, required=("type",), is_open=True))
_OUTCOME = Shape("record", fields={"success": Shape("flag")}, required=("success",), is_open=True)
WORK = Shape("record", fields={"actions": _ACTIONS, "outcome": _OUTCOME}, required=("outcome",))


@cache
def _definitions() -> dict[str, Any]:
    """The JSON Schema of the records of each type."""
    definitions: dict[str, Any] = json.loads(Path(__file__).with_name("record.schema.json").read_text("utf-8"))[
        "$defs"
    ]
    return definitions


@cache
def record_shape(type: str) -> Shape:
    """The shape of records of a type."""
    return of_json_schema(_definitions()[type])


def shape_of(*path: str) -> Shape:
    """The shape of a part that records of all types have: `"lifecycle", "decay"`; "" is any item of a list."""
    return reduce(Shape.of, path, record_shape(TYPES[0]))


def payload_shape(type: str) -> Shape:
    """The shape of the payloads of a type."""
    return record_shape(type).of("payload")


def faults(value: Any) -> Iterator[Objection]:
    """Everything that keeps a value from being a MemoryRecord, each with the field and what is allowed."""
    type = value.get("type") if isinstance(value, Mapping) else None
    if type not in TYPES:
        known = record_shape(TYPES[0])
        fields = {**known.fields, "type": Shape("choice", choices=TYPES), "payload": ANY}
        yield from objections(value, known._replace(fields=fields))
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

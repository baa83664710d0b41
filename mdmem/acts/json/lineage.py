"""Lineages, what led to what among memories, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.note.memory import stem

if TYPE_CHECKING:
    from mdmem.history.lineage import Incoming, Lineage, Outgoing, Reached


def lineage_json(lineage: Lineage, out: Outgoing = (), back: Incoming = ()) -> dict[str, Any]:
    """A lineage: its origin, the memories reached (`relation` is what `from` says of each), and all edges.

    `links` are the origin's own (`path` is null for a broken one) and those to it.
    """
    return {
        "origin": {"name": lineage.start.name, "path": lineage.start.path, "id": lineage.start.id},
        "reached": [_reached_json(item) for item in lineage.reached],
        "edges": [edge._asdict() for edge in lineage.edges],
        "links": {
            "out": [
                {"target": target, "predicate": predicate, "path": record.path if record else None}
                for target, predicate, record in out
            ],
            "in": [{"path": record.path, "line": line} for record, line in back],
        },
    }


def _reached_json(item: Reached) -> dict[str, Any]:
    return {
        "name": item.record.name,
        "path": item.record.path,
        "id": item.record.id,
        "type": item.record.type,
        "status": item.record.status,
        "direction": item.direction,
        "relation": item.relation,
        "from": stem(item.origin),
        "distance": item.distance,
    }

"""Lineages, what led to what among memories, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.acts.telling import encode

if TYPE_CHECKING:
    from mdmem.history.lineage import Incoming, Lineage, Outgoing


def lineage_json(lineage: Lineage, out: Outgoing = (), back: Incoming = ()) -> dict[str, Any]:
    """A lineage: its origin, the memories reached (`relation` is what `from` says of each), and all edges.

    `links` are the origin's own (`path` is null for a broken one) and those to it.
    """
    return {
        "origin": {"name": lineage.start.name, "path": lineage.start.path, "id": lineage.start.id},
        "reached": encode(lineage.reached),
        "edges": encode(lineage.edges),
        "links": {
            "out": [
                {"target": target, "predicate": predicate, "path": record.path if record else None}
                for target, predicate, record in out
            ],
            "in": [{"path": record.path, "line": line} for record, line in back],
        },
    }

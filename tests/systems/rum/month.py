"""A month of work, from a seeded generator, by four agents, two of them subagents, in three projects.

It has 200 works; MDMEM_MONTH=600 in the environment of a test run makes it another number.
"""

from __future__ import annotations

import os
import random
import uuid
from typing import Any

from tests.bench.work import AREAS, a_work

SIZE = int(os.environ.get("MDMEM_MONTH", "200"))
START = 1_769_904_000  # 2026-02-01, Unix seconds
_SECONDS = 2_400_000 // SIZE  # between two works
_EVERY = 50  # so many works from one circle of causes to the next
AGENTS = [
    {"id": "agent-0", "type": "main", "project_id": "project-0", "created_at": START},
    {"id": "agent-1", "type": "main", "project_id": "project-1", "created_at": START},
    {"id": "agent-2", "type": "subagent", "parent_id": "agent-0", "project_id": "project-2", "created_at": START},
    {"id": "agent-3", "type": "subagent", "parent_id": "agent-1", "project_id": "project-0", "created_at": START},
]


def document() -> dict[str, Any]:
    """The month as a document of RUM. Each work but the first has a cause; some causes lead back in a circle."""
    draw = random.Random(2)
    return {"agents": AGENTS, "memories": [_work(draw, number) for number in range(SIZE)]}


def id_of(number: int) -> str:
    """The id of a work."""
    return f"mem_{uuid.UUID(int=number + 1, version=4)}"


def _work(draw: random.Random, number: int) -> dict[str, Any]:
    given = a_work(draw, number)
    area = next(area for area in AREAS if f" {area} " in given["intent"]["goal"])
    place = {"id": id_of(number), "created_at": START + number * _SECONDS, "tags": [area]}
    return {**given, **place, "links": _links(draw, number)}


def _links(draw: random.Random, number: int) -> dict[str, Any]:
    if number == 0:
        return {}
    causes = [draw.randrange(max(0, number - 10), number)]
    if number % _EVERY == 0:
        causes.append(number + 3)
    if number % _EVERY == 3:
        causes.append(number - 3)
    links: dict[str, Any] = {"caused_by": [id_of(cause) for cause in dict.fromkeys(causes) if cause < SIZE]}
    if number % _EVERY == 7:
        links["blocked_by"] = id_of(number - 1)
    return links

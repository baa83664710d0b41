"""Many plain records, each with its own words: for imports of a size, and to be damaged."""

from __future__ import annotations

import random
import uuid
from typing import Any

from tests.systems.membrane.records import EXAMPLE

PAYLOADS: tuple[dict[str, Any], ...] = (
    {
        "kind": "semantic",
        "subject": "user",
        "predicate": "prefers",
        "object": "tea",
        "validity": {"mode": "global"},
    },
    {
        "kind": "episodic",
        "timeline": [
            {"t": "2025-01-15T10:30:00Z", "event_kind": "input", "ref": "m-1", "summary": "asked for tea"}
        ],
        "outcome": "success",
    },
    {"kind": "working", "thread_id": "t-1", "state": "executing", "next_actions": ["boil water"]},
    {
        "kind": "competence",
        "skill_name": "make tea",
        "triggers": [{"signal": "thirst"}],
        "recipe": [{"step": "boil water", "tool": "kettle"}],
    },
    {
        "kind": "plan_graph",
        "plan_id": "p-1",
        "version": "1",
        "nodes": [{"id": "n1", "op": "boil"}, {"id": "n2", "op": "pour"}],
        "edges": [{"from": "n1", "to": "n2", "kind": "control"}],
    },
)
_SAID = {"semantic": "object", "working": "context_summary", "competence": "skill_name", "plan_graph": "intent"}


def made(count: int, seed: int = 1) -> list[dict[str, Any]]:
    """`count` valid records of all types, some related to the one before."""
    dice = random.Random(seed)
    found: list[dict[str, Any]] = []
    for number in range(count):
        payload = {**PAYLOADS[number % len(PAYLOADS)]}
        words = (
            f"{dice.choice(('tea', 'milk', 'bread', 'salt', 'rice'))} of batch {number} in {dice.choice('abcdef')}"
        )
        if payload["kind"] in _SAID:
            payload[_SAID[payload["kind"]]] = words
        else:
            payload["timeline"] = [{**payload["timeline"][0], "summary": f"asked for {words}"}]
        record = {
            **EXAMPLE,
            "id": str(uuid.UUID(int=dice.getrandbits(128))),
            "type": payload["kind"],
            "payload": payload,
        }
        record["relations"] = [{"predicate": "supports", "target_id": found[-1]["id"]}] if number % 3 == 1 else []
        found.append(record)
    return found

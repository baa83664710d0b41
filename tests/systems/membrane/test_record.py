"""Notes are MemoryRecords and MemoryRecords are notes: nothing is lost either way."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdmem.errors import Problem
from mdmem.note import memory
from mdmem.note.scalars import is_same
from mdmem.systems.membrane import record
from mdmem.systems.membrane.record import Surroundings
from tests.systems.membrane.records import EXAMPLE, RECORDS, of_type

KNOWN = {f"{digit * 8}-0000-4000-8000-000000000000": f"note_number_{digit}" for digit in "123"}
PATH = "allmemories/a_note_here.md"
FIRST = {"kind": "artifact", "ref": f"{PATH}@abc"}


def id_of(target: str) -> str:
    return next((identity for identity, name in KNOWN.items() if name == target), "")


def link_of(identity: str) -> str:
    return f"[[{KNOWN[identity]}]]" if identity in KNOWN else ""


def around(value: dict[str, Any]) -> Surroundings:
    return Surroundings("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", FIRST, id_of, value.get("audit_log", ()))


def as_note(value: dict[str, Any]) -> bytes:
    return memory.render(record.properties_of(value, link_of), record.body_of(value))


def read(data: bytes, value: dict[str, Any]) -> dict[str, Any]:
    return record.checked(data, memory.parse(data, PATH), around(value))[0]


def problems(data: bytes, around: Surroundings | None = None) -> list[Problem]:
    known = around or Surroundings("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", FIRST, id_of)
    return record.checked(data, memory.parse(data, PATH), known)[1]


PLAIN = st.lists(
    st.fixed_dictionaries(
        {"predicate": st.sampled_from(["supports", "supersedes", "cites"]), "target_id": st.sampled_from([*KNOWN])}
    ),
    max_size=4,
)
# A record some of whose relations are to records of the vault, and say no more than that.
linked = st.tuples(RECORDS, PLAIN).map(
    lambda drawn: (
        {**drawn[0], "relations": drawn[1] + drawn[0]["relations"]} if "relations" in drawn[0] else drawn[0]
    )
)


@settings(max_examples=60)
@given(linked)
def test_a_record_survives_as_a_note(value: dict[str, Any]) -> None:
    data = as_note(value)
    assert is_same(read(data, value), value)
    assert problems(data, around(value)) == []


BY_HAND = b"""\
---
# what Ada said on Monday
title: 'User likes Python'
type:   semantic   # of Membrane
tags: [language, "user"]
supports: "[[note_number_1]]"
---

Heard twice by now.

## Evidence

* source_type: human
    * source_id: call-7
    * timestamp: 2026-01-05T09:00:00Z

## Claim

+ Subject: user
+ predicate: prefers_language

+ object: Python

### Why

No idea.
"""


def test_a_note_by_hand_is_a_record() -> None:
    found = read(BY_HAND, {})
    assert found["payload"] == {
        "kind": "semantic",
        "subject": "user",
        "predicate": "prefers_language",
        "object": "Python",
        "validity": {"mode": "global"},
        "evidence": [{"source_type": "human", "source_id": "call-7", "timestamp": "2026-01-05T09:00:00Z"}],
    }
    assert found["relations"] == [{"predicate": "supports", "target_id": next(iter(KNOWN))}]
    assert found["provenance"] == {"sources": [FIRST]}
    assert found["lifecycle"]["deletion_policy"] == "manual_only"
    assert found["created_at"] == "2026-01-01T00:00:00Z"
    assert list(record.faults(found)) == []


@pytest.mark.parametrize(
    ("type", "expected"), [("preference", "semantic"), ("", "semantic"), ("work", "episodic")]
)
def test_an_ordinary_note_is_a_record_as_it_is(type: str, expected: str) -> None:
    data = (
        f"---\ntype: {type}\ntitle: Tables over prose\ncreated: 2026-01-05\n---\n\nUser prefers tables.\n".encode()
    )
    value = read(data, {})
    assert value["type"] == expected
    assert list(record.faults(value)) == []


@pytest.mark.parametrize("type", ["semantic", "episodic"])
def test_plain_text_is_a_record_of_these_types_too(type: str) -> None:
    data = f"---\ntype: {type}\n---\n\nDeploys run on Fridays.\n\n## Why\n\nHabit.\n".encode()
    value = read(data, {})
    said = value["payload"].get("object") or value["payload"]["timeline"][0]["summary"]
    assert said == "Deploys run on Fridays.\n\n## Why\n\nHabit."
    assert problems(data) == []
    misspelt = data.replace(b"## Why", b"## Claims" if type == "semantic" else b"## Time line")
    assert problems(misspelt)


def test_validity_and_status_are_properties() -> None:
    payload = {
        **EXAMPLE["payload"],
        "validity": {"mode": "conditional", "conditions": {"env": "prod"}},
        "revision": {"status": "contested"},
    }
    data = as_note(of_type("semantic", payload))
    meta = memory.parse(data, PATH).meta
    assert (meta["valid_if"], meta["status"]) == (["env=prod"], "contested")
    assert b"## Validity" not in data
    payload["validity"]["conditions"]["cores"] = 4
    data = as_note(of_type("semantic", payload))
    assert b"## Validity" in data
    assert read(data, {})["payload"]["validity"] == payload["validity"]
    later = data.replace(b"env=prod", b"env=test")
    assert read(later, {})["payload"]["validity"] == {"mode": "conditional", "conditions": {"env": "test"}}


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (b"type:   semantic", b"type: semantic\nconfidence: high", 5, 'confidence is "high"'),
        (b"type:   semantic", b"type: semantic\nsensitivity: secret", 5, "sensitivity is 'secret'"),
        (
            b"type:   semantic",
            b"type: semantic\ndecay:\n  curve: steep\n  half_life_seconds: 60",
            5,
            'lifecycle.decay.curve is "steep"',
        ),
        (b"## Claim", b"## Behauptung", 17, "has a section 'Behauptung'"),
        (b"+ object: Python\n", b"", 17, "payload.object is missing"),
        (b"source_type: human", b"source_type: hearsay", 13, 'payload.evidence[0].source_type is "hearsay"'),
        (b"    * source_id: call-7", b"    * sauce: call-7", 14, "payload.evidence[0].sauce is not a field"),
    ],
)
def test_strict_validation_names_file_line_field_and_what_is_allowed(
    old: bytes, new: bytes, line: int, message: str
) -> None:
    data = BY_HAND.replace(old, new)
    found = problems(data)
    (problem,) = [one for one in found if one.message.startswith(message)]
    assert (problem.path, problem.line) == (PATH, line)
    assert problem.fix


@pytest.mark.skipif(
    "SHARED" not in os.environ and not Path(__file__).parents[4].joinpath("shared").exists(),
    reason="the payload examples are not beside the project",
)
def test_the_examples_of_the_document_are_records() -> None:
    folder = Path(os.environ.get("SHARED", Path(__file__).parents[4] / "shared"))
    for type, payload in json.loads((folder / "data" / "membrane_payload_examples.json").read_text()).items():
        value = of_type(type, payload)
        assert list(record.faults(value)) == []
        assert is_same(read(as_note(value), value), value)

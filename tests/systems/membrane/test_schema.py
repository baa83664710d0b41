"""The table of fields: what it refuses, as JSON Schema has it."""

from __future__ import annotations

import copy
import json
from importlib import resources
from typing import Any

import pytest
from hypothesis import given, settings

from mdmem.note.memory import SENSITIVITIES
from mdmem.note.properties import POLICIES
from mdmem.systems.membrane import record
from mdmem.systems.membrane.record import faults
from tests.systems.membrane.records import EXAMPLE, RECORDS

jsonschema = pytest.importorskip("jsonschema", reason="pip install 'mdmem[test]' brings it")


def published() -> dict[str, Any]:
    text = resources.files("mdmem.systems.membrane").joinpath("record.schema.json").read_text("utf-8")
    return dict(json.loads(text))


def test_the_json_schema_of_the_package_is_one_and_has_the_words_of_notes() -> None:
    assert record.shape_of("sensitivity").choices == SENSITIVITIES
    assert record.shape_of("lifecycle", "deletion_policy").choices == POLICIES
    assert tuple(published()["$defs"]) == record.TYPES
    jsonschema.Draft202012Validator.check_schema(published())


@settings(max_examples=40)
@given(RECORDS)
def test_every_valid_record_satisfies_the_json_schema(value: dict[str, Any]) -> None:
    assert list(record.faults(value)) == []
    jsonschema.Draft202012Validator(published()).validate(value)


def changed(path: str, value: Any) -> dict[str, Any]:
    """The example with another value at a path such as `lifecycle.decay.curve`; None takes the field away."""
    record = copy.deepcopy(EXAMPLE)
    inner: Any = record
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in parents:
        inner = inner[part]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "field", "allowed"),
    [
        ("id", "memory-1", "id", "a UUID"),
        ("type", "dream", "type", "one of episodic, working, semantic, competence, plan_graph"),
        ("sensitivity", "secret", "sensitivity", "one of public, low, medium, high, hyper"),
        ("confidence", 1.01, "confidence", "a number from 0 to 1"),
        ("confidence", True, "confidence", "a number from 0 to 1"),
        ("salience", -0.1, "salience", "a number from 0 up"),
        ("salience", float("inf"), "salience", "a number from 0 up"),
        ("tags", "editor", "tags", "a list"),
        ("created_at", "yesterday", "created_at", "2026-02-08T14:05:00Z"),
        ("created_at", "2026-02-30T10:00:00Z", "created_at", "2026-02-08T14:05:00Z"),
        ("lifecycle.decay.curve", "steep", "lifecycle.decay.curve", "one of exponential, linear, custom"),
        ("lifecycle.decay.half_life_seconds", 0, "lifecycle.decay.half_life_seconds", "a whole number from 1 up"),
        ("lifecycle.deletion_policy", "soon", "lifecycle.deletion_policy", "auto_prune, manual_only, never"),
        ("provenance.sources", [], "provenance.sources", "at least 1"),
        ("provenance.sources.0.kind", "rumour", "provenance.sources[0].kind", "event, artifact, tool_call"),
        ("payload.kind", "working", "payload.kind", "one of semantic"),
        ("payload.validity.mode", "always", "payload.validity.mode", "one of global, conditional, timeboxed"),
        ("payload.mood", "good", "payload.mood", "the fields are kind, subject"),
        ("audit_log.0.action", "touch", "audit_log[0].action", "one of create, revise"),
        *(
            (path, None, path.replace(".0.", "[0]."), "required")
            for path in (
                *("id", "type", "sensitivity", "confidence", "salience", "created_at", "updated_at", "lifecycle"),
                *("provenance", "payload", "audit_log", "lifecycle.decay", "lifecycle.last_reinforced_at"),
                *("provenance.sources", "provenance.sources.0.ref", "payload.subject", "audit_log.0.rationale"),
            )
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_field_and_what_is_allowed(
    path: str, value: Any, field: str, allowed: str
) -> None:
    record = changed(path, value)
    (fault,) = faults(record)
    assert fault.field == field
    assert allowed in fault.fix
    if field != "created_at" and value != float("inf"):  # calendars and infinities are not JSON Schema's
        assert not jsonschema.Draft202012Validator(published()).is_valid(record)


def test_an_audit_log_is_in_the_order_of_time() -> None:
    earlier = {**EXAMPLE["audit_log"][0], "timestamp": "2020-01-01T00:00:00Z"}
    (fault,) = record.faults({**EXAMPLE, "audit_log": [*EXAMPLE["audit_log"], earlier]})
    assert fault.field == "audit_log[1].timestamp"


@pytest.mark.parametrize("value", [None, [], "text", 3, {}])
def test_what_is_no_record_at_all_is_refused(value: Any) -> None:
    assert list(record.faults(value))

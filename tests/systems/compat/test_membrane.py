"""The classes of Membrane's client: their JSON form is that of records, and reading is lenient."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from mdmem.note.scalars import is_same
from mdmem.systems.compat import membrane
from mdmem.systems.compat.membrane import MemoryRecord, RetrieveResult
from mdmem.systems.membrane import record
from tests.systems.membrane.records import EXAMPLE, RECORDS


@settings(max_examples=30)
@given(RECORDS)
def test_a_record_is_the_same_json_again(value: dict[str, Any]) -> None:
    assert is_same(MemoryRecord.from_dict(value).to_dict(), value)


def test_fields_are_values_of_their_classes() -> None:
    record = MemoryRecord.from_dict(EXAMPLE)
    assert record.sensitivity is membrane.Sensitivity.MEDIUM
    assert record.lifecycle.decay.curve is membrane.DecayCurve.EXPONENTIAL
    assert record.provenance.sources[0].ref == "s-1/msg-1"
    assert record.audit_log[0].action == "create"


def test_what_is_missing_null_or_not_known_is_no_error() -> None:
    record = MemoryRecord.from_dict({"type": "dream", "tags": None, "lifecycle": None, "mood": "good"})
    assert (record.type, record.tags, record.lifecycle.decay.half_life_seconds) == ("dream", [], 86400)
    assert record.to_dict()["mood"] == "good"
    assert MemoryRecord.from_dict(None).sensitivity is membrane.Sensitivity.LOW


def test_results_hold_records() -> None:
    found = RetrieveResult.from_dict(
        {"records": [EXAMPLE], "selection": {"selected": [EXAMPLE], "needs_more": True}}
    )
    assert found.selection is not None
    assert found.selection.selected[0].id == found.records[0].id == EXAMPLE["id"]
    assert found.to_dict()["selection"]["needs_more"] is True


def test_every_name_is_there() -> None:
    assert all(hasattr(membrane, name) for name in membrane.__all__)
    assert len(membrane.__all__) == 21


def test_the_defaults_are_those_of_the_client() -> None:
    record = MemoryRecord()
    assert record.type is membrane.MemoryType.EPISODIC
    assert (record.scope, record.tags, record.relations) == ("", [], [])
    assert not {"scope", "tags", "relations"} & record.to_dict().keys()
    record.tags.append("later")
    assert record.to_dict()["tags"] == ["later"]


def test_the_names_of_other_programs_are_read() -> None:
    assert membrane.Relation.from_dict({"kind": "supports", "target_id": "x"}).predicate == "supports"
    both = {"predicate": "supports", "target_id": "x", "kind": "loose"}
    assert membrane.Relation.from_dict(both).to_dict() == both
    found = membrane.SelectionResult.from_dict({"Selected": [EXAMPLE], "Confidence": 0.4, "NeedsMore": True})
    assert (found.selected[0].id, found.confidence, found.needs_more) == (EXAMPLE["id"], 0.4, True)


def test_the_enumerations_hold_the_words_of_the_schema() -> None:
    assert tuple(membrane.AuditAction) == record.shape_of("audit_log", "", "action").choices
    assert tuple(membrane.ProvenanceKind) == record.shape_of("provenance", "sources", "", "kind").choices
    assert tuple(membrane.OutcomeStatus) == record.payload_shape("episodic").of("outcome").choices
    assert tuple(membrane.TaskState) == record.payload_shape("working").of("state").choices
    assert tuple(membrane.ValidityMode) == record.payload_shape("semantic").of("validity").of("mode").choices
    assert tuple(membrane.EdgeKind) == record.payload_shape("plan_graph").of("edges").of("").of("kind").choices

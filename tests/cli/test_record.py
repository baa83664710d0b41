"""Records by `mdmem remember|show|list|doctor` as people and programs use them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mdmem.systems.membrane import record
from tests.conftest import Editor, Run, Stdin
from tests.systems.membrane.made import PAYLOADS, made


def without_kind(payload: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name != "kind"}


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload["kind"])
def test_a_payload_is_enough_for_a_record(payload: dict[str, Any], ask: Run, stdin: Stdin) -> None:
    stdin(without_kind(payload))
    done = ask("remember", "--type", payload["kind"], "--actor", "bot", "-m", "heard")
    value = ask("show", "--as", "record", done["name"])
    assert list(record.faults(value)) == []
    assert value["payload"] == payload
    assert value["provenance"]["sources"][0]["created_by"] == "bot"
    assert value["lifecycle"]["deletion_policy"] == "auto_prune"
    assert [(entry["action"], entry["actor"], entry["rationale"]) for entry in value["audit_log"]] == [
        ("create", "bot", "heard")
    ]


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload["kind"])
def test_the_former_command_writes_the_same(payload: dict[str, Any], mdmem: Run, ask: Run, stdin: Stdin) -> None:
    """Programs that pipe into `record add TYPE` read the same JSON and exit code; people are told the new name."""
    stdin(without_kind(payload))
    ran = mdmem("record", "add", payload["kind"], "--title", "How tea is made here", "--json")
    assert ran.err.startswith(f"mdmem: record add is now: mdmem remember --type={payload['kind']} ")
    assert json.loads(ran.out).keys() == {"name", "path", "id", "title", "commit", "twins", "may_change"}
    assert ask("show", "--as", "record", "tea_made_here")["payload"] == payload


def test_a_whole_record_is_kept_as_it_is(ask: Run, stdin: Stdin) -> None:
    given = {**made(1)[0], "audit_log": []}
    stdin(given)
    value = ask("show", "--as", "record", ask("remember", "--type", "semantic")["name"])
    assert {**value, "audit_log": []} == {**given, "created_at": "2025-01-15T09:00:00Z"}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"subject": "user"}, "payload.predicate is missing"),
        ([], "give one record"),
        ({"type": "working", "payload": {}}, "its type is working, not semantic"),
        ({"payload": 3}, "payload is 3"),
        (made(1)[0], "audit_log is made from history"),
    ],
)
def test_what_is_not_valid_is_not_written(value: Any, told: str, root: Path, mdmem: Run, stdin: Stdin) -> None:
    stdin(value)
    assert told in mdmem("remember", "--type", "semantic", code=2).err
    assert list((root / "allmemories").iterdir()) == []


@pytest.mark.parametrize("type", record.TYPES)
def test_the_template_of_each_type_is_a_valid_record(type: str, mdmem: Run, ask: Run, editor: Editor) -> None:
    """Saved as it opens, it is written."""
    editor('touch "$1"')
    mdmem("remember", "--type", type, "--edit", "--title", "How tea is made here")
    assert mdmem("doctor", "--as", "record").out == ""
    assert ask("show", "--as", "record", "tea_made_here")["type"] == type


def test_what_was_typed_is_not_lost_if_it_is_not_valid(mdmem: Run, editor: Editor) -> None:
    editor("sed -i 's/^- state: .*/- state: asleep/' \"$1\"")
    ran = mdmem("remember", "--type", "working", "--edit", "--title", "Tea", code=1)
    assert 'payload.state is "asleep"' in ran.err
    assert "planning, executing" in ran.err
    assert "your text is in" in ran.err


@pytest.fixture
def filled(root: Path, tmp_path: Path, mdmem: Run) -> Path:
    """A vault with five records, a preference and a note that is no valid record."""
    values = made(5)
    values[1]["scope"] = "user"
    values[2]["salience"] = 0
    (tmp_path / "records.json").write_text(json.dumps(values))
    mdmem("import", "membrane", tmp_path / "records.json")
    mdmem("remember", "User prefers tables.", "--type", "preference")
    (root / "allmemories/half_a_claim.md").write_text("---\ntype: semantic\n---\n\n## Claim\n\n- subject: user\n")
    return root


def test_records_are_listed_by_type_scope_and_salience(filled: Path, mdmem: Run, ask: Run) -> None:
    def names(*options: object) -> list[str]:
        listed = ask("list", "--as", "record", *options)
        return [one["name"] for one in listed]

    assert len(names()) == 7
    assert "user_prefers_tables" in names("--type", "semantic")
    assert len(names("--type", "semantic", "--type", "working")) == 4
    assert len(names("--scope", "user")) == 1
    assert names("--min-salience", "0.5") == ["half_a_claim", "user_prefers_tables"]
    assert "semantic    1.00  user_prefers_tables" in mdmem("list", "--as", "record").out


def test_a_record_is_shown_to_a_person_and_one_that_is_not_valid_is_told(filled: Path, mdmem: Run) -> None:
    shown = mdmem("show", "--as", "record", "user_prefers_tables").out
    assert "salience: 1.0 (1.00 now)" in shown
    assert "  predicate: preference" in shown
    assert "action: create" in shown
    assert "allmemories/half_a_claim.md:5" in mdmem("doctor", "--as", "record", code=1).err
    mdmem("doctor", "--as", "record", "user_prefers_tables")

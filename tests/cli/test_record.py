"""Records by `mdmem remember|show|list|doctor` as people and programs use them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.systems.membrane import record
from tests.conftest import Ran
from tests.systems.membrane.made import PAYLOADS, made

Run = Callable[..., Ran]


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Put a value on standard input as JSON."""

    def put(value: Any) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(value).encode())))

    return put


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload["kind"])
def test_a_payload_is_enough_for_a_record(
    payload: dict[str, Any], root: Path, mdmem: Run, piped: Callable[[Any], None]
) -> None:
    piped({name: value for name, value in payload.items() if name != "kind"})
    added = ("remember", "--type", payload["kind"], "--vault", root, "--actor", "bot", "-m", "heard", "--json")
    done = json.loads(mdmem(*added).out)
    value = json.loads(mdmem("show", "--as", "record", done["name"], "--vault", root, "--json").out)
    assert list(record.faults(value)) == []
    assert value["payload"] == payload
    assert value["provenance"]["sources"][0]["created_by"] == "bot"
    assert value["lifecycle"]["deletion_policy"] == "auto_prune"
    assert [(entry["action"], entry["actor"], entry["rationale"]) for entry in value["audit_log"]] == [
        ("create", "bot", "heard")
    ]


@pytest.mark.parametrize("type", record.TYPES)
def test_the_former_command_writes_the_same(
    type: str, root: Path, mdmem: Run, piped: Callable[[Any], None]
) -> None:
    """Programs that pipe into `record add TYPE` read the same JSON and exit code; people are told the new name."""
    payload = next(one for one in PAYLOADS if one["kind"] == type)
    piped({name: value for name, value in payload.items() if name != "kind"})
    ran = mdmem("record", "add", type, "--title", "How tea is made here", "--vault", root, "--json")
    assert ran.err.startswith(f"mdmem: record add is now: mdmem remember --type={type} ")
    assert json.loads(ran.out).keys() == {"name", "path", "id", "title", "commit", "twins", "may_change"}
    value = json.loads(mdmem("show", "--as", "record", "tea_made_here", "--vault", root, "--json").out)
    assert value["payload"] == payload


def test_a_whole_record_is_kept_as_it_is(root: Path, mdmem: Run, piped: Callable[[Any], None]) -> None:
    given = {**made(1)[0], "audit_log": []}
    piped(given)
    name = json.loads(mdmem("remember", "--type", "semantic", "--vault", root, "--json").out)["name"]
    value = json.loads(mdmem("show", "--as", "record", name, "--vault", root, "--json").out)
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
def test_what_is_not_valid_is_not_written(
    value: Any, told: str, root: Path, mdmem: Run, piped: Callable[[Any], None]
) -> None:
    piped(value)
    assert told in mdmem("remember", "--type", "semantic", "--vault", root, code=2).err
    assert list((root / "allmemories").iterdir()) == []


@pytest.mark.parametrize("type", record.TYPES)
def test_the_template_of_each_type_is_a_valid_record(
    type: str, root: Path, tmp_path: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saved as it opens, it is written; with a field that is wrong it is kept aside."""
    monkeypatch.setenv("MDMEM_EDITOR", "touch")
    mdmem("remember", "--type", type, "--edit", "--title", "How tea is made here", "--vault", root)
    assert mdmem("doctor", "--as", "record", "--vault", root).out == ""
    value = json.loads(mdmem("show", "--as", "record", "tea_made_here", "--vault", root, "--json").out)
    assert value["type"] == type


def test_what_was_typed_is_not_lost_if_it_is_not_valid(
    root: Path, tmp_path: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor"
    script.write_text("#!/bin/sh\nsed -i 's/^- state: .*/- state: asleep/' \"$1\"\n")
    script.chmod(0o755)
    monkeypatch.setenv("MDMEM_EDITOR", str(script))
    ran = mdmem("remember", "--type", "working", "--edit", "--title", "Tea", "--vault", root, code=1)
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
    mdmem("import", "membrane", tmp_path / "records.json", "--vault", root)
    mdmem("remember", "User prefers tables.", "--type", "preference", "--vault", root)
    (root / "allmemories/half_a_claim.md").write_text("---\ntype: semantic\n---\n\n## Claim\n\n- subject: user\n")
    return root


def test_records_are_listed_by_type_scope_and_salience(filled: Path, mdmem: Run) -> None:
    def names(*options: object) -> list[str]:
        listed = json.loads(mdmem("list", "--as", "record", "--vault", filled, "--json", *options).out)
        return [one["name"] for one in listed]

    assert len(names()) == 7
    assert "user_prefers_tables" in names("--type", "semantic")
    assert len(names("--type", "semantic", "--type", "working")) == 4
    assert len(names("--scope", "user")) == 1
    assert names("--min-salience", "0.5") == ["half_a_claim", "user_prefers_tables"]
    assert "semantic    1.00  user_prefers_tables" in mdmem("list", "--as", "record", "--vault", filled).out


def test_a_record_is_shown_to_a_person(filled: Path, mdmem: Run) -> None:
    shown = mdmem("show", "--as", "record", "user_prefers_tables", "--vault", filled).out
    assert "salience: 1.0 (1.00 now)" in shown
    assert "  predicate: preference" in shown
    assert "action: create" in shown


def test_check_tells_what_is_no_valid_record(filled: Path, mdmem: Run) -> None:
    ran = mdmem("doctor", "--as", "record", "--vault", filled, code=1)
    assert "allmemories/half_a_claim.md:5" in ran.err
    mdmem("doctor", "--as", "record", "user_prefers_tables", "--vault", filled)

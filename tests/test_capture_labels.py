"""The labelled turns that capture is measured with are well-formed, balanced and name real turns."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[1]
DATA = PROJECT / "tests/data"
LOCOMO = PROJECT.parent / "shared/eval/locomo_dev"
OWN_TRIGGERS = {"correction", "milestone", "preference", "learning", "save"}
TRIGGERS = OWN_TRIGGERS | {"fact"}
PARTS = {"dev", "held"}


def load(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


OWN = load("capture_own.jsonl")
FACTS = load("capture_facts.jsonl")
LOCOMO_LABELS = load("capture_locomo.jsonl")
WIDE = load("capture_wide.jsonl")
TO_FIT_ON = [*load("capture_more.jsonl"), *WIDE]  # dev only
KINDS = TRIGGERS | {"instruction", "decision", "plan", "episode"}


@pytest.mark.parametrize("rows", [OWN, FACTS, LOCOMO_LABELS], ids=["own", "facts", "locomo"])
def test_every_label_is_a_trigger_or_none_and_has_a_part(rows: list[dict[str, Any]]) -> None:
    assert {row["trigger"] for row in rows} <= TRIGGERS | {""}
    assert {row["part"] for row in rows} == PARTS


@pytest.mark.parametrize("rows", [OWN, FACTS, LOCOMO_LABELS], ids=["own", "facts", "locomo"])
def test_a_conversation_is_in_one_part_only(rows: list[dict[str, Any]]) -> None:
    pairs = {(row["conversation"], row["part"]) for row in rows}
    assert len(pairs) == len({conversation for conversation, _ in pairs})


@pytest.mark.parametrize("rows", [OWN, FACTS, LOCOMO_LABELS], ids=["own", "facts", "locomo"])
def test_no_turn_is_labelled_twice(rows: list[dict[str, Any]]) -> None:
    turns = Counter((row["conversation"], row["turn"]) for row in rows)
    assert max(turns.values()) == 1


def test_a_fact_belongs_to_a_trigger_and_only_to_a_trigger() -> None:
    fields = {"conversation", "turn", "speaker", "text", "trigger", "lang", "part"}
    for row in OWN:
        assert set(row) == (fields | {"fact"} if row["trigger"] else fields), row
        assert row["speaker"] in {"user", "assistant"}
        assert row["lang"] in {"en", "de", "es", "fr"}
        assert row["text"].strip()
        assert row.get("fact", "a fact").strip()


def test_the_turns_of_a_conversation_are_consecutive_and_together() -> None:
    runs = [(key, [row["turn"] for row in group]) for key, group in groupby(OWN, lambda row: row["conversation"])]
    assert len(runs) == len(dict(runs)), "a conversation is split"
    for conversation, turns in runs:
        assert turns == list(range(1, len(turns) + 1)), conversation
        assert 5 <= len(turns) <= 15, conversation


def test_the_sets_are_large_enough() -> None:
    """At least 80 own and 150 LoCoMo turns; of each trigger at least 10 own, some in both parts."""
    assert len(OWN) >= 80
    assert len(LOCOMO_LABELS) >= 150
    counts = Counter(row["trigger"] for row in OWN)
    assert min(counts[trigger] for trigger in OWN_TRIGGERS) >= 10
    assert {(row["trigger"], row["part"]) for row in OWN} == {(t, p) for t in OWN_TRIGGERS | {""} for p in PARTS}


def test_what_weights_are_fitted_on_is_dev_only_whole_and_labelled_by_the_kinds_of_the_guide() -> None:
    turns: dict[str, list[int]] = {}
    for row in TO_FIT_ON:
        turns.setdefault(row["conversation"], []).append(row["turn"])
        assert row["trigger"] in KINDS | {""}, row
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in turns.values())
    assert all(bool(row["trigger"]) == bool(row.get("fact")) for row in WIDE)
    assert {row["part"] for row in TO_FIT_ON} == {"dev"}
    assert len({row["text"] for row in WIDE}) == len(WIDE)


def test_locomo_labels_carry_no_text() -> None:
    """The conversations are not ours to copy: the labels name turns, and nothing more."""
    assert {frozenset(row) for row in LOCOMO_LABELS} == {frozenset({"conversation", "turn", "trigger", "part"})}


@pytest.mark.skipif(not LOCOMO.exists(), reason="the LoCoMo conversations are not beside the project")
def test_locomo_labels_cover_whole_sessions() -> None:
    """Each label names a turn that exists, and no turn of a labelled session is left out."""
    labelled = {(row["conversation"], row["turn"]) for row in LOCOMO_LABELS}
    sessions = {(conversation, turn.split(":")[0]) for conversation, turn in labelled}
    existing = {
        (conversation, turn["dia_id"])
        for conversation, session in sessions
        for turn in json.loads((LOCOMO / f"{conversation}.json").read_text())[f"session_{session[1:]}"]
    }
    assert labelled == existing

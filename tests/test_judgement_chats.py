"""The second set of labelled chats is well-formed; its halves and the part `fresh` share no subject."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.bench import judgement_chats as bench

pytestmark = pytest.mark.xdist_group("labelled")  # one process reads the chats

DATA = Path(__file__).parent / "data"
FIELDS = {"conversation", "turn", "speaker", "text", "trigger", "lang", "part", "subject", "voice"}
KINDS = set("correction decision episode fact instruction learning milestone plan preference save".split())
VOICES = {"terse", "chatty", "formal", "engineer", "diary"}
LANGUAGES = {"en", "de", "es", "fr"}
PARTS = {"dev", "held"}
ALL_PARTS = {*PARTS, "fresh"}

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for name in ("judgement_chats", "judgement_fresh_chats")
    for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
]
LABELLED = [row for row in ROWS if row["trigger"]]


def chats_by(*fields: str) -> Counter[tuple[str, ...]]:
    """How many conversations there are of each combination of these fields."""
    conversations = {row["conversation"]: row for row in ROWS}
    return Counter(tuple(row[field] for field in fields) for row in conversations.values())


def test_each_turn_has_its_fields_and_known_values() -> None:
    for row in ROWS:
        assert set(row) - {"fact", "corrects"} == FIELDS, row
        assert row["speaker"] in {"user", "assistant"}, row
        assert row["trigger"] in KINDS | {""}, row
        assert row["voice"] in VOICES, row
        assert row["lang"] in LANGUAGES, row
        assert row["part"] in ALL_PARTS, row
        assert row["text"].strip() == row["text"] != "", row


def test_a_note_belongs_to_a_label_and_is_a_sentence_of_its_own() -> None:
    for row in ROWS:
        assert ("fact" in row) == bool(row["trigger"]), row
        if row["trigger"]:
            assert row["fact"][0].isupper(), row
            assert row["fact"].endswith("."), row


def test_a_note_is_written_in_the_third_person() -> None:
    """A note never says "I" or "we" in the language of its chat."""
    for row in LABELLED:
        assert not bench.says_i(row["fact"], row["lang"]), row


def test_a_correction_names_an_earlier_turn_of_its_chat() -> None:
    corrections = [row for row in ROWS if "corrects" in row]
    assert corrections
    for row in corrections:
        assert row["trigger"] == "correction", row
        assert 1 <= row["corrects"] < row["turn"], row


def test_the_turns_of_a_conversation_are_consecutive_and_agree() -> None:
    runs = [(key, list(rows)) for key, rows in groupby(ROWS, lambda row: row["conversation"])]
    assert len(runs) == len(dict(runs)), "a conversation is split"
    for conversation, rows in runs:
        assert [row["turn"] for row in rows] == list(range(1, len(rows) + 1)), conversation
        assert 3 <= len(rows) <= 15, conversation
        assert len({(row["part"], row["subject"], row["voice"], row["lang"]) for row in rows}) == 1, conversation


def test_no_subject_is_in_two_parts() -> None:
    parts = {(row["subject"], row["part"]) for row in ROWS}
    assert len(parts) == len({subject for subject, _ in parts})


def test_the_halves_have_the_same_mix_of_voices_and_languages() -> None:
    mix = chats_by("part", "lang", "voice")
    for (part, lang, voice), count in mix.items():
        if part not in PARTS:
            continue
        other = "held" if part == "dev" else "dev"
        assert mix[(other, lang, voice)] == count, (lang, voice)


def test_no_text_stands_twice() -> None:
    """What is long enough to be a sentence was written once."""
    texts = Counter(row["text"].lower() for row in ROWS if len(row["text"].split()) > 4)
    assert [text for text, count in texts.items() if count > 1] == []


def test_each_part_is_large_and_mostly_holds_nothing() -> None:
    for part in ALL_PARTS:
        rows = [row for row in ROWS if row["part"] == part]
        assert len(rows) >= 200
        assert 0.15 <= sum(bool(row["trigger"]) for row in rows) / len(rows) <= 0.35


@pytest.fixture(scope="module")
def judged() -> dict[str, list[bench.Judged]]:
    return {part: bench.judged(part) for part in PARTS}


@pytest.mark.parametrize(("part", "precision", "recall"), [("dev", 0.86, 0.82), ("held", 0.75, 0.73)])
def test_capture_agrees_with_the_labels_as_far_as_it_did(
    judged: dict[str, list[bench.Judged]], part: str, precision: float, recall: float
) -> None:
    """`python tests/bench/judgement_chats.py` prints the figures."""
    got = bench.agreement(judged[part], bench.REVIEW)
    assert got.precision >= precision
    assert got.recall >= recall


@pytest.mark.parametrize("part", sorted(PARTS))
def test_a_confidence_means_what_it_says(judged: dict[str, list[bench.Judged]], part: str) -> None:
    """Of what is found at 0.8 or surer four of five are right, and of what is less sure at least half."""
    sure = bench.agreement(judged[part], bench.SURE)
    unsure = bench.agreement([turn for turn in judged[part] if not turn.found(bench.SURE)], bench.REVIEW)
    assert sure.precision >= 0.78
    assert sure.recall >= 0.4
    assert unsure.precision >= 0.5


@pytest.mark.parametrize("part", sorted(PARTS))
def test_notes_stand_alone(judged: dict[str, list[bench.Judged]], part: str) -> None:
    """Counted over all notes that are found, right or not: what they quote names its thing and is whole."""
    faults = bench.faults(judged[part])
    assert faults.dangling <= 0.11 * faults.notes
    assert faults.broken_off <= 0.2 * faults.notes

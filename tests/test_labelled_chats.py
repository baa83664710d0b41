"""The labelled chats (tests/data) are sound, and capture agrees with them as far as it did."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.bench import capture, labelled_chats
from tests.bench import judgement_chats as bench
from tests.bench.labelled_chats import Agreement

pytestmark = pytest.mark.xdist_group("labelled")  # one process reads the chats

DATA = Path(__file__).parent / "data"
LOCOMO = labelled_chats.SHARED / "eval/locomo_dev"
FITTED_ON = ("capture_more", "capture_wide")
JUDGED = ("judgement_chats", "judgement_fresh_chats")
NAMED = ("capture_own", "capture_wide", *JUDGED)  # sets that say of each trigger what the memory should hold
SETS = (*NAMED, "capture_facts", "capture_talk", "capture_plain", "capture_more")
LABELS_ONLY = "capture_locomo"
KINDS = set("correction decision episode fact instruction learning milestone plan preference save".split())
PARTS = ("dev", "held")

ROWS: dict[str, list[dict[str, Any]]] = {
    name: [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    for name in (*SETS, LABELS_ONLY)
}

each_set = pytest.mark.parametrize("name", SETS)
without_locomo = pytest.mark.skipif(
    not LOCOMO.exists(), reason="the LoCoMo conversations are not beside the project"
)


@each_set
def test_each_turn_has_known_values(name: str) -> None:
    for row in ROWS[name]:
        assert row["speaker"] in {"user", "assistant"}, row
        assert row["trigger"] in KINDS | {""}, row
        assert row.get("lang", "en") in {"en", "de", "es", "fr"}, row
        assert row["text"].strip() == row["text"] != "", row


@each_set
def test_the_turns_of_a_conversation_are_consecutive_and_in_one_part(name: str) -> None:
    runs = [(key, list(rows)) for key, rows in groupby(ROWS[name], lambda row: row["conversation"])]
    assert len(runs) == len(dict(runs)), "a conversation is split"
    for conversation, rows in runs:
        assert [row["turn"] for row in rows] == list(range(1, len(rows) + 1)), conversation
        assert len({(row["part"], *map(row.get, ("lang", "subject", "voice"))) for row in rows}) == 1, rows


def test_what_weights_are_fitted_on_is_dev_only() -> None:
    assert {row["part"] for name in FITTED_ON for row in ROWS[name]} == {"dev"}


@pytest.mark.parametrize("name", NAMED)
def test_a_note_belongs_to_a_label(name: str) -> None:
    for row in ROWS[name]:
        assert bool(row["trigger"]) == bool(row.get("fact")), row


@pytest.mark.parametrize("name", JUDGED)
def test_a_note_is_a_sentence_in_the_third_person(name: str) -> None:
    """It never says "I" or "we" in the language of its chat."""
    for row in ROWS[name]:
        if row["trigger"]:
            assert row["fact"][0].isupper(), row
            assert row["fact"].endswith("."), row
            assert not bench.says_i(row["fact"], row["lang"]), row


def test_a_correction_names_an_earlier_turn_of_its_chat() -> None:
    corrections = [row for name in JUDGED for row in ROWS[name] if "corrects" in row]
    assert corrections
    for row in corrections:
        assert row["trigger"] == "correction", row
        assert 1 <= row["corrects"] < row["turn"], row


def test_no_subject_is_in_two_parts_and_no_text_stands_twice() -> None:
    rows = [row for name in JUDGED for row in ROWS[name]]
    subjects = {(row["subject"], row["part"]) for row in rows}
    assert len(subjects) == len({subject for subject, _ in subjects})
    texts = Counter(row["text"].lower() for row in rows if len(row["text"].split()) > 4)
    assert [text for text, count in texts.items() if count > 1] == []


def test_locomo_labels_carry_no_text() -> None:
    """The conversations are not ours to copy: the labels name turns, each once, and nothing more."""
    rows = ROWS[LABELS_ONLY]
    assert {frozenset(row) for row in rows} == {frozenset({"conversation", "turn", "trigger", "part"})}
    assert {row["trigger"] for row in rows} <= KINDS | {""}
    assert len({(row["conversation"], row["turn"]) for row in rows}) == len(rows)
    assert len({(row["conversation"], row["part"]) for row in rows}) == len({row["conversation"] for row in rows})


@without_locomo
def test_locomo_labels_cover_whole_sessions() -> None:
    """Each label names a turn that exists, and no turn of a labelled session is left out."""
    labelled = {(row["conversation"], row["turn"]) for row in ROWS[LABELS_ONLY]}
    sessions = {(conversation, turn.split(":")[0]) for conversation, turn in labelled}
    existing = {
        (conversation, turn["dia_id"])
        for conversation, session in sessions
        for turn in json.loads((LOCOMO / f"{conversation}.json").read_text())[f"session_{session[1:]}"]
    }
    assert labelled == existing


# -- how far capture agrees ----------------------------------------------------------------------

# Least precision and recall, a little less than measured. What is kept of the talk of friends has to be sure.
FLOORS = {
    ("own", "dev"): (0.9, 0.9),
    ("own", "held"): (0.85, 0.8),
    ("facts", "held"): (0.85, 0.7),
    ("talk", "held"): (0.95, 0.6),
    ("judged", "dev"): (0.86, 0.82),
    ("judged", "held"): (0.75, 0.73),
}


@pytest.fixture(scope="module")
def judged() -> dict[str, list[bench.Judged]]:
    return {part: bench.judged(part) for part in PARTS}


def agreement(name: str, part: str, judged: dict[str, list[bench.Judged]]) -> Agreement:
    return bench.agreement(judged[part], bench.REVIEW) if name == "judged" else capture.score(name, part)


@pytest.mark.parametrize(("name", "part"), FLOORS)
def test_capture_agrees_with_the_labels_as_far_as_it_did(
    judged: dict[str, list[bench.Judged]], name: str, part: str
) -> None:
    got = agreement(name, part, judged)
    precision, recall = FLOORS[name, part]
    assert got.precision >= precision
    assert got.recall >= recall


@without_locomo
def test_plain_talk_of_friends_raises_few_false_alarms() -> None:
    """One turn in five is too many: what friends tell each other reads like what a memory is worth."""
    for part in PARTS:
        got = capture.score("locomo", part)
        assert (got.found - got.right) / (got.turns - got.labelled) <= 0.2
        assert got.recall >= 0.25


@pytest.mark.parametrize("part", PARTS)
def test_a_confidence_means_what_it_says(judged: dict[str, list[bench.Judged]], part: str) -> None:
    """Of what is found at 0.8 or surer four of five are right, and of what is less sure at least half."""
    sure = bench.agreement(judged[part], bench.SURE)
    unsure = bench.agreement([turn for turn in judged[part] if not turn.found(bench.SURE)], bench.REVIEW)
    assert sure.precision >= 0.78
    assert sure.recall >= 0.4
    assert unsure.precision >= 0.5


@pytest.mark.parametrize("part", PARTS)
def test_notes_stand_alone(judged: dict[str, list[bench.Judged]], part: str) -> None:
    """Counted over all notes that are found, right or not: what they quote names its thing and is whole."""
    faults = bench.faults(judged[part])
    assert faults.dangling <= 0.11 * faults.notes
    assert faults.broken_off <= 0.2 * faults.notes

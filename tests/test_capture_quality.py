"""How much of what is worth a memory the trigger rules find, on labelled turns: never less than here.

`python tests/bench/capture.py` prints the figures of each part.
"""

from __future__ import annotations

import pytest

from tests.bench import capture as bench
from tests.bench.labelled_chats import SHARED


def total(name: str) -> tuple[float, float]:
    """Precision and recall of both parts together."""
    scores = [bench.score(name, part) for part in ("dev", "held")]
    right = sum(score.right for score in scores)
    return right / sum(score.found for score in scores), right / sum(score.labelled for score in scores)


def test_triggers_are_found_in_turns_of_our_own() -> None:
    precision, recall = total("own")
    assert precision >= 0.8
    assert recall >= 0.7


def test_turns_that_no_rule_was_tuned_on_fare_not_much_worse() -> None:
    held = bench.score("own", "held")
    assert held.precision >= 0.65
    assert held.recall >= 0.5


def test_plain_facts_said_in_passing_are_found_where_no_rule_was_tuned() -> None:
    """1.0 / .76 with weights; with rules for facts, which were fitted to their like, .91 / 1.0."""
    held = bench.score("facts", "held")
    assert held.precision >= 0.85
    assert held.recall >= 0.7


def test_what_friends_tell_of_their_lives_is_found_where_no_weight_was_fitted() -> None:
    """1.0 / .64; by weights that had seen little such talk, 1.0 / .52. What is kept of it has to be sure."""
    held = bench.score("talk", "held")
    assert held.precision >= 0.95
    assert held.recall >= 0.6


@pytest.mark.skipif(
    not (SHARED / "eval/locomo_dev").exists(), reason="the texts of LoCoMo are not beside the project"
)
def test_plain_talk_of_friends_raises_few_false_alarms() -> None:
    """One turn in five is too many: what friends tell each other reads like what a memory is worth."""
    for part in ("dev", "held"):
        got = bench.score("locomo", part)
        assert (got.found - got.right) / (got.turns - got.labelled) <= 0.2
        assert got.recall >= 0.25

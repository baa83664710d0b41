"""How much of what is worth a memory the trigger rules find, on labelled turns: never less than here.

`python tests/bench/capture.py` prints the figures of each part.
"""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).parents[1]
SHARED = PROJECT.parent / "shared"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("capture_bench", PROJECT / "tests/bench/capture.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def total(bench: ModuleType, name: str) -> tuple[float, float]:
    """Precision and recall of both parts together."""
    columns: Counter[str] = Counter()
    for conversations in bench.load(name, SHARED).values():
        columns.update(bench.score(conversations)._asdict())
    return columns["right"] / columns["found"], columns["right"] / columns["labelled"]


def test_triggers_are_found_in_turns_of_our_own(bench: ModuleType) -> None:
    precision, recall = total(bench, "own")
    assert precision >= 0.8
    assert recall >= 0.7


def test_turns_that_no_rule_was_tuned_on_fare_not_much_worse(bench: ModuleType) -> None:
    held = bench.score(bench.load("own", SHARED)["held"])
    assert held.precision >= 0.65
    assert held.recall >= 0.5


def test_plain_facts_said_in_passing_are_found_where_no_rule_was_tuned(bench: ModuleType) -> None:
    """Before there were rules for facts: precision .75, recall .14."""
    held = bench.score(bench.load("facts", SHARED)["held"])
    assert held.precision >= 0.85
    assert held.recall >= 0.85


@pytest.mark.skipif(
    not (SHARED / "eval/locomo_dev").exists(), reason="the texts of LoCoMo are not beside the project"
)
def test_plain_talk_of_friends_raises_few_false_alarms(bench: ModuleType) -> None:
    for conversations in bench.load("locomo", SHARED).values():
        got = bench.score(conversations)
        assert (got.found - got.right) / (got.turns - got.labelled) <= 0.1
        assert got.recall >= 0.5

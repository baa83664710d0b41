"""The five depths: what each tells, and the tokens that each keeps within."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings

from mdmem.note import tokens
from mdmem.note.excerpt import DEPTHS
from mdmem.systems.rum import recall as depths
from mdmem.systems.rum import work
from tests.systems.rum.works import WHOLE, WORKS

WORK = work.checked(WHOLE)


def test_the_summary_is_the_goal_and_the_summary_of_the_outcome() -> None:
    told = depths.at_depth(WORK, "summary")
    assert told["intent"] == {"goal": WORK["intent"]["goal"], "task_type": "bug_fix"}
    assert told["outcome"] == {"success": True, "summary": WORK["outcome"]["summary"]}
    assert set(told) == {"id", "agent_id", "created_at", "intent", "outcome"}


def test_the_outcome_has_every_field_of_the_outcome_and_what_was_learned() -> None:
    failed = {
        "success": False,
        "summary": "It still happens",
        "learnings": ["Test it for an hour"],
        "failure_reason": "The clock is off",
        "failure_category": "incorrect_assumption",
        "verified_by": {"type": "manual", "result": "Logged out again"},
        "follow_up_needed": ["Look at the clock"],
    }
    told = depths.at_depth({**WORK, "outcome": failed}, "outcome")
    assert told["outcome"] == failed
    assert told["learnings"] == ["Test it for an hour"]
    assert "reasoning" not in told


def test_the_reasoning_comes_with_the_depth_of_that_name() -> None:
    told = depths.at_depth(WORK, "reasoning")
    assert told["reasoning"] == WORK["reasoning"]
    assert "perception" not in told
    assert "actions" not in told


def test_full_is_everything_but_the_details_of_actions() -> None:
    told = depths.at_depth(WORK, "full")
    without = {name: value for name, value in WORK.items() if name != "actions"}
    assert {name: told[name] for name in without} == without
    assert told["actions"] == [{"type": one["type"], "result": one["result"]} for one in WORK["actions"]]


def test_complete_is_everything() -> None:
    told = depths.at_depth(WORK, "complete")
    assert {name: told[name] for name in WORK} == WORK
    text = depths.telling(WORK, "complete").text
    assert "type: file_edit, timestamp: 2024-01-16T19:18:20Z" in text
    assert "project_id: shop\nsession_id: conv-42" in text


@settings(max_examples=40)
@given(WORKS)
def test_no_text_takes_more_than_its_budget_and_a_cut_is_told(work: dict[str, Any]) -> None:
    for depth, budget in depths.BUDGETS.items():
        told = depths.telling(work, depth)
        assert told.tokens == tokens.estimate(told.text)
        assert not budget or told.tokens <= budget
        assert told.text.endswith(f"(cut: {told.whole} tokens)") == told.is_cut


def test_a_long_work_keeps_a_part_of_every_line() -> None:
    long = {**WORK, "reasoning": {**WORK["reasoning"], "why_chosen": "because it is " * 200}}
    told = depths.telling(long, "reasoning")
    assert told.is_cut
    assert told.text.startswith("Stop the random logouts\n")
    assert {line.split(":")[0] for line in told.text.split("\n")} >= set(WORK["reasoning"])


def test_a_failure_says_so_in_the_summary() -> None:
    failed = {**WORK, "outcome": {"success": False, "summary": "It still happens"}}
    assert depths.telling(failed, "summary").text == "Stop the random logouts\nFAILED: It still happens"


@pytest.mark.parametrize(("less", "more"), list(pairwise(DEPTHS)))
def test_each_depth_holds_what_the_one_before_it_holds(less: str, more: str) -> None:
    first, second = depths.at_depth(WORK, less), depths.at_depth(WORK, more)
    assert first.keys() <= second.keys()
    for name in ("intent", "outcome"):
        assert first[name].items() <= second[name].items()

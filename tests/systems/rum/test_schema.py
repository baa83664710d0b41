"""What a work may be: each field and value of RUM's page, and a refusal that names the field for anything else."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest

from mdmem.errors import UsageError
from mdmem.systems.rum import work
from tests.systems.rum.works import LEAST, WHOLE


def changed(path: Sequence[str | int], value: Any) -> dict[str, Any]:
    """WHOLE with one value changed, taken away if it is None."""
    work = deepcopy(WHOLE)
    inner: Any = work
    for step in path[:-1]:
        inner = inner[step]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return work


def test_a_work_with_every_field_is_taken_as_it_is() -> None:
    assert work.checked(WHOLE) == WHOLE


def test_the_least_work_has_a_goal_a_type_a_success_and_a_summary() -> None:
    assert work.checked(LEAST) == LEAST | {"perception": {}, "reasoning": {}, "actions": [], "links": {}}


OUTCOME = work.WORK.of("outcome")
ACTION_TYPES, FAILURE_CATEGORIES = work.ACTION.of("type").choices, OUTCOME.of("failure_category").choices
VALUES = [
    *((("intent", "task_type"), one) for one in work.TASK_TYPES),
    *((("actions", 0, "type"), one) for one in ACTION_TYPES),
    *((("outcome", "failure_category"), one) for one in FAILURE_CATEGORIES),
    *((("outcome", "verified_by", "type"), one) for one in OUTCOME.of("verified_by").of("type").choices),
]


def test_every_allowed_value_is_taken() -> None:
    counts = [len(work.TASK_TYPES), len(ACTION_TYPES), len(FAILURE_CATEGORIES)]
    assert counts == [11, 7, 10]  # as RUM's page has them
    for path, value in VALUES:
        assert work.checked(changed(path, value)) == changed(path, value)


REFUSED = [
    (("intent", "goal"), None, "intent.goal is missing"),
    (("intent", "goal"), "", "intent.goal is"),
    (("intent", "goal"), " \n\t", "write a text that is not blank"),
    (("outcome", "summary"), "\u3000", "outcome.summary is"),
    (("intent", "task_type"), None, "intent.task_type is missing"),
    (("intent", "task_type"), "chore", "one of bug_fix, feature_add, refactor"),
    (("intent",), None, "intent is missing"),
    (("outcome",), None, "outcome is missing"),
    (("outcome", "success"), None, "outcome.success is missing"),
    (("outcome", "success"), "yes", "outcome.success is"),
    (("outcome", "summary"), None, "outcome.summary is missing"),
    (("outcome", "failure_category"), "bad_luck", "one of incorrect_assumption"),
    (("outcome", "verified_by", "type"), "hope", "one of test, build, manual, lint, typecheck"),
    (("outcome", "learning"), ["x"], "outcome.learning is not a field"),
    (("actions", 0, "type"), "think", "one of file_read, file_edit, file_create"),
    (("actions", 0, "type"), None, "actions[0].type is missing"),
    (("actions", 0, "timestamp"), "now", "actions[0].timestamp is"),
    (("actions", 1, "result"), "fine", "actions[1].result is"),
    (("actions", 0, "result", "duration_ms"), -1, "actions[0].result.duration_ms is -1"),
    (("perception", "relevant_files", 0, "path"), None, "perception.relevant_files[0].path is missing"),
    (("perception", "observations"), "much", "perception.observations is"),
    (
        ("reasoning", "alternatives_considered", 0, "approach"),
        None,
        "reasoning.alternatives_considered[0].approach",
    ),
    (("importance",), 1.5, "importance is 1.5"),
    (("created_at",), -5, "created_at is -5"),
    (("links", "supersedes"), ["a", "b"], "links.supersedes is"),
    (("links", "fixes"), ["a"], "links.fixes is not a field: the fields are caused_by, led_to, related_to"),
    (("mood",), "good", "mood is not a field"),
]


@pytest.mark.parametrize(("path", "value", "message"), REFUSED, ids=[row[2] for row in REFUSED])
def test_what_is_wrong_is_refused_by_the_name_of_its_field(
    path: tuple[str | int, ...], value: Any, message: str
) -> None:
    with pytest.raises(UsageError) as refused:
        work.checked(changed(path, value))
    assert message in str(refused.value)


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(UsageError, match=r"intent is missing.*outcome is missing"):
        work.checked({})


def test_a_value_that_is_not_a_mapping_is_refused() -> None:
    with pytest.raises(UsageError, match="the work is"):
        work.checked([1])


def test_a_flat_action_is_taken_nested_and_goes_out_flat() -> None:
    nested = {
        "type": "file_edit",
        "timestamp": 1705432800,
        "details": {"file_path": "a.ts", "lines_affected": "3"},
        "result": {"success": False, "error": "no such file"},
    }
    flat = {
        "type": "file_edit",
        "timestamp": 1705432800123 - 123,
        "file_path": "a.ts",
        "lines_affected": "3",
        "success": False,
        "error": "no such file",
    }
    half_flat = {
        "type": "file_edit",
        "timestamp": 1705432800,
        "file_path": "a.ts",
        "lines_affected": "3",
        "result": {"success": False, "error": "no such file"},
    }
    assert work.nested_action(flat) == work.nested_action(half_flat) == nested
    assert work.flat_action(nested) == half_flat


def test_an_action_that_says_a_field_twice_is_refused() -> None:
    twice = {"type": "file_edit", "file_path": "a.ts", "details": {"file_path": "b.ts"}}
    with pytest.raises(UsageError, match=r"actions\[0\].file_path is not a field"):
        work.checked({**LEAST, "actions": [twice]})


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (1705432800, 1705432800),
        (1705432800123, 1705432800.123),
        (1705432800.5, 1705432800.5),
        (99_999_999_999, 99_999_999_999),
    ],
)
def test_times_are_seconds_or_milliseconds_by_their_size(given: float, meant: float) -> None:
    assert work.checked({**LEAST, "created_at": given})["created_at"] == meant


def test_links_are_lists_where_there_may_be_several() -> None:
    links = {"caused_by": "mem_a", "supersedes": ["mem_b"], "blocked_by": None, "led_to": ["mem_c"]}
    wanted = {"caused_by": ["mem_a"], "supersedes": "mem_b", "led_to": ["mem_c"]}
    assert work.checked({**LEAST, "links": links})["links"] == wanted


def test_files_are_those_of_actions_and_those_looked_at() -> None:
    assert work.files_of(WHOLE) == {"src/auth.ts": "edit", "src/api.ts": "relevant"}


def test_of_several_operations_on_a_file_the_strongest_counts() -> None:
    actions = [
        {"type": type, "file_path": path}
        for type, path in [("file_create", "a"), ("file_edit", "a"), ("file_edit", "b"), ("file_read", "b")]
    ]
    assert work.files_of(work.checked({**LEAST, "actions": actions})) == {"a": "create", "b": "edit"}

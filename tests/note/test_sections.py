"""Structured bodies: data and readable sections are twins."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdmem.note import sections
from mdmem.note.shapes import objections
from mdmem.note.yamltext import Value
from tests.shaped import (
    choice,
    flag,
    integer,
    json_values,
    listed,
    mapping,
    moment,
    names,
    number,
    parsed,
    record,
    rendered,
    text,
    values,
)


def same(one: object, other: object) -> bool:
    return json.dumps(one) == json.dumps(other)


@given(st.dictionaries(names, json_values, max_size=4))
def test_any_data_reads_back_and_renders_the_same(data: dict[str, Value]) -> None:
    text = rendered(data)
    intro = {key: data[key] for key in [sections.INTRO] if key in data}
    assert same(parsed(text), intro | data)
    assert rendered(parsed(text)) == text


LINES = [
    *("## A", "## B c", "- x", "- a: 1", "  - b", "  - c: d", "    - e", "text", "", "```", "- - q: 1"),
    *("  - r: 2", "* z", "1. n", "> q", "- k:", "  para", "# T", "   - odd", '- "q": w', "-", "---"),
]


@given(st.lists(st.sampled_from(LINES), max_size=14))
def test_hand_written_text_reaches_a_fixed_point(lines: list[str]) -> None:
    data = parsed("\n".join(lines))
    text = rendered(data)
    assert same(parsed(text), data)
    assert rendered(parsed(text)) == text


def test_what_a_person_writes() -> None:
    text = """Why it was done.

## Intent

- goal: Fix JWT expiry
- constraints:
  - Don't break sessions
  - Be backwards compatible

## Timeline

- - t: 10:30
  - event_kind: user_input

## Summary

Two lines
of text.

## Outcome

- success: true
- count: 3
"""
    assert parsed(text) == {
        "": "Why it was done.",
        "intent": {"goal": "Fix JWT expiry", "constraints": ["Don't break sessions", "Be backwards compatible"]},
        "timeline": [{"t": "10:30", "event_kind": "user_input"}],
        "summary": "Two lines\nof text.",
        "outcome": {"success": True, "count": 3},
    }


@pytest.mark.parametrize(
    "text", ["1.10", "007", "1e5", "-0", "1.0e3", "12345678901234567.5", "[1.10]", '{"a": -0}', '{"a": 1, "a": 2}']
)
def test_what_would_be_written_differently_stays_text(text: str) -> None:
    data = parsed(f"## Version\n\n- number: {text}\n")
    assert data == {"version": {"number": text}}
    assert f"number: {text}\n" in rendered(data) or json.dumps(text) in rendered(data)


def test_numbers_as_they_are_written_are_numbers() -> None:
    data = parsed("- a: 0.30000000000000004\n- b: 12\n- c: -1.5\n- d: true\n- e: null\n")
    assert data == {"": {"a": 0.1 + 0.2, "b": 12, "c": -1.5, "d": True, "e": None}}


def test_the_text_above_the_first_section_is_written_first() -> None:
    assert rendered({"goal": "x", sections.INTRO: "Why."}) == "Why.\n\n## Goal\n\nx\n"


def test_a_heading_used_twice_loses_nothing() -> None:
    assert parsed("## A\n\none\n\n## A\n\ntwo\n") == {"a": "one", "a_2": "two"}


def test_sections_in_code_are_text() -> None:
    assert parsed("## A\n\n```\n## B\n```\n") == {"a": "```\n## B\n```"}


@pytest.mark.parametrize(
    ("key", "heading"), [("tool_graph", "Tool graph"), ("goal", "Goal"), ("Odd: Key", '"Odd: Key"')]
)
def test_keys_and_headings(key: str, heading: str) -> None:
    assert sections.heading_of(key) == heading
    assert sections.key_of(heading) == key


# -- with a table of fields ----------------------------------------------------------------------------------

STEP = record({"step": text(1), "tool": text(), "args": mapping(), "weight": number(0, 1)}, required="step")
TASK = record(
    {
        "task": record({"goal": text(), "state": choice("open", "done"), "version": text(), "tries": integer(0)}),
        "since": moment(),
        "steps": listed(STEP),
        "notes": listed(text()),
        "context": mapping(),
        "answer": record({"value": sections.ANY, "final": flag()}),
        "summary": text(),
        "object": sections.ANY,
    }
)
BY_HAND = """\
Why this is done.

## Steps

A word about the steps.

* step: Read the log
    * tool: shell
    * args:
        * path: /var/log

* Write the fix
    * weight: 1

## Task

+ Goal: Fix JWT: expiry
+ version: 2.0

+ state: open

## Zeitplan

- morgen

## Notes
1. "007"
2. note: call Ada
"""


@settings(max_examples=60)
@given(values(TASK))
def test_a_record_reads_back_with_the_types_of_its_table(data: dict[str, Value]) -> None:
    reading = sections.read(sections.render(data, TASK), TASK)
    assert same(reading.values, data)
    assert reading.faults == reading.unknown == ()
    assert not list(objections(data, TASK))


@settings(max_examples=40)
@given(values(TASK), values(TASK), st.sampled_from(["", "Intro.\n\n", "Intro.\n\n## Other\n\n- x\n\n"]))
def test_an_edited_body_says_what_it_should(old: dict[str, Value], new: dict[str, Value], intro: str) -> None:
    body = intro + sections.render(old, TASK)
    edited = sections.edit(body, new, TASK)
    assert json.dumps(sections.read(edited, TASK).values, sort_keys=True) == json.dumps(new, sort_keys=True)
    assert edited.startswith(intro.rstrip())
    assert sections.edit(body, old, TASK) == body


def test_text_by_hand_has_the_types_of_the_table() -> None:
    reading = sections.read(BY_HAND, TASK, above=10)
    assert reading.values == {
        "steps": [
            {"step": "Read the log", "tool": "shell", "args": {"path": "/var/log"}},
            {"step": "Write the fix", "weight": 1},
        ],
        "task": {"goal": "Fix JWT: expiry", "version": "2.0", "state": "open"},
        "notes": ["007", "note: call Ada"],
    }
    assert reading.unknown == (("Zeitplan", 32, ""),)
    assert reading.lines["steps[1].weight"] == 23
    assert reading.lines["task.goal"] == 27


def test_an_edit_writes_the_list_that_is_different_and_nothing_else() -> None:
    wanted = sections.read(BY_HAND, TASK).values
    wanted["steps"] = [{"step": "Read the log", "tool": "shell"}, {"step": "Write the fix", "weight": 1}]
    above, _, rest = BY_HAND.partition("* step")
    below = rest[rest.index("\n\n## Task") :]
    written = "- step: Read the log\n  - tool: shell\n- step: Write the fix\n  - weight: 1"
    assert sections.edit(BY_HAND, wanted, TASK) == above + written + below


def test_a_new_section_stands_where_the_table_has_it() -> None:
    body = "## Task\n\n- goal: x\n\n## Summary\n\nDone.\n"
    wanted = {"task": {"goal": "x"}, "notes": ["a"], "summary": "Done."}
    assert sections.edit(body, wanted, TASK) == body.replace("## Summary", "## Notes\n\n- a\n\n## Summary")
    assert sections.edit(body, {"task": {"goal": "x"}}, TASK) == "## Task\n\n- goal: x\n"


def test_what_cannot_be_read_is_told_with_its_field() -> None:
    body = "## Task\n\n- goal: x\n- goal: y\n- just words\n\n## Steps\n\n- step: a\n\n"
    body += "## Steps\n\n- step: b\n\n## Sumary\n\nx\n"
    reading = sections.read(body, TASK)
    assert [(fault.field, fault.message) for fault in reading.faults] == [
        ("task", "has a bullet 'just words'"),
        ("task.goal", "is given twice"),
        ("steps", "has two sections"),
    ]
    assert reading.unknown == (("Sumary", 15, "Summary"),)

"""Structured bodies: data and readable sections are twins."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import structure

names = st.text(max_size=8) | st.sampled_from(["goal", "why_chosen", "a b", "summary", "- x", "key: v"])
texts = st.text(max_size=30) | st.sampled_from(
    [
        *(
            "a: b",
            "- x",
            "# h",
            "## Sec",
            "```",
            "```\n## x\n```",
            "1. x",
            "> q",
            "[a]: b",
            "<div>",
            "a\n\nb",
            " x",
            "x ",
        ),
        *(
            "true",
            "12",
            "null",
            "-",
            "***",
            "a\nb\n## C",
            "- a\n- b",
            "a\\",
            "&amp;",
            "*",
            "_x_",
            "**b**",
            "---",
            "===",
        ),
        *(
            "a\n---",
            "| a |",
            "\ta",
            "note: x",
            "`x`",
            "http://x: y",
            "```a: b",
            "10:30",
            "1.",
            "NaN",
            "1.10",
            "-0",
            "1e5",
            "[1.10]",
            '{"a": 1, "a": 2}',
            "\x85",
            "\u2028",
        ),
    ]
)
data_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=10,
)


def same(one: object, other: object) -> bool:
    return json.dumps(one) == json.dumps(other)


@given(st.dictionaries(names, data_values, max_size=4))
def test_any_data_reads_back_and_renders_the_same(data: dict[str, structure.Value]) -> None:
    text = structure.render(data)
    intro = {key: data[key] for key in [structure.INTRO] if key in data}
    assert same(structure.parse(text), intro | data)
    assert structure.render(structure.parse(text)) == text


LINES = [
    *(
        "## A",
        "## B c",
        "- x",
        "- a: 1",
        "  - b",
        "  - c: d",
        "    - e",
        "text",
        "",
        "```",
        "- - q: 1",
        "  - r: 2",
    ),
    *("* z", "1. n", "> q", "- k:", "  para", "# T", "   - odd", '- "q": w', "-", "---"),
]


@given(st.lists(st.sampled_from(LINES), max_size=14))
def test_hand_written_text_reaches_a_fixed_point(lines: list[str]) -> None:
    data = structure.parse("\n".join(lines))
    text = structure.render(data)
    assert same(structure.parse(text), data)
    assert structure.render(structure.parse(text)) == text


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
    assert structure.parse(text) == {
        "": "Why it was done.",
        "intent": {"goal": "Fix JWT expiry", "constraints": ["Don't break sessions", "Be backwards compatible"]},
        "timeline": [{"t": "10:30", "event_kind": "user_input"}],
        "summary": "Two lines\nof text.",
        "outcome": {"success": True, "count": 3},
    }


@pytest.mark.parametrize("text", ["1.10", "007", "1e5", "-0", "1.0e3", "12345678901234567.5", '{"a": 1, "a": 2}'])
def test_what_would_be_written_differently_stays_text(text: str) -> None:
    data = structure.parse(f"## Version\n\n- number: {text}\n")
    assert data == {"version": {"number": text}}
    assert f"number: {text}\n" in structure.render(data) or json.dumps(text) in structure.render(data)


def test_numbers_as_they_are_written_are_numbers() -> None:
    data = structure.parse("- a: 0.30000000000000004\n- b: 12\n- c: -1.5\n- d: true\n- e: null\n")
    assert data == {"": {"a": 0.1 + 0.2, "b": 12, "c": -1.5, "d": True, "e": None}}


def test_the_text_above_the_first_section_is_written_first() -> None:
    assert structure.render({"goal": "x", structure.INTRO: "Why."}) == "Why.\n\n## Goal\n\nx\n"


def test_a_heading_used_twice_loses_nothing() -> None:
    assert structure.parse("## A\n\none\n\n## A\n\ntwo\n") == {"a": "one", "a_2": "two"}


def test_sections_in_code_are_text() -> None:
    assert structure.parse("## A\n\n```\n## B\n```\n") == {"a": "```\n## B\n```"}


SHARED = Path(os.environ.get("SHARED", Path(__file__).parents[3] / "shared"))
EXAMPLES = SHARED / "data" / "membrane_payload_examples.json"


# A record of each type with what is hard to render: lists of tables, empty values, texts that look like headings.
PAYLOADS = {
    "working": {
        "kind": "working",
        "state": "executing",
        "next_actions": ["run the tests", "# not a heading", "- not a list"],
        "open_questions": [],
        "active_constraints": [{"type": "budget", "value": {"tokens": 4000, "strict": True}}],
    },
    "episodic": {
        "kind": "episodic",
        "timeline": [{"t": "2026-02-10T08:15:00Z", "event_kind": "user_message", "ref": "turn-1", "summary": ""}],
        "tool_graph": [
            {"id": "n1", "tool": "grep", "args": {"pattern": "a: b", "flags": ["-r"]}, "depends_on": []}
        ],
        "outcome": "partial",
    },
    "semantic": {
        "kind": "semantic",
        "subject": "parser",
        "object": {"name": "CommonMark", "version": 0.31, "strict": False, "since": None},
        "evidence": [{"source_type": "event", "source_id": "e-1"}, {"source_type": "note", "source_id": "[[a]]"}],
    },
    "competence": {
        "kind": "competence",
        "triggers": [{"signal": "index.lock", "conditions": {"age_seconds": 600}}],
        "recipe": [{"step": "look who holds it\nthen wait", "tool": "ps", "args_schema": {"type": "object"}}],
        "performance": {"success_count": 3, "success_rate": 0.75, "avg_latency_ms": 12.5},
    },
    "plan_graph": {
        "kind": "plan_graph",
        "nodes": [
            {"id": "a", "op": "read", "params": {}},
            {"id": "b", "op": "write", "params": {"path": "x/y.md"}},
        ],
        "edges": [{"from": "a", "to": "b", "kind": "data"}],
        "constraints": {},
    },
}


@pytest.mark.parametrize("kind", PAYLOADS)
def test_a_payload_of_each_record_type_survives(kind: str) -> None:
    text = structure.render(PAYLOADS[kind])
    assert structure.parse(text) == PAYLOADS[kind]
    assert structure.render(structure.parse(text)) == text


@pytest.mark.skipif(not EXAMPLES.exists(), reason="the payload examples are not beside the project")
def test_complete_payloads_of_each_record_type_survive() -> None:
    for kind, payload in json.loads(EXAMPLES.read_text()).items():
        assert structure.parse(structure.render(payload)) == payload, kind


@pytest.mark.parametrize(
    ("key", "heading"), [("tool_graph", "Tool graph"), ("goal", "Goal"), ("Odd: Key", '"Odd: Key"')]
)
def test_keys_and_headings(key: str, heading: str) -> None:
    assert structure.heading_of(key) == heading
    assert structure.key_of(heading) == key

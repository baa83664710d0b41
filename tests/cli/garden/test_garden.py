"""`mdmem garden` prints the plan: for a person as text, for programs as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def planted(root: Path, write: Callable[..., Path]) -> Path:
    for name, day, text in (("user_lives_in_berlin", "01", "Berlin"), ("user_lives_in_munich", "02", "Munich")):
        head = (
            f"id: 00000000-0000-7000-8000-0000000000{day}\ntitle: User lives in {text}\ncategory: past\ntype: note"
        )
        body = f"User lives in {text}."
        head += '\ncontradicts: ["[[user_lives_in_berlin]]"]' if text == "Munich" else ""
        write(f"allmemories/{name}.md", f"---\n{head}\ncreated: 2026-01-{day}T00:00:00Z\n---\n\n{body}\n")
    return root


def test_the_plan_says_what_why_how_sure_and_what_is_lost(planted: Path, mdmem: Run) -> None:
    out = mdmem("garden").out
    assert "1 proposal: 1 by conflicts" in out
    assert (
        "certain  conflicts  trust user_lives_in_munich, which contradicts the older user_lives_in_berlin" in out
    )
    assert "why   allmemories/user_lives_in_munich.md:1  contradicts: [[user_lives_in_berlin]]" in out
    assert "lost  nothing" in out
    assert "+> [!warning] DEPRECATED" not in out
    assert "+> [!warning] DEPRECATED" in mdmem("garden", "--diff").out


def test_the_json_has_all_of_it_and_is_the_same_each_time(planted: Path, mdmem: Run) -> None:
    out = mdmem("garden", "--json").out
    assert out == mdmem("garden", "--json").out
    (one,) = json.loads(out)["proposals"]
    assert (one["gardener"], one["action"], one["lost"]) == ("conflicts", "deprecate", "")
    assert {found["path"] for found in one["files"]} == {
        "allmemories/user_lives_in_berlin.md",
        "allmemories/user_lives_in_munich.md",
    }
    assert "+Corrected 2026-01-02." in one["diff"]


def test_confidence_gardener_and_both_sides_can_be_chosen(planted: Path, mdmem: Run, ask: Run) -> None:
    assert "nothing to do" in mdmem("garden", "--min-confidence", "0.99").out
    assert "nothing to do" in mdmem("garden", "--only", "twins").out
    found = ask("garden", "--keep-both", "contest")
    assert found["proposals"][0]["diff"].count("+status: contested") == 2
    mdmem("garden", "--min-confidence", "2", code=2)

"""Pairs of notes too unlikely to be shown: a model is asked about them, and a person sees those it says yes to."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.garden import plan
from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.proposal import LIKELY, POSSIBLE, GardenSettings
from mdmem.garden.noteshelf import NoteShelf
from tests import garden_set
from tests.cli.garden.test_review import Terminal
from tests.models.test_wording import Server, server

__all__ = ["server"]
Run = Callable[..., Any]
SET, SUBJECTS = "judgement_wide", 4
ANSWER = '{"verdict": "%s", "why": "Read both."}'
PAIRS = ("--only", "twins", "--only", "conflicts")


@pytest.fixture
def planted(root: Path, server: Server, monkeypatch: pytest.MonkeyPatch, git: Callable[..., str]) -> Path:
    """The notes of a few labelled subjects."""
    notes = garden_set.notes(SET)
    subjects = sorted({one.subject for one in notes})[:SUBJECTS]
    for one in notes:
        if one.subject in subjects:
            place = root / one.path
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(one.data)
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    monkeypatch.setenv("MDMEM_LLM", "local")
    server.answer = ANSWER % "yes"
    return root


def listed(mdmem: Run, vault: Path, *options: str) -> list[dict[str, Any]]:
    return json.loads(mdmem("garden", *PAIRS, "--json", "--vault", vault, *options).out)["proposals"]


def by_model(mdmem: Run, vault: Path, *options: str) -> list[dict[str, Any]]:
    return listed(mdmem, vault, "--llm", "--yes", "--max-calls", "500", *options)


def unlikely(proposals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in proposals if one["confidence"] < LIKELY]


def test_a_possible_pair_is_shown_if_the_model_says_yes(
    planted: Path, server: Server, mdmem: Run, git: Run
) -> None:
    shown = unlikely(by_model(mdmem, planted))
    assert shown
    assert {one["model"]["verdict"] for one in shown} == {"yes"}
    assert min(one["confidence"] for one in shown) >= POSSIBLE
    assert unlikely(listed(mdmem, planted, "--min-confidence", "0.5")) == []
    assert git(planted, "status", "--short") == ""


@pytest.mark.parametrize("verdict", ["no", "unsure"])
def test_it_is_not_shown_if_the_model_does_not(planted: Path, server: Server, mdmem: Run, verdict: str) -> None:
    server.answer = ANSWER % verdict
    assert unlikely(by_model(mdmem, planted)) == []
    assert server.asked


def test_what_is_shown_anyway_is_asked_about_first_and_then_the_likeliest(
    planted: Path, server: Server, mdmem: Run
) -> None:
    without = [
        one["title"] for one in listed(mdmem, planted, "--min-confidence", "0.5") if one["confidence"] < 0.8
    ]
    shown = by_model(mdmem, planted)
    asked = [json.loads(body["messages"][-1]["content"])["proposal"] for body in server.asked]
    sure_of = {one["title"]: one["confidence"] for one in shown}
    assert set(asked[: len(without)]) == set(without)
    below = [sure_of[title] for title in asked[len(without) :] if title in sure_of]
    assert below == sorted(below, reverse=True)


def test_a_limit_of_the_persons_own_keeps_the_model_from_less_likely_pairs(
    planted: Path, server: Server, mdmem: Run
) -> None:
    assert unlikely(by_model(mdmem, planted, "--min-confidence", "0.5")) == []
    without = listed(mdmem, planted, "--min-confidence", "0.5")
    assert len(server.asked) == sum(one["confidence"] < 0.8 for one in without)


def test_a_person_can_list_possible_pairs_without_a_model(planted: Path, mdmem: Run) -> None:
    assert unlikely(listed(mdmem, planted, "--min-confidence", "0.05"))


def test_one_that_was_accepted_is_applied_without_the_model(planted: Path, mdmem: Run, git: Run) -> None:
    """Its notes would not be looked at for it otherwise: an accepted proposal must not be lost."""
    terminal = Terminal("garden", "review", *PAIRS, "--llm", "--yes", "--max-calls", "500", "--vault", planted)
    shown = terminal.answer(*["y"] * 100)
    assert "local says yes" in shown
    first = unlikely(listed(mdmem, planted))
    assert first  # accepted ones stay in the plan
    applied = mdmem("garden", "apply", "--accepted-only", "--yes", "--vault", planted).out
    assert all(one["title"] in applied for one in first)
    assert git(planted, "status", "--short") == ""


def test_one_can_be_applied_by_its_id(planted: Path, mdmem: Run) -> None:
    one = unlikely(by_model(mdmem, planted))[0]
    assert one["title"] in mdmem("garden", "apply", one["id"], "--vault", planted).out


@pytest.mark.parametrize("lower", [("--min-confidence", "0.05"), ("--llm", "--yes", "--max-calls", "500")])
def test_all_that_is_listed_can_be_applied_by_id(planted: Path, mdmem: Run, lower: tuple[str, ...]) -> None:
    """Unsure conflicts had another id in a list from a lower confidence on; what was accepted there was lost."""
    shown = listed(mdmem, planted, *lower)
    assert any(0.5 <= one["confidence"] < 0.8 and one["gardener"] == "conflicts" for one in shown)
    ids = [one["id"] for one in shown]
    done = mdmem("garden", "apply", "--dry-run", "--json", "--vault", planted, *ids)
    assert {one["id"] for one in json.loads(done.out)["proposals"]} == set(ids)


@pytest.mark.parametrize("of", ["judgement", SET])
def test_possible_pairs_change_nothing_about_the_others(of: str) -> None:
    shelf = NoteShelf()
    notes = [note.read(one.memory, one.data, storage=shelf) for one in garden_set.notes(of) if one.part == "dev"]
    wish = plan.Wish(only=("twins", "conflicts"))
    few, more = (
        plan.ask(notes, GardenSettings(least=least), garden_set.TODAY, wish).proposals
        for least in (LIKELY, POSSIBLE)
    )
    assert len(more) > len(few)
    assert [one for one in more if one.confidence >= LIKELY] == list(few)

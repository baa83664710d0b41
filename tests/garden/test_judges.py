"""A model reads what is not certain: ten a call, at a cost told before, and what it says is only shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.garden import judges
from mdmem.garden.gardeners.proposal import LIKELY, Proposal
from tests import garden_set
from tests.recall.models.test_wording import Server, server

__all__ = ["server"]
Run = Callable[..., Any]
SET, SUBJECTS = "judgement_wide", 4
PAIRS = ("--only", "twins", "--only", "conflicts")


def says(verdict: str, count: int = 10) -> str:
    return json.dumps([{"number": at + 1, "verdict": verdict, "why": "Read both."} for at in range(count)])


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
    server.answer = says("same")
    return root


def listed(mdmem: Run, vault: Path, *options: str) -> list[dict[str, Any]]:
    return json.loads(mdmem("garden", *PAIRS, "--json", "--vault", vault, *options).out)["proposals"]


def sent(server: Server) -> list[str]:
    return [body["messages"][-1]["content"] for body in server.asked]


def test_a_possible_pair_is_shown_if_the_model_says_so_and_nothing_is_changed(
    planted: Path, server: Server, mdmem: Run, git: Run
) -> None:
    before = {one["id"] for one in listed(mdmem, planted)}
    shown = listed(mdmem, planted, "--llm", "--yes", "--max-calls", "2")
    new = [one for one in shown if one["id"] not in before and one["judged"]]
    assert new
    assert {one["judged"] for one in new} == {"local: same (Read both.)"}
    assert not any(one["certain"] for one in new)
    assert len(server.asked) == 2
    lines = sent(server)[0].split("\n")
    assert sum(line.isdecimal() for line in lines) == judges.A_CALL
    notes = [line for line in lines if line.partition(" ")[2]]
    assert len(set(notes)) == len(notes)  # a note of two questions is told once
    assert git(planted, "status", "--short") == ""
    assert mdmem("garden", "apply", "--accepted-only", "--vault", planted).out == "nothing to do\n"


def test_what_it_denies_is_not_shown_and_asking_again_costs_nothing(
    planted: Path, server: Server, mdmem: Run
) -> None:
    server.answer = says("both hold")
    shown = listed(mdmem, planted, "--llm", "--yes", "--max-calls", "500")
    # what may hold a secret is not sent to a model, so nobody has denied it
    assert [
        one["title"] for one in shown if not one["certain"] and "TOTP secret" not in str(one["evidence"])
    ] == []
    asked = len(server.asked)
    again = mdmem("garden", *PAIRS, "--llm", "--max-calls", "500", "--vault", planted)  # nobody has to agree
    assert (len(server.asked), " call" in again.err) == (asked, False)


def test_the_cost_is_said_before_and_capped(planted: Path, server: Server, mdmem: Run) -> None:
    refused = mdmem("garden", *PAIRS, "--llm", "--max-calls", "1", "--vault", planted, code=2)
    assert "1 call to local on 10 proposals, about " in refused.err
    assert " tokens in all" in refused.err
    assert "left for another time: --max-calls" in refused.err
    assert "add --yes" in refused.err
    assert server.asked == []


def test_an_answer_out_of_form_is_told_of_and_asked_again(planted: Path, server: Server, mdmem: Run) -> None:
    server.answer = "I think yes."
    done = mdmem("garden", *PAIRS, "--llm", "--yes", "--max-calls", "1", "--vault", planted)
    assert "10 proposals without a usable answer" in done.err
    server.answer = says("same")
    mdmem("garden", *PAIRS, "--llm", "--yes", "--max-calls", "1", "--vault", planted)
    assert sent(server)[0] == sent(server)[1]


def test_an_endpoint_that_fails_is_told_of_and_stops_nothing(planted: Path, server: Server, mdmem: Run) -> None:
    server.status = 500
    done = mdmem("garden", *PAIRS, "--llm", "--yes", "--vault", planted)
    assert done.err.count("10 proposals not judged") == 2
    assert "local: " not in done.out


def test_what_is_sensitive_or_holds_a_secret_does_not_leave(planted: Path, server: Server, mdmem: Run) -> None:
    for place in (planted / "allmemories").iterdir():
        place.write_text(place.read_text().replace("---\n", "---\nsensitivity: hyper\n", 1))
    done = mdmem("garden", *PAIRS, "--llm", "--yes", "--vault", planted)
    assert "not shown to the model: too sensitive" in done.err
    assert server.asked == []


def test_without_a_model_it_says_how_to_name_one(
    planted: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MDMEM_LLM")
    assert "MDMEM_LLM" in mdmem("garden", "--llm", "--yes", "--vault", planted, code=2).err


def test_a_person_can_list_possible_pairs_without_a_model_and_apply_them_by_id(planted: Path, mdmem: Run) -> None:
    shown = [one for one in listed(mdmem, planted, "--min-confidence", "0.05") if one["confidence"] < LIKELY]
    assert shown
    ids = [one["id"] for one in shown]
    done = mdmem("garden", "apply", "--dry-run", "--json", "--vault", planted, *ids)
    assert {one["id"] for one in json.loads(done.out)["proposals"]} == set(ids)


def _asked(*gardeners: str) -> list[Proposal]:
    """Proposals about two notes each."""
    return [Proposal(f"p{at}", each, "", "", 0.5, (), (), about=("a", "b")) for at, each in enumerate(gardeners)]


def test_cases_that_share_a_note_stand_in_one_call_and_no_call_is_added_for_it() -> None:
    cases = [
        judges.JudgeCase(one._replace(id=f"{number}"), (f"{number % 4}", f"of {number}"))
        for number, one in enumerate(_asked(*["twins"] * 23))
    ]
    calls = judges._calls(cases)
    assert sorted(case.proposal.id for call in calls for case in call) == sorted(str(at) for at in range(23))
    assert [len(call) for call in calls if len(call) > judges.A_CALL] == []
    assert len(calls) == 3
    told = [note for call in calls for note in {note for case in call for note in case.notes}]
    assert len(told) <= 23 + 4 + 2  # each note once, and again what a call of ten does not hold


GOOD = {"number": 1, "verdict": "same", "why": "Both say it."}


@pytest.mark.parametrize(
    ("answer", "usable"),
    [
        (json.dumps([GOOD]), 1),
        (f"Here is what I think:\n```json\n{json.dumps([GOOD])}\n```\nHope it helps!", 1),
        (json.dumps({"verdicts": [GOOD]}), 1),
        (json.dumps(GOOD), 1),
        (json.dumps({"1": "same: both say it", "2": "both hold"}), 2),
        (json.dumps({"1": "second: moved", "2": "both"}), 2),
        (f"Here: {json.dumps({'1': 'Same', '2': 'maybe', '3': 'same', 'x': 'same'})}", 1),
        ("I think yes.", 0),
        ("", 0),
        ("[" * 99999, 0),
        (json.dumps([{**GOOD, "verdict": "merge"}, {**GOOD, "number": 2}]), 1),
        (json.dumps([{**GOOD, "number": 7}, {**GOOD, "number": "1"}, {**GOOD, "number": True}]), 0),
        (json.dumps([GOOD, {**GOOD, "verdict": "both hold"}]), 1),
        (json.dumps([{**GOOD, "verdict": "yes"}]), 0),
        (json.dumps([{**GOOD, "why": ["x"]}, {**GOOD, "number": 2, "verdict": "FIRST_REPLACES_SECOND"}]), 1),
    ],
)
def test_only_answers_in_form_count_and_a_bad_item_spoils_no_other(answer: str, usable: int) -> None:
    assert len(dict(judges.usable(answer, _asked("twins", "conflicts")))) == usable


def test_a_reason_is_one_plain_line_of_limited_length() -> None:
    told = json.dumps([{**GOOD, "why": "two\nlines \u001b[31mred " + "x " * 500}])
    ((_, why),) = dict(judges.usable(told, _asked("twins"))).values()
    assert "\n" not in why
    assert "\x1b" not in why
    assert len(why) <= 200

"""At the write: what a new note may repeat or change is asked once, on every surface, with what settles it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.checks import queue, taking
from mdmem.acts.checks.taking import judged_lines
from mdmem.acts.telling import encode
from mdmem.capture.inbox import filling
from mdmem.garden import asking
from mdmem.garden.gardeners import note
from mdmem.garden.judging import Said
from mdmem.garden.pairs import judge
from mdmem.note import memory
from mdmem.recall import meaning
from mdmem.recall.models.sentence import MINILM
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import remember
from mdmem.write.remember import Draft

Run = Callable[..., Any]
BERLIN, MUNICH = "User lives in Berlin.", "User moved to Munich last month."


@pytest.fixture
def here(root: Path, monkeypatch: pytest.MonkeyPatch, mdmem: Run) -> Path:
    monkeypatch.chdir(root)
    mdmem("remember", BERLIN, "--created", "2025-01-01")
    return root


def test_a_move_is_asked_about_and_one_call_settles_it(here: Path, mdmem: Run) -> None:
    told = mdmem("remember", MUNICH).err
    assert "may change user_lives_berlin (2025-01-01): User lives in Berlin." in told
    call = told.partition("mdmem update ")[2].partition(")")[0]
    mdmem("update", *call.split())
    assert "status: deprecated" in (here / "allmemories/user_lives_berlin.md").read_text()


def test_json_has_the_question_and_leaves_the_terminal_quiet(here: Path, mdmem: Run) -> None:
    done = mdmem("remember", MUNICH, "--json")
    (one,) = json.loads(done.out)["may_change"]
    assert one == {
        "name": "user_lives_berlin",
        "created": "2025-01-01T00:00:00Z",
        "title": "User lives in Berlin",
        "likely": "changed",
        "why": BERLIN,
    }
    assert done.err == ""


@pytest.mark.parametrize(
    "given",
    [
        ("The printer is on floor two.",),
        (MUNICH, "--supersedes", "user_lives_berlin"),
        (MUNICH, "--category", "future"),
        (MUNICH, "--project", "shop"),
        ("Kind of Blue is my favourite album.",),
        ("User lives in Munich.", "--type", "episodic"),
    ],
    ids=["of another thing", "settled already", "a plan", "of another project", "of a mere heading", "an episode"],
)
def test_nothing_is_asked_without_need(here: Path, mdmem: Run, given: tuple[str, ...]) -> None:
    (here / "allmemories/Kind of Blue.md").write_text("# Kind of Blue\n")
    assert json.loads(mdmem("remember", *given, "--json").out)["may_change"] == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The office moved to Berlin.", "The office moved to Munich."),
        ("CI runs on Jenkins.", "CI runs on GitHub Actions."),
        ("Retries stop after 3 tries.", "Retries stop after 5 tries."),
        ("The web team meets on Tuesday at ten.", "The web team meets on Thursday at ten."),
    ],
)
def test_a_sentence_of_another_value_is_asked_about_on_the_same_day_and_is_no_twin(
    root: Path, monkeypatch: pytest.MonkeyPatch, mdmem: Run, older: str, newer: str
) -> None:
    """It was taken for a twin ("96 % the same"), or, as nothing lay between, for nothing."""
    monkeypatch.chdir(root)
    mdmem("remember", older)
    told = mdmem("remember", newer, "--twins", "refuse").err
    assert "% the same" not in told
    assert f": {older} (if it replaces that: mdmem update " in told


def test_what_many_notes_say_of_many_values_is_a_list_and_nothing_is_asked(
    root: Path, monkeypatch: pytest.MonkeyPatch, mdmem: Run
) -> None:
    monkeypatch.chdir(root)
    for city in ("Rome", "Oslo", "Lima"):
        mdmem("remember", f"Ada visited {city}.", "--twins", "ignore")
    assert json.loads(mdmem("remember", "Ada visited Cairo.", "--json").out)["may_change"] == []


def test_the_end_of_a_session_asks_too(here: Path, mdmem: Run) -> None:
    told = json.loads(mdmem("session", "end", "--summary", f"- {MUNICH}", "--json").out)
    assert [one["name"] for one in told["proposals"][0]["may_change"]] == ["user_lives_berlin"]


def test_notes_of_one_write_and_those_told_already_are_not_asked_about(root: Path) -> None:
    dated = [Draft(BERLIN, {"created": "2025-01-01"}), Draft(MUNICH, {})]
    with Vault(str(root)) as vault:
        done = remember.remember_all(vault, dated, Caller(datetime(2026, 3, 1, tzinfo=UTC)))
        first, second = [one.path for one in done]
        assert asking.asked(vault, [first, second]) == []
        assert asking.asked(vault, [second], [first]) == []
        assert [one.name for one in asking.asked(vault, [second])] == ["user_lives_berlin"]


TEA, COFFEE = "User prefers tea to coffee.", "User prefers coffee to tea."


def test_a_comparison_turned_round_is_no_twin_at_the_write_but_a_question(here: Path, mdmem: Run) -> None:
    """All of its words are the older note's, which once made it "100 % the same"."""
    mdmem("remember", TEA, "--created", "2025-01-01")
    told = mdmem("remember", COFFEE, "--twins", "refuse").err
    assert "% the same" not in told
    assert "may change user_prefers_tea_coffee (2025-01-01)" in told


def test_the_garden_asks_about_a_comparison_turned_round_as_a_conflict(here: Path, mdmem: Run) -> None:
    mdmem("remember", TEA, "--created", "2025-01-01")
    mdmem("remember", COFFEE, "--created", "2025-03-01")
    plan = json.loads(mdmem("garden", "--min-confidence", "0", "--json").out)
    names = {"user_prefers_tea_coffee", "user_prefers_coffee_tea"}
    about = {one["gardener"] for one in plan["proposals"] if all(name in json.dumps(one) for name in names)}
    assert "conflicts" in about
    assert "twins" not in about


def test_a_captured_memory_that_is_kept_is_asked_about_too(here: Path, tmp_path: Path) -> None:
    """The act's result has the question, so that the page, the command and the tool can show it."""
    said = {"role": "user", "content": f"Remember that the {MUNICH[:1].lower()}{MUNICH[1:]}"}
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"type": "user", "sessionId": "s1", "uuid": "a", "message": said}) + "\n")
    who = Caller(datetime(2026, 3, 1, tzinfo=UTC))
    with Vault(str(here)) as vault:
        filling.fill(vault, str(log), who._replace(actor="claude-code"), 5)
        (waits,) = queue.waiting(vault, who).items
        (done,) = taking.judge(vault, [Said(waits.id, "keep")], who)
    assert [one.name for one in done.may_change] == ["user_lives_berlin"]
    assert "may change user_lives_berlin" in "".join(judged_lines([done]))
    assert encode(done)["may_change"][0]["name"] == "user_lives_berlin"


@pytest.mark.skipif(not MINILM.is_installed, reason=f"not installed: {MINILM.install}")
@pytest.mark.usefixtures("any_model")
def test_notes_near_in_meaning_take_part_and_damaged_vectors_cost_no_question(root: Path) -> None:
    who = Caller(datetime(2026, 3, 1, tzinfo=UTC))
    with Vault(str(root)) as vault:
        remember.remember_all(vault, [Draft(BERLIN, {"created": "2025-01-01"})], who)
        meaning.embed(vault)
        (new,) = remember.remember_all(vault, [Draft(MUNICH, {})], who)
        asked = [one.name for one in asking.asked(vault, [new.path], by_meaning=True)]
        (root / ".mdmem/vectors.sqlite").write_bytes(b"damaged")
        again = [one.name for one in asking.asked(vault, [new.path], by_meaning=True)]
    assert asked == again == ["user_lives_berlin"]


@pytest.mark.parametrize("name", ["aaa_is_before_it", "zzz_is_behind_it"])
def test_of_notes_of_one_second_the_new_one_is_the_newer(name: str) -> None:
    """Names in alphabetical order said which was older, so that it hung on the second whether one was asked."""
    data = b"---\ncreated: 2026-03-01T12:00:00Z\ntype: note\n---\n\nUser hates tables.\n"
    paths = [f"allmemories/{each}.md" for each in ("middle_of_them_all", name)]
    notes = [note.read(memory.parse(data, path), data) for path in paths]
    assert [one.path for one in judge.comparable(notes, of=paths[1])] == paths

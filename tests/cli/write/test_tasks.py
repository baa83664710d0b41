"""Tasks as a person and an agent meet them: written, told of as next, over when their day is, and done."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from mdmem.acts.serving import Client
from mdmem.capture.inbox import filling
from mdmem.mcp import toolbox
from mdmem.mcp.desk import Desk
from mdmem.store.operation import Caller
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Git, Run, Stdin


@pytest.fixture
def saved(save: Run) -> Run:
    """Remember a text; the name of its note. It is noon on Sunday, 1 March 2026."""
    return lambda text, *options: save(text, *options)["name"]


@pytest.fixture
def properties(ask: Run) -> Run:
    return lambda name: ask("show", name)["properties"]


@pytest.fixture
def pack(mdmem: Run) -> Run:
    """(name, heading) of the files that a new session starts with."""
    sessions = itertools.count()

    def run(*options: str) -> list[tuple[str, str]]:
        start = ("session", "start", "--names-only", "--actor", "bot", "--session", f"s{next(sessions)}")
        found, heading = [], ""
        for line in mdmem(*start, *options).out.splitlines():
            if line.endswith(":"):
                heading = line
            elif line.startswith("- allmemories/"):
                found.append((line.split("/")[1].split(".md")[0], heading))
        return found

    return run


@pytest.fixture
def next_tasks(pack: Run) -> Run:
    return lambda: [name for name, heading in pack() if heading == "Open tasks:"]


def test_a_task_whose_day_is_over_leaves_the_pack_and_waits_for_the_garden(
    mdmem: Run, monkeypatch: pytest.MonkeyPatch, saved: Run, properties: Run, pack: Run, next_tasks: Run
) -> None:
    dentist = saved("Dentist on 12 April at 9:30.")
    saved("The boat is green.")
    assert properties(dentist)["due"] == "2026-04-12"
    assert next_tasks() == [dentist]
    monkeypatch.setenv("MDMEM_NOW", "2026-04-12T23:00:00Z")
    assert next_tasks() == [dentist]
    monkeypatch.setenv("MDMEM_NOW", "2026-07-01T09:00:00Z")
    assert pack("--context", "dentist at 9:30") == []
    assert "Dentist" not in mdmem("session", "start", "--names-only").out
    assert dentist in mdmem("list", "--category", "future").out
    assert f"{dentist} is past: its day is over" in mdmem("garden").out
    mdmem("garden", "apply")
    assert properties(dentist)["category"] == "past"


def test_a_day_in_words_of_an_older_note_ends_as_well(
    here: Path, monkeypatch: pytest.MonkeyPatch, pack: Run, next_tasks: Run
) -> None:
    """Nobody wrote `due` into it; its text alone says when."""
    (here / "allmemories/the_dentist_of_kai.md").write_text(
        "---\ncreated: 2026-02-20T00:00:00Z\ncategory: future\n---\n\nDentist on 12 March\n"
    )
    assert next_tasks() == ["the_dentist_of_kai"]
    monkeypatch.setenv("MDMEM_NOW", "2026-03-13T09:00:00Z")
    assert pack() == []


def test_next_tasks_come_in_the_order_of_their_days(mdmem: Run, saved: Run, next_tasks: Run) -> None:
    undated, far, near = (
        saved(text)
        for text in ("Next: write the migration.", "The lease ends on 2026-12-31.", "Dentist tomorrow at 9.")
    )
    assert next_tasks() == [near, far, undated]
    assert "Future: Dentist tomorrow at 9" in mdmem("session", "start").out


def test_a_pinned_task_stays_in_the_pack_beyond_its_day(
    monkeypatch: pytest.MonkeyPatch, saved: Run, pack: Run
) -> None:
    name = saved("Dentist tomorrow at 9.", "--pinned")
    monkeypatch.setenv("MDMEM_NOW", "2026-07-01T09:00:00Z")
    assert pack() == [(name, "Keep in mind:")]


def test_every_way_in_knows_a_task(here: Path, mdmem: Run, ask: Run, stdin: Stdin, tmp_path: Path) -> None:
    stdin(
        "- Next: write the migration.\n- TODO: ask Ada B..\n- The dentist comes tomorrow.\n- The boat is green.\n"
    )
    mdmem("session", "end", "--summary", "-")
    keeper = VaultKeeper(str(here), patience=0)
    items = [{"text": "Next: order the paint."}, {"text": "The paint is blue."}]
    Desk(keeper, *toolbox.chosen()).call("remember", {"items": items}, Client("agent", "conv-1"))
    keeper.close()
    message = {"content": "Remember that the launch is on 2026-05-04."}
    (tmp_path / "log.jsonl").write_text(json.dumps({"type": "user", "sessionId": "s1", "message": message}))
    with Vault(str(here)) as vault:
        filling.fill(vault, str(tmp_path / "log.jsonl"), Caller(NOW, "claude-code"), 5)
    mdmem("judge", "--all", "keep", "--kind", "captured")
    found = {note["name"]: note["category"] for note in ask("list")}
    assert [name for name, category in sorted(found.items()) if category == "future"] == [
        "dentist_comes_tomorrow",
        "launch_2026_05_04",
        "next_order_paint",
        "next_write_migration",
        "todo_ask_ada_b",
    ]
    assert (found["the_boat_is_green"], found["the_paint_is_blue"]) == ("past", "past")


# -- done


def test_done_tasks_leave_the_session_in_one_commit_that_can_be_undone(
    here: Path, mdmem: Run, ask: Run, git: Git, saved: Run, properties: Run, pack: Run
) -> None:
    one, other, left = (saved(f"Next: {what}.") for what in ("write the migration", "ask Ada", "ask Bob"))
    before = {path.name: path.read_bytes() for path in (here / "allmemories").iterdir()}
    head = git(here, "rev-parse", "HEAD")
    would = mdmem("done", one, other, "--dry-run")
    assert would.out == f"would be done: allmemories/{one}.md, allmemories/{other}.md\n"
    assert ask("done", one, "--dry-run")["commit"] == ""
    assert git(here, "rev-parse", "HEAD") == head
    done = ask("done", one, other, one, "-m", "both this morning")
    assert done["paths"] == [f"allmemories/{one}.md", f"allmemories/{other}.md"]
    assert git(here, "rev-list", "--count", f"{head}..HEAD") == "1"
    assert "both this morning" in git(here, "log", "-1", "--format=%B")
    assert [name for name, _ in pack()] == [left]
    assert properties(one)["category"] == "past"
    changed = (here / f"allmemories/{one}.md").read_bytes()
    lines = changed.replace(b"category: past", b"category: future").split(b"\n")
    assert [line for line in lines if not line.startswith(b"valid_until")] == before[f"{one}.md"].split(b"\n")
    assert "no longer" not in mdmem("recall", "migration").err
    assert one in mdmem("recall", "migration").out
    mdmem("undo", "--last", "1")
    assert {path.name: path.read_bytes() for path in (here / "allmemories").iterdir()} == before


def test_what_is_no_task_cannot_be_done(mdmem: Run, saved: Run, properties: Run) -> None:
    task, fact = saved("Next: write the migration."), saved("The boat is green.")
    for options in ((), ("--dry-run",)):
        assert f"{fact} is not an open task" in mdmem("done", task, fact, *options, code=2).err
    mdmem("done", "no_such_note_here", code=3)
    assert properties(task)["category"] == "future"
    mdmem("done", task)
    assert "its category is past" in mdmem("done", task, code=2).err


def test_an_agent_says_that_a_task_is_done_as_it_revises(here: Path, saved: Run, pack: Run) -> None:
    task, fact = saved("Next: write the migration."), saved("The boat is green.")
    keeper = VaultKeeper(str(here), patience=0)
    desk, agent = Desk(keeper, *toolbox.chosen()), Client("agent", "conv-1")
    said = desk.call("revise", {"name": task, "done": True, "new": "It took an hour."}, agent).text
    assert "+category: past" in said
    assert "+It took an hour." in said
    with pytest.raises(Exception, match="is not an open task"):
        desk.call("revise", {"name": fact, "done": True}, agent)
    keeper.close()
    assert task not in [name for name, _ in pack()]


# -- days as they are given


def test_a_day_that_is_given_is_a_whole_day(mdmem: Run, saved: Run, properties: Run) -> None:
    name = saved("The sale is on.", "--valid-until", "2026-03-01")
    assert properties(name)["valid_until"] == "2026-03-01"
    assert "valid until" not in mdmem("recall", "sale").out
    task = saved("Sign the lease.", "--set", "due=2026-03-09")
    assert properties(task) | {"due": "2026-03-09", "category": "future"} == properties(task)
    assert "due 'soon' is not a date" in mdmem("update", task, "--set", "due=soon", code=2).err

"""Topics and facts on the command line: listed with their source, scored, made again, and told at the start."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from mdmem.__main__ import main
from mdmem.acts.githooks import staged_problems
from mdmem.note import tokens
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Run

CHAT = """\
User: I live in Lisbon. I am allergic to peanuts.
Assistant: Noted.
User: I love fado.
"""
LIVES, ALLERGIC = "ce3c7bbee4111b98", "9d9d1ac7dbc24291"


@pytest.fixture
def told(root: Path, mdmem: Run, tmp_path: Path) -> Path:
    """A vault with the facts of a dialog, and one of a note."""
    (tmp_path / "chat.txt").write_text(CHAT)
    mdmem("ingest", tmp_path / "chat.txt", "--topic", "life", "--time", "2026-02-08T14:05Z")
    head = "---\ntopic: team\ncreated: 2026-02-01T10:00:00Z\n---\n\n## Facts\n\n"
    (root / "allmemories/where_the_team_sits.md").write_text(f"{head}- Team · sits in · Porto (trait, 0.9)\n")
    return root


def test_bullets_that_are_no_facts_are_told_by_every_command_and_hook(
    told: Path, mdmem: Run, ask: Run, git: Git
) -> None:
    note = told / "allmemories/where_the_team_sits.md"
    wrong = (
        "- Boat · is painted · red (trait, someday_soon, 0.9)\n"
        "- Boat · is painted · blue (banana, current, 0.9)\n"
        "- Boat · weighs · much (trait, current, 2)\n"
        "- Boat · sinks (event)\n"
    )
    note.write_text(note.read_text() + wrong)
    git(told, "add", "allmemories")
    with Vault(str(told)) as vault:
        staged = [problem for problem in staged_problems(vault) if problem.code == "fact"]
    assert [(problem.line, problem.severity) for problem in staged] == [(line, "warning") for line in range(9, 13)]
    for command in ("facts", "facts", "doctor", "rebuild", "rebuild topics"):
        ran = mdmem(*command.split())
        for line in range(9, 13):
            assert f"allmemories/where_the_team_sits.md:{line}: " in ran.out + ran.err, command
    assert [problem["line"] for problem in ask("facts")["problems"]] == [9, 10, 11, 12]


def test_facts_are_listed_with_sentence_and_citation(told: Path, mdmem: Run, ask: Run, git: Git) -> None:
    commit = git(told, "log", "--format=%h", "--abbrev=8", "-1", "--", "topics").strip()
    document = ask("facts")
    assert [(one["topic"], one["id"], one["tier"]) for one in document["facts"]][:2] == [
        ("life", LIVES, "core"),
        ("life", ALLERGIC, "core"),
    ]
    assert document["facts"][0]["sentence"] == "I live in Lisbon."
    assert document["facts"][0]["citation"].endswith(f"/raw.md:1@{commit}")
    assert document["facts"][3]["citation"] == "allmemories/where_the_team_sits.md:8"  # not committed yet
    shown = mdmem("facts", "life", "--type", "preference").out
    assert "user loves fado" in shown
    assert LIVES not in shown
    assert "... and 2 more" in mdmem("facts", "Life", "--limit", "1").out
    assert "did you mean life?" in mdmem("facts", "lif", code=3).err


def test_a_score_is_a_line_more_and_holds_on_every_page(told: Path, mdmem: Run, ask: Run, git: Git) -> None:
    mdmem("judge", LIVES, "9")
    curation = told / "topics/life/curation.md"
    before = curation.read_bytes() + b"A remark by hand, without a line end"
    curation.write_bytes(before)
    (done,) = ask("judge", ALLERGIC[:6], 0, "-m", "a joke")
    assert (done["id"], done["verdict"], bool(done["commit"])) == (ALLERGIC[:6], "0", True)
    assert curation.read_bytes().startswith(before + b"\n- " + ALLERGIC.encode() + b": 0 (")
    assert git(told, "status", "--short", "topics") == ""
    facts = {fact["id"]: (fact["user_fact_score"], fact["tier"]) for fact in ask("facts", "life")["facts"]}
    assert facts[LIVES] == (9, "core")
    assert facts[ALLERGIC] == (0, "")
    assert {tier for id, (_, tier) in facts.items() if id not in (LIVES, ALLERGIC)} == {"secondary"}
    assert "peanuts" not in (told / "GLOBAL_MEMORY.md").read_text()


def test_a_score_by_hand_counts_and_a_wrong_line_is_named(told: Path, mdmem: Run) -> None:
    (told / "topics/life/curation.md").write_text(f"- {LIVES}: 3\n- {LIVES}: eleven\n")
    listed = mdmem("facts", "life", "--unscored", code=0)
    assert LIVES not in listed.out
    assert "topics/life/curation.md:2: is not the score of a fact; it changes nothing" in listed.err


def test_what_cannot_be_scored_is_refused(told: Path, mdmem: Run) -> None:
    assert "not from 0 to 10" in mdmem("judge", LIVES, "11", code=2).err
    assert "there is no fact abcd" in mdmem("judge", "abcd", "1", code=3).err
    assert "there is no fact c" in mdmem("judge", LIVES[0], "1", code=3).err
    assert not (told / "topics/life/curation.md").exists()


NOTE = """\
---
title: Where Ana lives
created: 2026-02-01T10:00:00Z
topic: Home
---

The flat in Lisbon.

## Facts

- Ana · lives in · Lisbon (identity, current, 0.95)
- Ana · must · give notice three months ahead (constraint, current, 0.9)
"""


@pytest.fixture
def home(root: Path, git: Git) -> Path:
    """A vault with one topic, of a note."""
    (root / "allmemories/where_ana_lives_now.md").write_text(NOTE)
    (root / "topics").mkdir()
    git(root, "add", ".")
    git(root, "commit", "-qm", "notes")
    return root


def test_topics_are_listed_and_shown(home: Path, mdmem: Run, ask: Run) -> None:
    assert mdmem("topics").out == "home  2026-02-01  0 dialogs, 2 facts\n"
    page = mdmem("topics", "Home").out
    assert page == (home / "topics/home/topic_memory.md").read_text()
    assert "- Ana lives in Lisbon. ([2026-02-01](../../allmemories/where_ana_lives_now.md))" in page
    found = [(group["tier"], group["type"]) for group in ask("topics", "--global")["do_not_forget"]]
    assert found == [("core", "identity"), ("core", "constraint")]
    assert "did you mean home?" in mdmem("topics", "hoem", code=3).err


def test_rebuild_makes_the_pages_that_it_is_told_to(home: Path, mdmem: Run, ask: Run) -> None:
    assert mdmem("rebuild").out == "indexed 1 memory\n"
    assert not (home / "GLOBAL_MEMORY.md").exists()
    assert mdmem("rebuild", "topics").out == "pages of 1 topic; 4 files written, 0 removed\n"
    (home / "GLOBAL_MEMORY.md").unlink()
    mdmem("rebuild", "global")
    assert "Ana lives in Lisbon" in (home / "GLOBAL_MEMORY.md").read_text()
    both = ask("rebuild", "all")
    assert (both["memories"], both["topics"], both["written"]) == (1, 1, 0)
    (home / "topics/home/topic_memory.json").unlink()
    doctor = mdmem("doctor").out
    assert "topics/home/topic_memory.json" in doctor
    assert "mdmem rebuild topics" in doctor


def test_a_session_starts_with_the_global_page(home: Path, mdmem: Run) -> None:
    text = mdmem("session", "start", "--budget", 800).out
    first, vault, session, *_ = text.split("\n")
    assert "Memory:" in first
    assert vault.startswith(f"Vault {home}")
    assert session.startswith("Session: ")
    brief = text.partition("> # Global memory")[2]
    assert "Ana must give notice" in brief
    assert tokens.estimate(text) <= 800


def test_topics_and_facts_are_shown_where_nothing_can_be_written(
    home: Path, tmp_path: Path, mdmem: Run, without_rights: Callable[[Callable[[], str]], str]
) -> None:
    (tmp_path / "chat.txt").write_text("User: I live in Lisbon.\n")
    mdmem("ingest", tmp_path / "chat.txt", "--topic", "flat", "--time", "2026-02-08T14:05Z")
    (home / "allmemories/where_ana_lives_now.md").unlink()

    def look() -> str:
        shown = (["topics"], ["topics", "flat"], ["topics", "--global", "--json"], ["facts", "flat"])
        out = io.StringIO()
        with redirect_stdout(out):
            codes = [main([*line, "--vault", str(home)]) for line in shown]
        told = re.sub(r',\n  "warnings": \[.*?\]', "", out.getvalue(), flags=re.S)  # that nothing can be written
        return f"{codes} {told}"

    before = look()
    assert "ives in Lisbon" in before
    for page in [*home.glob("topics/flat/topic_memory.*"), *home.glob("GLOBAL_MEMORY.*")]:
        page.unlink()
    folders = [home, *(path for path in home.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    (home / ".mdmem/pages.lock").chmod(0o444)
    shown = without_rights(look)
    for folder in folders:
        folder.chmod(0o755)
    assert shown == before
    assert not (home / "GLOBAL_MEMORY.md").exists()

"""Facts on the command line: listed with their source, and scored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.githooks import staged_problems
from mdmem.store.vault.vault import Vault

Run = Callable[..., Any]
CHAT = """\
User: I live in Lisbon. I am allergic to peanuts.
Assistant: Noted.
User: I love fado.
"""
LIVES, ALLERGIC = "ce3c7bbee4111b98", "9d9d1ac7dbc24291"


@pytest.fixture
def told(root: Path, mdmem: Run, tmp_path: Path) -> Path:
    """A vault with the facts of a dialog, and one of a note."""
    chat = tmp_path / "chat.txt"
    chat.write_text(CHAT)
    mdmem("ingest", chat, "--topic", "life", "--time", "2026-02-08T14:05Z")
    head = "---\ntopic: team\ncreated: 2026-02-01T10:00:00Z\n---\n\n## Facts\n\n"
    (root / "allmemories/where_the_team_sits.md").write_text(f"{head}- Team · sits in · Porto (trait, 0.9)\n")
    return root


def test_bullets_that_are_no_facts_are_told_by_every_command_and_hook(
    told: Path, mdmem: Run, ask: Run, git: Callable[..., str]
) -> None:
    note = told / "allmemories/where_the_team_sits.md"
    wrong = (
        "- Boat · is painted · red (trait, someday_soon, 0.9)",
        "- Boat · is painted · blue (banana, current, 0.9)",
        "- Boat · weighs · much (trait, current, 2)",
        "- Boat · sinks (event)",
    )
    note.write_text(note.read_text() + "".join(f"{line}\n" for line in wrong))
    lines = [f"allmemories/where_the_team_sits.md:{line}: " for line in range(9, 13)]
    git(told, "add", "allmemories")
    with Vault(str(told)) as vault:
        staged = [problem for problem in staged_problems(vault) if problem.code == "fact"]
    assert [(problem.line, problem.severity) for problem in staged] == [(line, "warning") for line in range(9, 13)]
    for command in (["facts"], ["facts"], ["doctor"], ["rebuild"], ["rebuild", "topics"]):
        ran = mdmem(*command)
        assert all(line in ran.out + ran.err for line in lines), command
    problems = ask("facts")["problems"]
    assert [problem["line"] for problem in problems] == [9, 10, 11, 12]


def test_facts_are_listed_with_sentence_and_citation(
    told: Path, mdmem: Run, ask: Run, git: Callable[..., str]
) -> None:
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


def test_a_score_is_a_line_more_and_holds_on_every_page(
    told: Path, mdmem: Run, ask: Run, git: Callable[..., str]
) -> None:
    mdmem("judge", LIVES, "9")
    curation = told / "topics/life/curation.md"
    before = curation.read_bytes() + b"A remark by hand, without a line end"
    curation.write_bytes(before)
    (done,) = ask("judge", ALLERGIC[:6], 0, "-m", "a joke")
    assert (done["id"], done["verdict"], bool(done["commit"])) == (ALLERGIC[:6], "0", True)
    assert curation.read_bytes().startswith(before + b"\n- " + ALLERGIC.encode() + b": 0 (")
    assert git(told, "status", "--short", "topics") == ""
    facts = ask("facts", "life")["facts"]
    assert {
        fact["id"]: (fact["user_fact_score"], fact["tier"]) for fact in facts if fact["tier"] != "secondary"
    } == {
        LIVES: (9, "core"),
        ALLERGIC: (0, ""),
    }
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

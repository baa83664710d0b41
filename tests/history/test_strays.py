"""Writes on a HEAD that is off its branch: said at once, found again when they were left behind."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from mdmem.acts.checks import doctor
from mdmem.acts.serving import Client
from mdmem.acts.setup import survey
from mdmem.history import strays
from mdmem.mcp import toolbox
from mdmem.mcp.desk import Desk
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Run

NOTE = "allmemories/note_in_conflict.md"
SAID = "said_meanwhile_in_meeting"


@pytest.fixture
def two_sides(root: Path, git: Git) -> Path:
    """A vault with two branches that changed one note in two ways; on main."""
    for branch, text in (("main", "base"), ("side", "side"), ("main", "main")):
        git(root, "switch", "-q", *(["-c"] if text == "side" else []), branch)
        (root / NOTE).write_text(f"{text}\n")
        git(root, "add", NOTE)
        git(root, "commit", "-qm", text)
    return root


def remember(mdmem: Run, root: Path) -> str:
    return str(mdmem("remember", "Said meanwhile in the meeting.", "--name", SAID, "--vault", root).err)


WAYS = {
    "a rebase has stopped": (("rebase", "side"), ("rebase", "--abort")),
    "a bisect is under way": (("bisect", "start", "HEAD", "HEAD~2"), ("bisect", "reset")),
    "HEAD is detached": (("switch", "-q", "--detach", "HEAD~1"), ("switch", "-q", "main")),
}


@pytest.mark.parametrize("reason", WAYS)
def test_a_write_off_the_branch_is_said_and_can_be_brought_back(
    two_sides: Path, git: Git, mdmem: Run, reason: str
) -> None:
    leave, back = WAYS[reason]
    git(two_sides, *leave, code=1 if leave[0] == "rebase" else 0)
    said = remember(mdmem, two_sides)
    assert f"{reason}: this is saved, but on no branch" in said
    git(two_sides, *back)
    assert not (two_sides / f"allmemories/{SAID}.md").exists()
    with Vault(str(two_sides)) as vault:
        (problem,) = [problem for problem in doctor.examine(vault) if problem.code == "commit-stray"]
        assert survey(vault).strays == 1
    assert problem.message.startswith("1 commit of mdmem that no branch holds: ")
    git(two_sides, *problem.fix.partition("git ")[2].split())
    assert (two_sides / f"allmemories/{SAID}.md").exists()
    with Vault(str(two_sides)) as vault:
        assert survey(vault).strays == 0


def test_a_program_that_reads_json_is_told_at_each_write(two_sides: Path, git: Git, mdmem: Run) -> None:
    said = "saved, but on no branch"
    git(two_sides, "switch", "-q", "--detach")
    for line in (("remember", "Said meanwhile in the meeting.", "--name", SAID), ("forget", SAID)):
        (warning,) = json.loads(mdmem(*line, "--json", "--vault", two_sides).out)["warnings"]
        assert said in warning
    with closing(VaultKeeper(str(two_sides))) as keeper:
        desk = Desk(keeper, *toolbox.chosen())
        for text in ("The harbour opens at six.", "Deploys are frozen in December."):
            assert said in desk.call("remember", {"items": [{"text": text}]}, Client("codex")).text
    git(two_sides, "switch", "-q", "main")
    assert "warnings" not in json.loads(mdmem("remember", "Tea is green.", "--json", "--vault", two_sides).out)


def test_writes_of_one_second_come_back_in_the_order_they_were_made(
    two_sides: Path, git: Git, mdmem: Run, vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Picked in another order the later ones, which change what the first made, cannot be applied."""
    monkeypatch.setenv("MDMEM_NOW", "2026-03-01T12:00:00Z")
    git(two_sides, "switch", "-q", "--detach")
    remember(mdmem, two_sides)
    for line in ("Second.", "Third."):
        mdmem("update", SAID, "--append", line, "--vault", two_sides)
    git(two_sides, "switch", "-q", "main")
    (problem,) = [problem for problem in doctor.examine(vault) if problem.code == "commit-stray"]
    git(two_sides, *problem.fix.partition("git ")[2].split())
    text = (two_sides / f"allmemories/{SAID}.md").read_text()
    assert text.index("meeting") < text.index("Second.") < text.index("Third.")


def test_a_write_on_a_branch_is_no_stray_after_rebase_amend_and_deletion_of_a_side_branch(
    two_sides: Path, git: Git, mdmem: Run, vault: Vault
) -> None:
    """Each of them leaves the old commit in the reflog; the write is on the branch all the same."""
    assert "on no branch" not in remember(mdmem, two_sides)
    git(two_sides, "rebase", "-q", "--force-rebase", "HEAD~2")
    message = git(two_sides, "log", "-1", "--format=%B").replace("create: ", "create (reviewed): ")
    git(two_sides, "commit", "-q", "--amend", "-m", message)
    git(two_sides, "branch", "-q", "-D", "side")
    assert strays.find(vault.repo) == ([], [])


def test_what_a_reset_threw_away_is_a_stray(two_sides: Path, git: Git, mdmem: Run, vault: Vault) -> None:
    remember(mdmem, two_sides)
    oid = git(two_sides, "rev-parse", "HEAD")
    git(two_sides, "reset", "-q", "--hard", "HEAD~1")
    assert [commit.oid for commit in strays.find(vault.repo).lost] == [oid]


def test_a_repository_without_commits_has_none(tmp_path: Path, git: Git) -> None:
    from mdmem.store.git.repo import Repo

    git(tmp_path, "init", "-q")
    assert strays.find(Repo(str(tmp_path), "")) == ([], [])


def test_a_write_whose_message_was_amended_away_is_named_and_comes_back(
    two_sides: Path, git: Git, mdmem: Run, vault: Vault
) -> None:
    """Someone who meant to amend their own commit amends that of an agent who wrote just before."""
    mdmem(
        "remember", "Said meanwhile in the meeting.", "--name", SAID, "--session", "conv-1", "--vault", two_sides
    )
    (two_sides / "own.txt").write_text("own\n")
    git(two_sides, "add", "own.txt")
    git(two_sides, "commit", "-q", "--amend", "-m", "my own work")
    mdmem("undo", "--session", "conv-1", "--dry-run", "--vault", two_sides, code=3)
    assert (strays.find(vault.repo).lost, survey(vault).strays) == ([], 0), "its file is there"
    (problem,) = [problem for problem in doctor.examine(vault) if problem.code == "commit-amended"]
    git(two_sides, *problem.fix.partition("git ")[2].split())
    assert git(two_sides, "show", "HEAD:own.txt") == "own"
    mdmem("undo", "--session", "conv-1", "--dry-run", "--vault", two_sides)
    assert strays.find(vault.repo) == ([], [])


def test_an_amended_commit_that_dropped_the_write_is_lost(
    two_sides: Path, git: Git, mdmem: Run, vault: Vault
) -> None:
    remember(mdmem, two_sides)
    oid = git(two_sides, "rev-parse", "HEAD")
    git(two_sides, "rm", "-q", "--cached", f"allmemories/{SAID}.md")
    git(two_sides, "commit", "-q", "--amend", "--allow-empty", "-m", "my own work")
    assert [commit.oid for commit in strays.find(vault.repo).lost] == [oid]
    assert f"git cherry-pick {oid[:10]}" in next(
        problem.fix for problem in doctor.examine(vault) if problem.code == "commit-stray"
    )

"""A dry run finds all that a purge would change, tells nothing of what is purged, and changes nothing."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Git, Run
from tests.history.purging.conftest import ILLNESS, ILLNESS_ID, SECRET


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Have a text come by standard input."""

    def give(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return give


@pytest.fixture
def surveyed(leaky: Path, mdmem: Run, typed: Callable[[str], None]) -> Callable[..., dict[str, Any]]:
    """The JSON of a dry run of the text, or of memories by name."""

    def ask(*names: str) -> dict[str, Any]:
        typed(SECRET + "\n")
        out = mdmem("purge", *(names or ["--text"]), "--vault", leaky, "--json", code=4).out
        assert SECRET not in out
        return dict(json.loads(out))

    return ask


def test_a_text_is_found_in_files_messages_names_and_transcripts(surveyed: Any, leaky: Path, git: Git) -> None:
    found = surveyed()
    subjects = [git(leaky, "log", "-1", "--format=%s", commit["commit"]) for commit in found["commits"]]
    assert subjects == [
        "create: escaped_forms",
        "create: deploy_key_sk_secret_4711",
        "revise: user_drinks_green_tea",
        "revise: user_drinks_green_tea",
    ]
    assert found["rewritten"] == 5
    assert found["files"] == ["allmemories/deploy_key_purged.md", "allmemories/escaped_forms.md"]
    assert found["past_files"] == ["allmemories/user_drinks_green_tea.md"]
    assert set(found["refs"]) == {
        *("refs/heads/main", "refs/heads/side", "refs/tags/old", "refs/mdmem/seen/claude"),
    }
    transcripts = [hit["path"] for hit in found["outside"] if hit["kind"] == "transcript"]
    assert transcripts == [os.path.join(os.environ["HOME"], ".claude/projects/shop/chat.jsonl")]
    assert found["obstacles"] == []


def test_a_memory_is_found_under_all_its_names_with_all_its_versions(
    surveyed: Any, leaky: Path, git: Git, mdmem: Run
) -> None:
    mdmem("rename", ILLNESS, "user_has_left_gout", "--vault", leaky)
    mdmem("forget", "user_has_left_gout", "--vault", leaky)
    found = surveyed("user_has_left_gout")
    assert found["ids"] == [ILLNESS_ID]
    assert found["files"] == ["allmemories/user_drinks_green_tea.md"]  # which links to it
    assert set(found["past_files"]) == {f"allmemories/{ILLNESS}.md", "allmemories/user_has_left_gout.md"}
    assert len(found["commits"]) == 5  # two versions, the link, the rename, the deletion
    assert any(hit["kind"] == "transcript" for hit in found["outside"])


def test_it_begins_with_rotating_ends_with_what_it_cannot_reach_and_changes_nothing(
    leaky: Path, mdmem: Run, git: Git, typed: Callable[[str], None]
) -> None:
    before = git(leaky, "for-each-ref"), git(leaky, "status", "--porcelain")
    git(leaky, "remote", "add", "origin", "https://git.example.org/v.git")
    typed(SECRET)
    ran = mdmem("purge", "--text", "--vault", leaky, code=4)
    lines = ran.out.splitlines()
    assert "change the secret where it is used" in lines[0]
    assert "Found in 4 commits. Commits that get another id: 5" in lines
    assert any("origin at https://git.example.org/v.git" in line for line in lines[-4:])
    assert "backups" in lines[-1]
    assert "--yes --commits 5" in ran.err
    assert (git(leaky, "for-each-ref"), git(leaky, "status", "--porcelain")) == before


def test_what_is_in_the_way_is_told_with_what_to_do(
    leaky: Path, mdmem: Run, git: Git, surveyed: Any, tmp_path: Path
) -> None:
    (leaky / "allmemories/user_drinks_green_tea.md").write_text("Edited.\n")
    git(leaky, "stash")
    (leaky / "allmemories/user_drinks_green_tea.md").write_text("Edited.\n")
    git(leaky, "worktree", "add", "-q", tmp_path / "linked", "side")
    (leaky / ".git/MERGE_HEAD").write_text(git(leaky, "rev-parse", "side") + "\n")
    (leaky / ".git/objects/info/alternates").write_text(str(leaky / ".git/objects") + "\n")
    git(leaky, "replace", "HEAD~1", "HEAD~2")
    (leaky / ".git/shallow").write_text(git(leaky, "rev-list", "--max-parents=0", "HEAD") + "\n")
    told = {obstacle["message"]: obstacle["fix"] for obstacle in surveyed()["obstacles"]}
    for message, fix in (
        ("1 edited file not committed: allmemories/user_drinks_green_tea.md", "git commit"),
        ("a merge is in progress", "--abort"),
        ("1 stash", "git stash pop"),
        (f"1 linked worktree: {tmp_path / 'linked'}", "git worktree remove"),
        ("git keeps objects of this clone in another repository", "git repack -a -d"),
        ("the repository has replacements or grafts of commits", "git replace -d"),
        ("this is a shallow clone", "git fetch --unshallow"),
    ):
        assert fix in told[message]


def test_a_remote_that_is_ahead_and_a_vault_in_a_folder_are_told(
    leaky: Path, git: Git, surveyed: Any, tmp_path: Path, mdmem: Run
) -> None:
    git(tmp_path, "clone", "-q", leaky, "other")
    git(tmp_path / "other", "commit", "-q", "--allow-empty", "-m", "theirs")
    git(leaky, "remote", "add", "origin", tmp_path / "other")
    assert [obstacle["fix"] for obstacle in surveyed()["obstacles"]] == ["git pull origin, then try again"]
    inner = leaky / "inner"
    (inner / "allmemories").mkdir(parents=True)
    (inner / "mdmem.toml").write_text('id = "inner"\n')
    git(leaky, "add", "inner")
    git(leaky, "commit", "-qm", "inner")
    ran = mdmem("purge", "escaped_forms", "--vault", inner, code=3)
    assert "escaped_forms" in ran.err
    (inner / "allmemories/some_plain_note.md").write_text("Text.\n")
    git(leaky, "add", "inner")
    git(leaky, "commit", "-qm", "a note")
    assert "--whole-repository" in mdmem("purge", "some_plain_note", "--vault", inner, code=4).out
    assert (
        "--whole-repository"
        not in mdmem("purge", "some_plain_note", "--whole-repository", "--vault", inner, code=4).out
    )


def test_a_text_that_is_nowhere_is_an_error(leaky: Path, mdmem: Run, typed: Callable[[str], None]) -> None:
    typed("nothing holds this")
    mdmem("purge", "--text", "--vault", leaky, code=3)
    mdmem("purge", "--vault", leaky, code=2)
    mdmem("purge", ILLNESS, "--text", "--vault", leaky, code=2)


def test_a_near_name_is_not_purged_but_suggested(leaky: Path, mdmem: Run) -> None:
    """What only reads takes a near name. A purge is for good."""
    near = ILLNESS.removeprefix("user_")
    assert "gout" in mdmem("show", near, "--vault", leaky).out
    refused = mdmem("purge", near, "--vault", leaky, code=3)
    assert (refused.out, f"nearest: {ILLNESS}" in refused.err) == ("", True)
    for exact in (ILLNESS, ILLNESS_ID, f"allmemories/{ILLNESS}.md"):
        assert "Commits that get another id: 6" in mdmem("purge", exact, "--vault", leaky, code=4).out

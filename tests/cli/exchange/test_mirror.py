"""`mdmem mirror`, and what keeps the mirror up to date by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Git, Run


@pytest.fixture
def folder(tmp_path: Path, mdmem: Run) -> Path:
    """A vault with hooks and one memory."""
    mdmem("init", tmp_path / "vault", "--no-examples", "--hooks")
    mdmem("remember", "Tea is green here.", "--vault", tmp_path / "vault")
    return tmp_path / "vault"


def contents(folder: Path) -> list[str]:
    return sorted(json.loads(place.read_text("utf-8"))["content"] for place in folder.glob("chunks/*/*.json"))


def enable(folder: Path) -> None:
    with (folder / "mdmem.toml").open("a") as file:
        file.write("\n[mirror]\nenabled = true\n")


def test_it_renders_and_says_what_it_did(folder: Path, mdmem: Run, ask: Run) -> None:
    assert mdmem("mirror", "--vault", folder).out == "1 chunk, 0 archived; 4 files written, 0 removed\n"
    assert contents(folder) == ["Tea is green here."]
    done = ask("mirror", "--vault", folder)
    assert done == {"chunks": 1, "archived": 0, "written": 0, "removed": 0}
    (folder / "index/tag_index.json").write_text("damaged")
    assert ask("mirror", "--vault", folder, "--rebuild")["written"] == 1


def test_check_exits_with_1_if_anything_is_stale(folder: Path, mdmem: Run, ask: Run) -> None:
    mdmem("mirror", "--vault", folder)
    assert mdmem("mirror", "--vault", folder, "--check").out == "up to date\n"
    (folder / "index/tag_index.json").unlink()
    assert (
        mdmem("mirror", "--vault", folder, "--check", code=1).out == "index/tag_index.json\n1 file out of date\n"
    )
    stale = ask("mirror", "--vault", folder, "--check", code=1)
    assert stale == {"stale": ["index/tag_index.json"]}
    assert not (folder / "index/tag_index.json").exists()


def test_files_in_the_way_are_a_conflict(folder: Path, mdmem: Run) -> None:
    (folder / "archive").mkdir()
    (folder / "archive/mine.md").write_text("mine")
    said = mdmem("mirror", "--vault", folder, code=5).err
    assert "archive/ is in use: archive/mine.md was not written by the mirror" in said
    assert "[mirror] folder" in said


def test_hooks_mirror_a_persons_commits_if_that_is_wanted(folder: Path, git: Git) -> None:
    def commit(text: str) -> None:
        (folder / "allmemories/by_hand_note.md").write_text(text)
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "by hand")

    commit("not yet")
    assert not (folder / "chunks").exists()
    enable(folder)
    commit("by hand")
    assert contents(folder) == ["Tea is green here.", "by hand"]
    git(folder, "checkout", "-q", "HEAD~1")
    assert contents(folder) == ["Tea is green here.", "by hand"]  # at that commit no mirror is wanted
    git(folder, "checkout", "-q", "main")
    git(folder, "rm", "-q", "allmemories/by_hand_note.md")
    git(folder, "commit", "-qm", "gone")
    assert contents(folder) == ["Tea is green here."]
    assert len(list(folder.glob("archive/*.json"))) == 1
    git(folder, "reset", "-q", "--hard", "HEAD~1")
    git(folder, "commit", "-q", "--amend", "-m", "again")
    assert contents(folder) == ["Tea is green here.", "by hand"]


def test_a_hook_that_cannot_mirror_says_so_and_loses_no_commit(folder: Path, git: Git) -> None:
    enable(folder)
    (folder / "chunks").write_text("mine")
    git(folder, "add", "mdmem.toml")
    git(folder, "commit", "-qm", "enabled")
    assert git(folder, "log", "-1", "--format=%s") == "enabled"
    assert (folder / "chunks").read_text() == "mine"


def test_writes_of_mdmem_are_mirrored_too(folder: Path, mdmem: Run) -> None:
    enable(folder)
    mdmem("remember", "Coffee is black.", "--vault", folder)
    assert contents(folder) == ["Coffee is black.", "Tea is green here."]
    (folder / "index/tag_index.json").unlink()
    (folder / "index/tag_index.json").mkdir()
    (folder / "index/tag_index.json/mine").write_text("mine")
    said = mdmem("remember", "Milk is white.", "--vault", folder)
    assert "the JSON mirror did not follow" in said.err
    assert "milk_is_white" in mdmem("list", "--vault", folder).out


def test_a_tokenizer_that_is_not_known_is_a_wrong_setting(folder: Path, mdmem: Run) -> None:
    with (folder / "mdmem.toml").open("a") as file:
        file.write('\n[mirror]\ntokenizer = "gpt2"\n')
    assert "mirror.tokenizer must be one of estimate, cl100k" in mdmem("mirror", "--vault", folder, code=2).err

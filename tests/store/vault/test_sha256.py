"""A repository whose ids are SHA-256 (`git init --object-format=sha256`) serves as one with SHA-1 does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mdmem.store.git.folder import ids_of
from mdmem.store.vault.vault import Vault
from mdmem.write.edit import version_of
from tests.conftest import Commit, Git, Run

NOTE = "allmemories/anna_prefers_green_tea.md"
MOVED = "allmemories/anna_drinks_green_tea.md"


@pytest.fixture
def vault_folder(tmp_path: Path, git: Git, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault with one memory, two versions of it, and a file beside it that somebody has staged."""
    folder = tmp_path / "vault"
    git(tmp_path, "init", "--quiet", "--object-format=sha256", "--initial-branch=main", str(folder))
    monkeypatch.chdir(folder)
    mdmem("init", "--no-examples")
    mdmem("remember", "Anna prefers green tea.", "--name", "anna_prefers_green_tea")
    mdmem("update", "anna_prefers_green_tea", "--append", "Never with sugar.")
    (folder / "other.txt").write_text("not a memory\n")
    git(folder, "add", "other.txt")
    return folder


def test_memories_are_written_found_deleted_and_taken_back(vault_folder: Path, git: Git, mdmem: Run) -> None:
    assert len(git(vault_folder, "rev-parse", "HEAD")) == 64
    assert NOTE in mdmem("recall", "sugar").out
    assert "sugar" not in mdmem("show", "anna_prefers_green_tea@HEAD~1").out
    mdmem("forget", "anna_prefers_green_tea")
    assert "SHA-256" in mdmem("purge", "anna_prefers_green_tea", code=4).out
    mdmem("undo", "--last", "1")
    assert "Never with sugar." in git(vault_folder, "show", f"HEAD:{NOTE}")
    assert git(vault_folder, "status", "--short") == "A  other.txt"


def test_verdicts_and_versions_name_notes_as_git_does(
    vault_folder: Path, git: Git, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their ids were SHA-1: what agents had committed seemed edited since, and their verdicts changed nothing."""
    monkeypatch.setenv("MDMEM_ACTOR", "codex")
    for name, words in (("rent_of_ida", "is paid to Ida in cash."), ("rent_in_cash", "is paid to Ida, in cash.")):
        mdmem("remember", f"The rent of 900 euros {words}", "--name", name, "--twins", "ignore")
    (one,) = json.loads(mdmem("waiting", "--min-confidence", "0", "--kind", "twins", "--json").out)
    mdmem("judge", one["id"], "both hold")
    (line,) = (vault_folder / "judgements.jsonl").read_text().splitlines()
    paths = [f"allmemories/{name}.md" for name in ("rent_of_ida", "rent_in_cash")]
    named = {each["path"]: each["blob"] for each in json.loads(line)["notes"]}
    assert named == {path: git(vault_folder, "hash-object", path) for path in paths}
    data = (vault_folder / NOTE).read_bytes()
    assert git(vault_folder, "hash-object", NOTE).startswith(version_of(Vault(vault_folder), data))
    mdmem("judge", one["id"], "again")
    assert mdmem("judge", one["id"], "same").out.startswith("done: merge")
    assert not all((vault_folder / path).exists() for path in paths)


def test_a_memory_moved_by_hand_reaches_another_clone(
    vault_folder: Path, tmp_path: Path, git: Git, mdmem: Run, commit: Commit
) -> None:
    (vault_folder / NOTE).rename(vault_folder / MOVED)
    assert MOVED in mdmem("recall", "sugar").out
    commit("moved", folder=vault_folder)
    assert len(mdmem("log", "anna_drinks_green_tea").out.splitlines()) >= 3
    git(tmp_path, "clone", "--quiet", "--bare", str(vault_folder), "shared.git")
    git(tmp_path, "clone", "--quiet", "shared.git", "clone")
    git(vault_folder, "remote", "add", "origin", str(tmp_path / "shared.git"))
    git(vault_folder, "push", "--quiet", "--set-upstream", "origin", "main")
    clone = tmp_path / "clone"
    mdmem("--vault", clone, "forget", "anna_drinks_green_tea")
    mdmem("--vault", clone, "sync")
    mdmem("remember", "Ben likes his coffee black.", "--name", "ben_likes_black_coffee")
    mdmem("sync")
    assert not (vault_folder / MOVED).exists()
    assert git(vault_folder, "rev-parse", "HEAD") == git(tmp_path / "shared.git", "rev-parse", "main")


def test_ids_of_blobs_are_those_of_git(tmp_path: Path, git: Git) -> None:
    text = tmp_path / "text"
    text.write_bytes(b"one\r\ntwo\n")
    for kind, length in (("sha1", 40), ("sha256", 64)):
        git(tmp_path, "init", "--quiet", f"--object-format={kind}", kind)
        as_it_is = git(tmp_path / kind, "hash-object", "--no-filters", str(text))
        with_line_ends = git(tmp_path / kind, "-c", "core.autocrlf=true", "hash-object", str(text))
        assert ids_of(text.read_bytes(), length) == [as_it_is, with_line_ends]

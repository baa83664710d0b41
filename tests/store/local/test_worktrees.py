"""All worktrees of a repository share the vault."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdmem.store.local import place
from tests.conftest import Git, Run


@pytest.fixture
def tree(tmp_path: Path, git: Git) -> Path:
    """A linked worktree of the repository `shop`, elsewhere."""
    (tmp_path / "shop").mkdir()
    git(tmp_path / "shop", "init", "--quiet")
    git(tmp_path / "shop", "commit", "--quiet", "--allow-empty", "-m", "x")
    git(tmp_path / "shop", "worktree", "add", "--quiet", "-b", "feature", str(tmp_path / "far/tree"))
    return tmp_path / "far/tree"


def test_a_vault_that_git_ignores_in_the_main_worktree(
    tree: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = root.rename(tmp_path / "shop/notes")  # a repository of its own within that of the code
    (tree / "notes").mkdir()
    monkeypatch.chdir(tree / "notes")
    assert place.locate() == str(home)
    (tree / "notes/mdmem.toml").write_text("")  # but one that is checked out here is meant first
    assert place.locate() == str(tree / "notes")


def test_the_vault_to_which_a_client_is_connected_in_a_project(
    tree: Path, root: Path, tmp_path: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path / "shop")
    mdmem("connect", "claude-code", "--project", "--vault", root)
    monkeypatch.setenv(place.CLIENT, "claude-code")
    for folder in (tmp_path / "shop", tree):
        assert place.locate(folder=str(folder)) == str(root)


def test_a_submodule_is_no_worktree(tmp_path: Path, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its `.git` is a file, too."""
    code = tmp_path / "code"
    git(tmp_path, "init", "--quiet", "code")
    git(code, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(root), "part")
    monkeypatch.chdir(code / "part")
    assert place.locate() == str(code / "part")

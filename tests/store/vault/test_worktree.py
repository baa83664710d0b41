"""A second working tree: work on a branch of its own, while the person's folder stays as it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mdmem.errors import ConflictError, UsageError
from mdmem.store.operation import Caller
from mdmem.store.vault import worktree
from mdmem.store.vault.vault import Vault
from tests.conftest import Commit, Git

WRITTEN = "allmemories/written_on_the_branch.md"


def write_on(there: Vault, caller: Caller) -> None:
    with there.change(caller.does("create")) as tx:
        tx.write(WRITTEN, b"text")


def test_what_is_written_there_is_on_the_branch_alone(vault: Vault, root: Path, caller: Caller, git: Git) -> None:
    head = git(root, "rev-parse", "HEAD")
    (root / "allmemories/by_hand_note.md").write_text("not committed")
    with worktree.on_branch(vault, "garden/spring") as there:
        assert not Path(there.root, "allmemories/by_hand_note.md").exists(), "it starts from HEAD"
        write_on(there, caller)
        folder = there.root
    assert git(root, "show", f"garden/spring:{WRITTEN}") == "text"
    assert git(root, "rev-parse", "HEAD", "garden/spring~1").splitlines() == [head, head]
    assert git(root, "status", "--porcelain", "-uall") == "?? allmemories/by_hand_note.md"
    assert not os.path.exists(folder)
    assert len(git(root, "worktree", "list").splitlines()) == 1


def test_a_branch_without_a_commit_is_gone(vault: Vault, root: Path, git: Git) -> None:
    with worktree.on_branch(vault, "garden/spring"):
        assert worktree.is_there(vault.repo, "garden/spring")
    assert git(root, "branch", "--list", "garden/*") == ""


def test_an_error_leaves_neither_branch_nor_folder(vault: Vault, root: Path, caller: Caller, git: Git) -> None:
    def fail() -> None:
        with worktree.on_branch(vault, "garden/spring") as there:
            write_on(there, caller)
            raise ConflictError("in the middle of it")

    with pytest.raises(ConflictError, match="in the middle"):
        fail()
    assert git(root, "branch", "--list", "garden/*") == ""
    assert len(git(root, "worktree", "list").splitlines()) == 1


def test_a_vault_in_a_subfolder_is_found_in_the_second_tree(
    tmp_path: Path, caller: Caller, git: Git, commit: Commit
) -> None:
    folder = tmp_path / "code/notes"
    (folder / "allmemories").mkdir(parents=True)
    (folder / "mdmem.toml").write_text('id = "test"\n')
    git(tmp_path / "code", "init", "-q")
    commit(folder=folder)
    with Vault(str(folder)) as vault, worktree.on_branch(vault, "side") as there:
        assert there.root.endswith("/notes")
        write_on(there, caller)
    assert git(folder, "ls-tree", "-r", "--name-only", "--full-tree", "side").splitlines() == [
        f"notes/{WRITTEN}",
        "notes/mdmem.toml",
    ]


def test_a_vault_without_a_commit_has_no_second_tree(tmp_path: Path, git: Git) -> None:
    (tmp_path / "mdmem.toml").write_text('id = "test"\n')
    git(tmp_path, "init", "-q")
    with (
        Vault(str(tmp_path)) as vault,
        pytest.raises(UsageError, match="nothing of this vault is committed"),
        worktree.on_branch(vault, "side"),
    ):
        pass


def test_a_branch_that_is_there_is_refused_and_stays(vault: Vault, root: Path, git: Git) -> None:
    git(root, "branch", "side")
    with pytest.raises(ConflictError, match="the branch side exists"), worktree.on_branch(vault, "side"):
        pass
    assert worktree.is_there(vault.repo, "side")


def test_a_free_name_gets_the_first_number_that_is_not_taken(vault: Vault, root: Path, git: Git) -> None:
    assert worktree.free_branch(vault.repo, "garden/day") == "garden/day"
    for taken in ("garden/day", "garden/day-2"):
        git(root, "branch", taken)
    assert worktree.free_branch(vault.repo, "garden/day") == "garden/day-3"


@pytest.mark.parametrize("name", ["-f", "a b", "a..b", "HEAD", "", "a.lock", "a~1", "/a"])
def test_what_git_takes_for_no_branch_name_is_refused(vault: Vault, name: str) -> None:
    for good in ("garden/spring", "grün", "a-b_c.d"):
        worktree.check_name(vault.repo, good)
    with pytest.raises(UsageError, match="cannot be the name of a branch"):
        worktree.check_name(vault.repo, name)

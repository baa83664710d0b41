"""What is read from git's index without git is what git says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdmem.store.git.indexfile import IndexFile, changes
from mdmem.store.git.repo import Repo, raw_changes
from tests.conftest import Commit, Git

NAMES = ["a.md", "x/a.md", "x/xa.md", "gone.md", "link.md", "run.md", f"{'long/' * 60}a.md", "ü.md"]


@pytest.fixture
def repo(tmp_path: Path, git: Git, commit: Commit) -> Repo:
    """A repository with some files, all committed."""
    git(tmp_path, "init", "-q")
    for name in NAMES:
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{name}\n")
    commit("x", folder=tmp_path)
    return Repo(str(tmp_path), "")


def index_of(repo: Repo) -> IndexFile:
    return IndexFile(repo.git_path("index"))


def test_what_differs_is_what_git_says(repo: Repo, git: Git) -> None:
    before = index_of(repo)
    top = Path(repo.top)
    (top / "x/a.md").write_text("other\n")
    (top / "gone.md").unlink()
    (top / "link.md").unlink()
    (top / "link.md").symlink_to("a.md")
    (top / "run.md").chmod(0o755)
    (top / "new.md").write_text("new\n")
    git(top, "add", "-A")
    git(top, "update-index", "--assume-unchanged", "x/a.md")
    told = repo.run("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "HEAD", "--")
    assert list(changes(repo, before, index_of(repo), [*NAMES, "new.md", "md", "long"])) == list(
        raw_changes(told.split(b"\0"))
    )


def test_only_an_index_that_stages_nothing_else_stages_the_tree(repo: Repo, git: Git) -> None:
    tree = repo.root_tree(repo.head_commit())
    assert tree == git(repo.top, "rev-parse", "HEAD^{tree}")
    assert index_of(repo).tree() == tree
    Path(repo.top, "a.md").write_text("staged\n")
    git(repo.top, "add", "a.md")
    assert index_of(repo).tree() == ""
    git(repo.top, "reset", "-q", "--hard")
    assert index_of(repo).tree() == tree
    Path(repo.top, "meant.md").write_text("meant\n")
    git(repo.top, "add", "--intent-to-add", "meant.md")
    assert index_of(repo).tree() == ""


@pytest.mark.parametrize("kind", [["--index-version", "4"], ["--split-index"]], ids=["version 4", "split"])
def test_an_index_of_another_kind_is_left_to_git(repo: Repo, git: Git, kind: list[str]) -> None:
    assert index_of(repo).is_plain(repo)
    git(repo.top, "update-index", *kind)
    assert not index_of(repo).is_plain(repo)


def test_the_tree_of_a_packed_commit_is_known(repo: Repo, git: Git) -> None:
    git(repo.top, "gc", "-q")
    assert repo.root_tree(git(repo.top, "rev-parse", "HEAD")) == git(repo.top, "rev-parse", "HEAD^{tree}")


@pytest.mark.parametrize("pack", [False, True])
def test_the_tree_of_a_replaced_commit_is_that_of_the_other_one(repo: Repo, git: Git, pack: bool) -> None:
    """git compares what is staged with it: what the two have otherwise is staged, and no part of a write."""
    head = git(repo.top, "rev-parse", "HEAD")
    git(repo.top, "replace", head, git(repo.top, "commit-tree", "-m", "other", repo.empty_tree))
    if pack:
        git(repo.top, "pack-refs", "--all")
    assert repo.root_tree(head) == repo.empty_tree

"""Where two lines of commits part is what git says, with and without merges."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from mdmem.store.git import trees
from mdmem.store.git.repo import Repo
from tests.conftest import Git


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Repo:
    git(tmp_path, "init", "--quiet")
    return Repo(str(tmp_path), "")


def made(repo: Repo, git: Git, text: str, *parents: str) -> str:
    """A commit without files."""
    flags = [part for parent in parents for part in ("-p", parent)]
    return git(repo.top, "commit-tree", "-m", text, *flags, repo.empty_tree)


@pytest.fixture
def empty(repo: Repo, git: Git) -> str:
    """The empty tree, written."""
    return git(repo.top, "write-tree")


def test_a_merge_may_be_where_they_part(repo: Repo, git: Git, empty: str) -> None:
    """After a sync that merged, each further one asked git three to five questions more."""
    assert empty == repo.empty_tree
    root = made(repo, git, "root")
    merge = made(repo, git, "merge", made(repo, git, "here", root), made(repo, git, "there", root))
    next_here, next_there = made(repo, git, "next here", merge), made(repo, git, "next there", merge)
    assert trees.fork(repo, merge, merge) == (merge, (), ())
    assert trees.fork(repo, next_here, merge) == (merge, (next_here,), ())
    assert trees.fork(repo, merge, next_there) == (merge, (), (next_there,))
    assert trees.fork(repo, next_here, next_there) == (merge, (next_here,), (next_there,))


@pytest.mark.parametrize("seed", range(3))
def test_forks_of_any_history_are_those_of_git(repo: Repo, git: Git, empty: str, seed: int) -> None:
    """A base is given only where git knows no other; both sides are all that the other has not."""
    del empty
    dice = random.Random(seed)
    commits = [made(repo, git, "root"), made(repo, git, "another root")]
    for number in range(12):
        parents = dice.sample(commits[-4:], dice.choice((1, 1, 1, 2)))
        commits.append(made(repo, git, str(number), *parents))
    for _ in range(25):
        ours, theirs = dice.choices(commits, k=2)
        found = trees.fork(repo, ours, theirs)
        assert set(found.ours) == repo.reached(ours, theirs)
        assert set(found.theirs) == repo.reached(theirs, ours)
        assert not found.base or trees.merge_bases(repo, ours, theirs) == [found.base]

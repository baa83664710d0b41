"""A commit holds the tree that `git add` and `git commit` make of the same files, in every kind of repository."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mdmem.store.git import commits
from mdmem.store.git.command import GitError
from mdmem.store.git.commits import CommitDraft
from mdmem.store.git.folder import Identity
from mdmem.store.git.log import Step
from mdmem.store.git.repo import Repo
from tests.conftest import Git

NAMES = [
    "a.md",
    "a/b.md",
    "a/c/d.md",
    "a-b.md",
    "a0.md",
    "ab/100644 x.md",
    "ab/x.md",
    "ü/ö.md",
    f"{'long/' * 60}z.md",
]
ADA = Identity("Ada", "ada@example.org")


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Repo:
    """A repository with some files whose names sort differently as files and as folders."""
    git(tmp_path, "init", "-q")
    save(tmp_path, {name: f"{name}\n".encode() for name in NAMES})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "x")
    git(tmp_path, "update-index", "--refresh")
    return Repo(str(tmp_path), "")


def save(top: Path, contents: Mapping[str, bytes | None]) -> None:
    for name, data in contents.items():
        place = top / name
        if data is None:
            place.unlink()
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)


def commit(repo: Repo, contents: Mapping[str, bytes | None]) -> Step:
    """Commit files that are saved."""
    draft = CommitDraft(contents, "ä\n\n\ntext", ADA, ADA, datetime.now(UTC))
    return commits.commit(repo, draft, repo.head()[0])


def assert_as_git_does_it(repo: Repo, git: Git, step: Step) -> None:
    """What was committed is whole, is what git makes of the files, and differs as was told."""
    git(repo.top, "fsck", "--strict")
    noted = git(repo.top, "ls-files", "--stage", "-z")
    git(repo.top, "add", "-A")
    assert git(repo.top, "ls-files", "--stage", "-z") == noted
    assert git(repo.top, "write-tree") == git(repo.top, "rev-parse", "HEAD^{tree}")
    told = repo.run(
        "diff-tree", "--name-status", "--no-renames", "-r", "-z", *step.commit.parents, step.commit.oid
    ).decode()
    assert [part for change in step.changed for part in (change.letter, change.path)] == told.split("\0")[:-1]


def test_commit_after_commit_is_what_git_makes_of_the_same_files(repo: Repo, git: Git) -> None:
    """New, changed and deleted files in random places; folders come and go."""
    draw = random.Random(3)
    is_there = dict.fromkeys(NAMES, True)
    for step in range(16):
        new = f"{draw.choice(['', 'a/', 'ab/', 'ü/'])}{draw.choice('ab~')}{draw.choice('/-0.')}{step}.md"
        some = draw.sample(sorted(is_there), 3)
        contents: dict[str, bytes | None] = {
            some[0]: b"%d\n" % step,
            some[1]: None,
            new: draw.randbytes(step).hex().encode(),
        }
        save(Path(repo.top), contents)
        assert_as_git_does_it(repo, git, commit(repo, contents))
        is_there[new] = True
        del is_there[some[1]]


@pytest.mark.parametrize("name", ["a.md", "ab/new.md", "new/b.md"])
@pytest.mark.parametrize(
    "arrange",
    [
        pytest.param(lambda git, top: git(top, "config", "core.sharedRepository", "group"), id="shared"),
        pytest.param(lambda git, top: git(top, "config", "core.fsync", "all"), id="fsync"),
        pytest.param(lambda git, top: git(top, "update-index", "--index-version", "4"), id="version 4"),
        pytest.param(lambda git, top: git(top, "update-index", "--split-index"), id="split"),
        pytest.param(lambda git, top: git(top, "update-index", "--force-untracked-cache"), id="untracked cache"),
        pytest.param(lambda git, top: git(top, "gc", "-q"), id="packed"),
        pytest.param(lambda git, top: git(top, "replace", "HEAD:a.md", "HEAD:a/b.md"), id="replaced"),
        pytest.param(
            lambda git, top: (top / ".git/info/attributes").write_text("*.md text=auto eol=crlf ident"), id="ident"
        ),
        pytest.param(lambda git, top: (top / ".git/index").unlink(), id="no index"),
    ],
)
def test_repositories_of_all_kinds(
    repo: Repo, git: Git, arrange: Callable[[Git, Path], object], name: str
) -> None:
    arrange(git, Path(repo.top))
    contents = {name: b"$Id: old $ new\r\n"}
    save(Path(repo.top), contents)
    assert_as_git_does_it(repo, git, commit(repo, contents))
    assert git(repo.top, "status", "--porcelain") == ""


def test_the_rights_of_a_program_stay(repo: Repo, git: Git) -> None:
    (Path(repo.top) / "ab/x.md").chmod(0o755)
    assert_as_git_does_it(repo, git, commit(repo, {"ab/x.md": b"ab/x.md\n"}))
    assert git(repo.top, "ls-tree", "HEAD", "ab/x.md").startswith("100755")


@pytest.mark.parametrize("name", ["ab/git~1", "ab/.Git"])
def test_another_spelling_of_gits_folder_is_refused(repo: Repo, git: Git, name: str) -> None:
    """`git fsck` calls a tree with one an error, and a checkout of it may be dangerous."""
    head = git(repo.top, "rev-parse", "HEAD")
    save(Path(repo.top), {name: b""})
    with pytest.raises(GitError, match=f"accepts no file named {name}"):
        commit(repo, {name: b""})
    assert git(repo.top, "rev-parse", "HEAD") == head


def test_what_is_behind_a_link_is_refused(repo: Repo, git: Git) -> None:
    """git tracks the link itself: a file behind it is not one of this repository."""
    top, head = Path(repo.top), git(repo.top, "rev-parse", "HEAD")
    save(top, {"ab/x.md": b"other"})
    (top / "ab").rename(top / "elsewhere")
    (top / "ab").symlink_to("elsewhere")
    with pytest.raises(GitError, match="beyond a symbolic link"):
        commit(repo, {"ab/x.md": b"other"})
    assert git(repo.top, "rev-parse", "HEAD") == head


def test_a_file_beside_an_empty_folder_in_git(repo: Repo, git: Git) -> None:
    """Nothing in the index tells where that folder stands in the tree, which has to be sorted."""
    top = Path(repo.top)
    repo.run("hash-object", "-w", "-t", "tree", "--stdin")
    records = repo.run("ls-tree", "HEAD:ab") + f"040000 tree {repo.empty_tree}\tm\n".encode()
    inner = repo.run("mktree", stdin=records).decode().strip()
    records = repo.run("ls-tree", "HEAD").replace(git(top, "rev-parse", "HEAD:ab").encode(), inner.encode())
    tree = repo.run("mktree", stdin=records).decode().strip()
    git(top, "update-ref", "HEAD", git(top, "commit-tree", tree, "-m", "x"))
    git(top, "read-tree", "HEAD")
    save(top, {"ab/k.md": b""})
    assert_as_git_does_it(repo, git, commit(repo, {"ab/k.md": b""}))


def test_a_file_saved_while_git_looked_at_it_is_still_seen_as_changed(repo: Repo, git: Git) -> None:
    """Its entry is as old as the index was; git must not believe it unchanged in the newer one."""
    top = Path(repo.top)
    index = top / ".git/index"
    seconds = int(index.stat().st_mtime)
    for name in ("a.md", "a0.md"):
        os.utime(top / name, (seconds, seconds))
    git(top, "update-index", "--refresh")
    os.utime(index, (seconds, seconds))
    (top / "a0.md").write_text("a1.md\n")  # of the same length, and of the same time
    os.utime(top / "a0.md", (seconds, seconds))
    save(top, {"ab/new.md": b"new"})
    commit(repo, {"ab/new.md": b"new"})
    assert git(top, "status", "--porcelain").strip() == "M a0.md"

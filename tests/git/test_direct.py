"""What a small commit adds is the same whether git writes it or it is written directly."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from mdmem.git import direct
from mdmem.git.direct import loose
from mdmem.git.folder import Identity
from mdmem.git.indexfile import clean_index
from mdmem.git.repo import Repo

Git = Callable[..., str]
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


def prepare(repo: Repo, contents: Mapping[str, bytes | None]) -> tuple[str, direct.Changes] | None:
    index = clean_index(repo, repo.head_commit())
    return direct.prepare(repo, index, contents) if index else None


def commit(repo: Repo, git: Git, contents: Mapping[str, bytes | None]) -> bool:
    """Commit files that are saved; whether it was done directly. What comes of it is then compared with git's."""
    save(Path(repo.top), contents)
    made = prepare(repo, contents)
    if made is None:
        git(repo.top, "add", "-A")
        git(repo.top, "commit", "-qm", "x")
        return False
    tree, changed = made
    os.replace(repo.next_index(), repo.git_path("index"))
    noted = git(repo.top, "ls-files", "--stage", "-z")
    git(repo.top, "fsck", "--strict")
    assert git(repo.top, "write-tree") == tree
    git(repo.top, "add", "-A")
    assert (git(repo.top, "ls-files", "--stage", "-z"), git(repo.top, "write-tree")) == (noted, tree)
    told = repo.run("diff-index", "--cached", "--name-status", "--no-renames", "-z", "HEAD", "--").decode()
    assert [part for letter, file in changed for part in (letter, file.path)] == told.split("\0")[:-1]
    oid = direct.keep_commit(repo, (tree, repo.head_commit()), (ADA, ADA), datetime.now(UTC), "ä\n\n\ntext")
    git(repo.top, "update-ref", "HEAD", oid)
    assert git(repo.top, "status", "--porcelain") == ""
    return True


def test_commit_after_commit_is_what_git_makes_of_the_same_files(repo: Repo, git: Git) -> None:
    """New, changed and deleted files in random places; a folder that comes or goes is left to git."""
    draw = random.Random(3)
    is_there = dict.fromkeys(NAMES, True)
    done_directly = 0
    for step in range(16):
        new = f"{draw.choice(['', 'a/', 'ab/', 'ü/'])}{draw.choice('ab~')}{draw.choice('/-0.')}{step}.md"
        some = draw.sample(sorted(is_there), 3)
        contents: dict[str, bytes | None] = {
            some[0]: b"%d\n" % step,
            some[1]: None,
            new: draw.randbytes(step).hex().encode(),
        }
        done_directly += commit(repo, git, contents)
        is_there[new] = True
        del is_there[some[1]]
    assert done_directly > 4


def test_a_large_tree_is_compressed_again_where_it_differs(repo: Repo, git: Git) -> None:
    """The pieces of the file before and behind that place are those of the file of the tree before."""
    many = {f"a/{number:04}_a_note_with_a_name_of_many_words_behind_its_number.md": b"" for number in range(1500)}
    save(Path(repo.top), many)
    for name in many:
        os.utime(Path(repo.top, name), (1, 1))  # long before the index, which need not doubt them
    git(repo.top, "add", "-A")
    git(repo.top, "commit", "-qm", "many")
    pieces = []
    for name in ("a/0900_.md", "a/0901_.md", "a/1499_z.md", "a/0000.md"):
        assert commit(repo, git, {name: name.encode()})
        tree = loose.read_tree(f"{repo.git_dir}/objects", git(repo.top, "rev-parse", "HEAD:a"))
        assert tree is not None
        pieces.append([piece.packed for piece in tree.pieces])
    assert [len(set(before) & set(after)) for before, after in pairwise(pieces)] == [2, 2, 2]


@pytest.mark.parametrize("name", ["a.md", "ab/new.md"])
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
        pytest.param(lambda git, top: [save(top, {"o": b""}), git(top, "add", "o")], id="staged"),
        pytest.param(lambda git, top: (top / ".git/index").unlink(), id="no index"),
    ],
)
def test_what_is_not_plain_is_left_to_git(
    repo: Repo, git: Git, arrange: Callable[[Git, Path], object], name: str
) -> None:
    before = {name: b"as before\n"}
    save(Path(repo.top), before)
    assert prepare(repo, before), "it is not for another reason"
    arrange(git, Path(repo.top))
    repo.reread()
    data = b"$Id: old $ new\n"
    save(Path(repo.top), {name: data})
    assert prepare(repo, {name: data}) is None


def test_files_that_are_not_what_is_to_be_committed_are_left_to_git(repo: Repo, git: Git) -> None:
    top = Path(repo.top)
    assert prepare(repo, {"a.md": b"not what the file holds"}) is None
    assert prepare(repo, {"a.md": None}) is None
    assert prepare(repo, {"a0.md": b"\r\n"}) is None
    (top / "ab/x.md").chmod(0o755)
    assert prepare(repo, {"ab/x.md": b"ab/x.md\n"}) is None
    git(top, "update-index", "--assume-unchanged", "a-b.md")
    assert prepare(repo, {"a-b.md": b"a-b.md\n"}) is None
    save(top, {"new/b.md": b"in a new folder"})
    assert prepare(repo, {"new/b.md": b"in a new folder"}) is None


def test_a_name_that_git_may_refuse_is_left_to_git(repo: Repo) -> None:
    """`git fsck` calls a tree with another spelling of .git an error, and git takes no such file."""
    for name in ("ab/git~1", "ab/.Git", "ab/.gitattributes"):
        save(Path(repo.top), {name: b""})
        assert prepare(repo, {name: b""}) is None


def test_what_is_behind_a_link_is_left_to_git_which_refuses_it(repo: Repo) -> None:
    top = Path(repo.top)
    save(top, {"ab/x.md": b"other"})
    assert prepare(repo, {"ab/x.md": b"other"}), "it is not for another reason"
    (top / "ab").rename(top / "elsewhere")
    (top / "ab").symlink_to("elsewhere")
    assert prepare(repo, {"ab/x.md": b"other"}) is None


def test_a_file_beside_an_empty_folder_in_git_is_left_to_git(repo: Repo, git: Git) -> None:
    """Nothing in the index tells where that folder stands in the tree, which has to be sorted."""
    top = Path(repo.top)
    records = repo.run("ls-tree", "HEAD:ab") + f"040000 tree {repo.empty_tree}\tm\n".encode()
    inner = repo.run("mktree", "--missing", stdin=records).decode().strip()
    records = repo.run("ls-tree", "HEAD").replace(git(top, "rev-parse", "HEAD:ab").encode(), inner.encode())
    tree = repo.run("mktree", stdin=records).decode().strip()
    git(top, "update-ref", "HEAD", git(top, "commit-tree", tree, "-m", "x"))
    git(top, "read-tree", "HEAD")
    save(top, {"ab/k.md": b""})
    assert clean_index(repo, repo.head_commit()), "it is not for another reason"
    assert prepare(repo, {"ab/k.md": b""}) is None


def test_a_file_saved_while_git_looked_at_it_is_left_to_git(repo: Repo, git: Git) -> None:
    """Its entry is as old as the index was; git would believe it unchanged in a newer one."""
    top = Path(repo.top)
    index = top / ".git/index"
    seconds = int(index.stat().st_mtime)
    for name in ("a.md", "a0.md"):
        os.utime(top / name, (seconds, seconds))
    git(top, "update-index", "--refresh")
    os.utime(index, (seconds, seconds))
    save(top, {"ab/new.md": b"new"})
    assert prepare(repo, {"ab/new.md": b"new"})
    (top / "a0.md").write_text("a1.md\n")  # of the same length, and of the same time
    os.utime(top / "a0.md", (seconds, seconds))
    assert prepare(repo, {"ab/new.md": b"new"}) is None


@pytest.mark.parametrize("name", ["", " Ada", "Ada.", "A<da", "A\nda"])
def test_a_commit_by_somebody_whose_name_git_changes_is_left_to_git(repo: Repo, name: str) -> None:
    trees = (repo.empty_tree, repo.head_commit())
    assert direct.keep_commit(repo, trees, (ADA, Identity(name, "a@b.example")), datetime.now(UTC), "x") == ""

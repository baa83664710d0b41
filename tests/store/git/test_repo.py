"""The door to git: what is broken is said, and never looks like something else."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from mdmem.errors import ConflictError, MdmemError
from mdmem.store.git import commits
from mdmem.store.git.repo import Repo
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault import starter
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Remember, Run


def put(vault: Vault, caller: Caller, path: str, data: bytes) -> None:
    with vault.change(caller.does("create")) as tx:
        tx.write(path, data)


@pytest.mark.parametrize("ref", ["", "garbage\n", "0" * 40 + "\n", "1" * 40 + "\n"])
def test_a_broken_branch_is_no_empty_history(vault: Vault, root: Path, git: Git, caller: Caller, ref: str) -> None:
    """A power cut left the branch file empty: nothing may be indexed or committed as if there was no history."""
    put(vault, caller, "allmemories/one_first_note.md", b"alpha")
    assert vault.index.count() == 1
    place = root / ".git" / "refs" / "heads" / "main"
    good = place.read_text()
    place.write_text(ref)
    with pytest.raises(MdmemError):
        vault.repo.head()
    with pytest.raises(MdmemError):
        vault.index.freshen()
    with pytest.raises(MdmemError):
        put(vault, caller, "allmemories/two_second_note.md", b"beta")
    assert place.read_text() == ref
    place.write_text(good)
    put(vault, caller, "allmemories/two_second_note.md", b"beta")
    assert git(root, "rev-list", "--count", "HEAD") == "3"


def test_a_branch_whose_commit_is_gone_is_broken(vault: Vault, root: Path, git: Git) -> None:
    """Also where git keeps its branches in one file."""
    git(root, "pack-refs", "--all")
    packed = root / ".git" / "packed-refs"
    packed.write_text(packed.read_text().replace(git(root, "rev-parse", "HEAD"), "1" * 40))
    with pytest.raises(MdmemError):
        vault.repo.head()


def test_the_commit_of_a_branch_is_read_from_its_file(root: Path, git: Git) -> None:
    repo = Repo(str(root), "")
    assert repo.branch_file() == git(root, "rev-parse", "HEAD")
    git(root, "worktree", "add", "--quiet", "-b", "side", str(root.parent / "linked"))
    git(root.parent / "linked", "commit", "--quiet", "--allow-empty", "-m", "side")
    assert Repo(str(root.parent / "linked"), "").branch_file() == git(root, "rev-parse", "side")
    git(root, "pack-refs", "--all")
    assert repo.branch_file() == ""
    git(root, "switch", "--quiet", "--detach")
    assert repo.branch_file() == ""


def test_a_branch_to_be_is_an_empty_history(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "--quiet")
    assert Repo(str(tmp_path), "").head() == ("", "")
    assert Repo(str(tmp_path), "").status().head == ""


def test_where_the_git_folder_is(root: Path, tmp_path: Path, git: Git) -> None:
    """As git itself says: in a plain repository, a linked worktree and a submodule."""
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "--quiet")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(root), "inner")
    git(root, "worktree", "add", "--quiet", "-b", "side", tmp_path / "side")
    for folder in (root, tmp_path / "side", outer / "inner"):
        found = Repo(str(folder), "")
        for ours, theirs in (
            (found.git_path("index"), git(folder, "rev-parse", "--git-path", "index")),
            (found.common_dir(), git(folder, "rev-parse", "--git-common-dir")),
        ):
            assert os.path.realpath(ours) == os.path.realpath(folder / theirs)


def test_threads_do_not_see_each_others_environment(
    vault: Vault, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GitPython reads the process's environment; a hook's GIT_DIR is hidden from it and there again after."""
    for name in ("GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, "/nowhere")
    head = vault.repo.head()[0]
    failures: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(30):
                with Vault(str(root)) as own:
                    assert own.repo.read(head, "mdmem.toml") == b'id = "test"\n'
        except BaseException as error:  # a thread's failure is to be seen
            failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert os.environ["GIT_DIR"] == "/nowhere"


# -- files that git is told not to look at


@pytest.fixture
def sparse(vault: Vault, root: Path, git: Git, caller: Caller) -> Path:
    """A vault of which only a part is checked out."""
    with vault.change(caller.does("import")) as tx:
        for number in range(30):
            tx.write(f"allmemories/away/note_number_{number}.md", b"alpha")
        tx.write("allmemories/here/note_seen_here.md", b"alpha")
    assert vault.index.count() == 31
    git(root, "sparse-checkout", "set", "--cone", "allmemories/here")
    assert not (root / "allmemories" / "away").exists()
    return root


def test_a_sparse_checkout_is_no_deletion(sparse: Path, vault: Vault, git: Git, caller: Caller) -> None:
    """What is not checked out is not found, is not taken for lost, stays in git, and comes back."""
    vault.index.freshen()
    assert vault.index.names() == ["note_seen_here"]
    with vault.change(caller.does("create")) as tx:
        tx.write("allmemories/here/another_new_note.md", b"beta")
    assert len(git(sparse, "ls-tree", "-r", "--name-only", "HEAD", "allmemories").split()) == 32
    vault.rebuild(silent)
    assert vault.index.count() == 2
    git(sparse, "sparse-checkout", "disable")
    vault.index.freshen()
    assert vault.index.count() == 32


def test_a_memory_nobody_sees_is_not_overwritten(sparse: Path, vault: Vault, git: Git, caller: Caller) -> None:
    with pytest.raises(ConflictError, match="told to skip"):
        put(vault, caller, "allmemories/away/note_number_3.md", b"new")
    assert not (sparse / "allmemories" / "away").exists()
    assert git(sparse, "show", "HEAD:allmemories/away/note_number_3.md") == "alpha"
    assert git(sparse, "status", "--porcelain") == ""


@pytest.mark.parametrize("split", [True, False], ids=["split index", "one index"])
def test_an_edit_that_git_is_to_keep_quiet_about_is_not_committed(
    vault: Vault, root: Path, git: Git, caller: Caller, split: bool
) -> None:
    path = "allmemories/one_first_note.md"
    put(vault, caller, path, b"alpha")
    git(root, "update-index", "--skip-worktree", path)
    if split:  # the mark then is in the file that is shared
        git(root, "update-index", "--split-index")
    (root / path).write_text("mine alone")
    with pytest.raises(ConflictError, match="told to skip"):
        put(vault, caller, path, b"new")
    assert (root / path).read_text() == "mine alone"
    assert git(root, "show", f"HEAD:{path}") == "alpha"


# -- making a repository


@pytest.mark.parametrize("was_there", [False, True])
def test_an_init_that_fails_leaves_no_repository_but_one_that_was_there(
    tmp_path: Path, git: Git, caller: Caller, monkeypatch: pytest.MonkeyPatch, was_there: bool
) -> None:
    def fail(*args: object) -> None:
        raise OSError(28, "No space left on device")

    if was_there:
        git(tmp_path, "init", "--quiet")
    (tmp_path / "a_note.md").write_text("x")
    monkeypatch.setattr(commits, "commit", fail)
    with pytest.raises(OSError, match="No space left"):
        starter.make(str(tmp_path), caller)
    monkeypatch.undo()
    assert (tmp_path / ".git/HEAD").exists() is was_there
    assert (tmp_path / "a_note.md").read_text() == "x"
    assert starter.make(str(tmp_path), caller).commit


def test_a_name_without_letters_is_said_in_a_sentence(vault: Vault, root: Path, git: Git, caller: Caller) -> None:
    git(root, "config", "user.name", "<>")
    with pytest.raises(MdmemError, match=r"user\.name has no character") as stop:
        put(vault, caller, "allmemories/one_first_note.md", b"alpha")
    assert stop.value.hint == "git config --global user.name 'Your Name'"
    assert not (root / "allmemories/one_first_note.md").exists()


def test_a_list_of_commits_for_blame_that_is_missing_is_said_in_a_sentence(
    root: Path, git: Git, remember: Remember, mdmem: Run
) -> None:
    remember("The first text.", "one_first_note")
    git(root, "config", "blame.ignoreRevsFile", "nowhere.txt")
    said = mdmem("blame", "one_first_note", "--vault", root, code=1).err
    assert "blame.ignoreRevsFile names a file that does not exist: nowhere.txt" in said


def test_the_line_of_commits_since_one(root: Path, git: Git) -> None:
    """Only history that went on from a commit is known by what came after it."""
    repo = Repo(str(root), "")
    commit = ("commit", "--quiet", "--allow-empty", "-m")
    first = git(root, "rev-parse", "HEAD")
    git(root, *commit, "second")
    git(root, *commit, "third")
    third = git(root, "rev-parse", "HEAD")
    assert repo.continues(first, third)
    assert not repo.continues(third, first)  # HEAD was set back
    assert not repo.continues("1" * 40, third)
    git(root, "checkout", "--quiet", "-b", "side", first)
    git(root, *commit, "beside")
    assert not repo.continues(third, git(root, "rev-parse", "HEAD"))  # another history
    git(root, "merge", "--quiet", "--no-ff", "-m", "both", third)
    assert not repo.continues(first, git(root, "rev-parse", "HEAD"))  # two lines

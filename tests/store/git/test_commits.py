"""A commit holds what the change holds, and stays: whatever a person does in plain git at the same time."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from threading import Timer

import pytest

from mdmem.errors import ConflictError, StoppedError
from mdmem.store.git import commits
from mdmem.store.git.command import GitError
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import Git

KEPT, GONE, NEW = (f"allmemories/{name}.md" for name in ("note_that_is_kept", "note_that_goes", "note_that_comes"))
OLD, REVISED = b"old text\n", b"revised text\n"
STEPS = ["copy_index", "_update", "_staged_changes", "_write_tree", "_commit_object", "_claim"]


@pytest.fixture
def filled(vault: Vault, caller: Caller) -> Vault:
    """A vault with two notes."""
    with vault.change(caller.does("import")) as tx:
        tx.write(KEPT, OLD)
        tx.write(GONE, OLD)
    return vault


def test_a_commit_waits_for_another_that_has_the_lock_on_head(
    filled: Vault, caller: Caller, intrude: Callable[..., None], root: Path, git: Git
) -> None:
    """Git itself gives up after a tenth of a second, which a busy machine takes for less."""
    lock = root / ".git" / "HEAD.lock"

    def hold() -> None:
        lock.touch()
        Timer(0.3, lock.unlink).start()

    intrude("_move_head", hold)
    change(filled, caller)
    assert_saved(root, git)


def change(vault: Vault, caller: Caller) -> str:
    with vault.change(caller.does("revise")) as tx:
        tx.write(KEPT, REVISED)
        tx.write(NEW, REVISED)
        tx.delete(GONE)
    return tx.commit


def assert_saved(root: Path, git: Git) -> None:
    """The change is in HEAD, in the folder and in git's index."""
    assert git(root, "show", f"HEAD:{KEPT}") == git(root, "show", f"HEAD:{NEW}") == REVISED.decode().strip()
    assert git(root, "ls-tree", "--name-only", "HEAD", "allmemories/").splitlines() == [NEW, KEPT]
    assert (root / KEPT).read_bytes() == (root / NEW).read_bytes() == REVISED
    assert not (root / GONE).exists()
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    "intruder",
    [("stash",), ("stash", "-u"), ("reset", "--hard"), ("checkout", "--", KEPT), ("clean", "-fdq")],
    ids=" ".join,
)
def test_what_a_person_reverts_during_a_write_is_written_all_the_same(
    filled: Vault,
    root: Path,
    caller: Caller,
    git: Git,
    intrude: Callable[..., None],
    intruder: tuple[str, ...],
    step: str,
) -> None:
    """The files are replaced by then; git is to commit the bytes of the change, not what it finds."""
    intrude(step, lambda: git(root, *intruder))
    assert change(filled, caller)
    assert_saved(root, git)


@pytest.mark.parametrize("step", ["_update", "_commit_object"])
def test_a_stash_popped_after_the_write_finds_nothing_to_merge(
    filled: Vault, root: Path, caller: Caller, git: Git, intrude: Callable[..., None], step: str
) -> None:
    intrude(step, lambda: git(root, "stash"))
    change(filled, caller)
    git(root, "stash", "pop")
    assert_saved(root, git)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(("is_committed", "left"), [(True, ""), (False, "A  own.txt")])
def test_what_others_stage_or_commit_during_a_write_stays_theirs(
    filled: Vault,
    root: Path,
    caller: Caller,
    git: Git,
    intrude: Callable[..., None],
    step: str,
    is_committed: bool,
    left: str,
) -> None:
    def work() -> None:
        (root / "own.txt").write_text("own")
        git(root, "add", "own.txt")
        if is_committed:
            git(root, "commit", "-qm", "own")

    intrude(step, work)
    oid = change(filled, caller)
    assert git(root, "show", "--name-only", "--format=", "--no-renames", oid).splitlines() == [NEW, GONE, KEPT]
    assert git(root, "status", "--porcelain") == left
    assert git(root, "log", "--format=%s", "--", "own.txt") == ("own" if is_committed else "")


def test_other_staged_files_do_not_make_git_read_the_notes_again(
    filled: Vault, root: Path, caller: Caller, git: Git, intrude: Callable[..., None]
) -> None:
    """Their tree is made in a second index, from what the first one holds."""
    (root / "own.txt").write_text("staged")
    git(root, "add", "own.txt")
    intrude("_tree", lambda: git(root, "checkout", "--", KEPT))
    change(filled, caller)
    assert git(root, "show", f"HEAD:{KEPT}") == REVISED.decode().strip()
    assert git(root, "status", "--porcelain") == "A  own.txt"


def test_a_persons_edit_that_was_stashed_meanwhile_is_not_committed(
    filled: Vault, root: Path, caller: Caller, git: Git, intrude: Callable[..., None]
) -> None:
    """It is not there to be built upon; the change is refused, and the stash has the edit."""
    before = git(root, "rev-parse", "HEAD")
    (root / KEPT).write_text("by hand\n")
    intrude("_update", lambda: git(root, "stash"))
    with pytest.raises(ConflictError), filled.change(caller.does("revise")) as tx:
        tx.write(KEPT, tx.require(KEPT) + REVISED)
    assert (git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")) == (before, "")
    git(root, "stash", "pop")
    assert (root / KEPT).read_text() == "by hand\n"


def test_a_filter_of_the_path_is_applied_to_what_is_written_again(
    filled: Vault, root: Path, caller: Caller, git: Git, intrude: Callable[..., None]
) -> None:
    git(root, "config", "filter.shout.clean", "tr a-z A-Z")
    (root / ".gitattributes").write_text("*.md filter=shout\n")
    git(root, "add", ".gitattributes")
    git(root, "commit", "--quiet", "-m", "a filter")
    intrude("_update", lambda: git(root, "checkout", "--", KEPT))
    change(filled, caller)
    assert git(root, "show", f"HEAD:{KEPT}") == "REVISED TEXT"


def encrypt(root: Path, git: Git, attributes: str) -> None:
    """Have git encrypt notes, by that file of attributes."""
    git(root, "config", "filter.rot.clean", "tr a-z b-za")
    git(root, "config", "filter.rot.smudge", "tr b-za a-z")
    (root / attributes).write_text("*.md filter=rot\n")


def assert_encrypted(root: Path, git: Git) -> None:
    """The change is in HEAD, and nowhere in git in plain."""
    assert git(root, "cat-file", "blob", f"HEAD:{NEW}") == "sfwjtfe ufyu"
    plain = git(root, "hash-object", "--no-filters", NEW)
    assert plain not in git(root, "cat-file", "--batch-all-objects", "--batch-check")


ATTRIBUTES = [".gitattributes", "allmemories/.gitattributes"]


@pytest.mark.parametrize("attributes", [*ATTRIBUTES, ".git/info/attributes"])
@pytest.mark.parametrize("many", [2, 200])
def test_what_a_filter_encrypts_is_kept_nowhere_in_plain(
    filled: Vault,
    root: Path,
    caller: Caller,
    git: Git,
    monkeypatch: pytest.MonkeyPatch,
    attributes: str,
    many: int,
) -> None:
    monkeypatch.setattr(commits, "MANY", many)
    encrypt(root, git, attributes)
    change(filled, caller)
    assert_encrypted(root, git)


@pytest.mark.parametrize("attributes", ATTRIBUTES)
@pytest.mark.parametrize("many", [2, 200])
@pytest.mark.parametrize("is_committed", [True, False])
def test_what_a_filter_encrypts_is_not_written_where_its_attributes_are_missing(
    filled: Vault,
    root: Path,
    caller: Caller,
    git: Git,
    monkeypatch: pytest.MonkeyPatch,
    attributes: str,
    many: int,
    is_committed: bool,
) -> None:
    """`git add` reads them from the index; bytes that git is given, it would keep in plain."""
    monkeypatch.setattr(commits, "MANY", many)
    encrypt(root, git, attributes)
    git(root, "add", attributes)
    if is_committed:
        git(root, "commit", "--quiet", "-m", "a filter")
    (root / attributes).unlink()
    before = git(root, "rev-parse", "HEAD"), git(root, "ls-files", "--stage")
    with pytest.raises(StoppedError, match=f"^{attributes} is in git") as stopped:
        change(filled, caller)
    restoring, _, _ = stopped.value.hint.partition(";")
    assert (git(root, "rev-parse", "HEAD"), git(root, "ls-files", "--stage")) == before
    assert (root / KEPT).read_bytes() == (root / GONE).read_bytes() == OLD
    assert not (root / NEW).exists()
    git(root / "allmemories", *shlex.split(restoring)[1:])  # as it is told, in any folder
    change(filled, caller)
    assert_encrypted(root, git)


def test_missing_attributes_that_change_no_byte_stop_nothing(
    filled: Vault, root: Path, caller: Caller, git: Git
) -> None:
    (root / ".gitattributes").write_text("* text=auto\n*.png filter=rot\n")
    git(root, "add", ".gitattributes")
    git(root, "commit", "--quiet", "-m", "attributes")
    (root / ".gitattributes").unlink()
    change(filled, caller)
    git(root, "restore", ".gitattributes")
    assert_saved(root, git)


def lose(root: Path, *names: str) -> None:
    """Delete loose objects, as a `git gc --prune=now` that began earlier does."""
    for name in names:
        (root / ".git" / "objects" / name[:2] / name[2:]).unlink()


def after_moving(monkeypatch: pytest.MonkeyPatch, happen: Callable[[], None]) -> None:
    real = commits.move_both

    def moving(*args: object) -> object:
        moved = real(*args)  # type: ignore[arg-type]
        happen()
        return moved

    monkeypatch.setattr(commits, "move_both", moving)


@pytest.mark.parametrize("lost", ["HEAD", "HEAD^{tree}", f"HEAD:{KEPT}", f"HEAD:{NEW}"])
def test_objects_that_git_gc_deletes_as_head_moves_are_written_again(
    filled: Vault, root: Path, caller: Caller, git: Git, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    after_moving(monkeypatch, lambda: lose(root, git(root, "rev-parse", lost)))
    assert change(filled, caller) == git(root, "rev-parse", "HEAD")
    git(root, "fsck", "--strict")
    assert_saved(root, git)


def test_a_folder_that_git_gc_deletes_is_written_again(
    filled: Vault, root: Path, caller: Caller, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That it was at work shows in its folder of packs."""

    def pack() -> None:
        lose(root, git(root, "rev-parse", "HEAD:allmemories"))
        (root / ".git/objects/pack/tmp_pack").write_text("")

    after_moving(monkeypatch, pack)
    change(filled, caller)
    git(root, "fsck", "--strict")
    assert_saved(root, git)


def test_while_git_gc_is_at_work_new_objects_go_into_a_pack(
    filled: Vault, root: Path, caller: Caller, git: Git
) -> None:
    """It deletes loose objects only, some of them perhaps long after HEAD has moved."""
    (root / ".git" / "gc.pid").write_text("1 host")
    oid = change(filled, caller)
    (pack,) = (root / ".git/objects/pack").glob("*.idx")
    packed = git(root, "verify-pack", "-v", str(pack))
    for name in ("HEAD", "HEAD^{tree}", f"HEAD:{NEW}", "HEAD:allmemories"):
        assert git(root, "rev-parse", name) in packed
    assert oid in packed


def test_an_ordinary_write_asks_git_no_more_for_that(
    filled: Vault, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(commits, "_secure", lambda *args: asked.append(args))
    change(filled, caller)
    assert asked == []


def test_many_new_files_are_one_pack(
    filled: Vault, root: Path, caller: Caller, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "MANY", 2)
    change(filled, caller)
    assert_saved(root, git)
    packed = [git(root, "verify-pack", "-v", str(pack)) for pack in (root / ".git/objects/pack").glob("*.idx")]
    assert git(root, "rev-parse", f"HEAD:{NEW}") in "".join(packed)
    git(root, "fsck", "--strict")


def test_where_git_cannot_keep_the_files_they_are_as_they_were(
    filled: Vault, root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It keeps them while they are replaced, and fails when some of them are new already."""
    before = {path: path.read_bytes() for path in (root / "allmemories").glob("*.md")}
    head = filled.repo.head_commit()

    def full_disk(*_: object) -> None:
        raise GitError("no space left on device")

    monkeypatch.setattr(commits, "MANY", 2)
    monkeypatch.setattr(commits, "_store", full_disk)
    with pytest.raises(GitError, match="no space"):
        change(filled, caller)
    assert {path: path.read_bytes() for path in (root / "allmemories").glob("*.md")} == before
    assert filled.repo.head_commit() == head
    assert not filled.journal.open

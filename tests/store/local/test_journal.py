"""A change that is cut short, at whatever point and by whatever: completed or taken back, never half done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import BusyError, ConflictError, MdmemError
from mdmem.store.git import commits
from mdmem.store.local import files, journal, lock
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import Git

NEW, REVISED, DELETED = (f"allmemories/{name}.md" for name in ("a_new_note", "note_number_0", "note_number_1"))
TOOK_BACK = "took back a change that was interrupted"


@pytest.fixture
def filled(vault: Vault, caller: Caller) -> Vault:
    """A vault with two notes; the second one has an edit by hand that is not committed."""
    with vault.change(caller.does("import")) as tx:
        tx.write(REVISED, b"text")
        tx.write(DELETED, b"text")
    return vault


def change(vault: Vault, caller: Caller) -> None:
    with vault.change(caller.does("revise")) as tx:
        tx.write(NEW, b"new")
        tx.write(REVISED, b"revised")
        tx.delete(DELETED)


def contents(root: Path) -> dict[str, str]:
    return {path.stem: path.read_text() for path in (root / "allmemories").glob("*.md")}


BEFORE = {"note_number_0": "text", "note_number_1": "text"}
AFTER = {"a_new_note": "new", "note_number_0": "revised"}

DYING = """
import os, sys
from datetime import datetime, UTC
from mdmem.store.operation import Caller
from mdmem.store.git import commits
from mdmem.store.local import files, journal
from mdmem.store.vault import vault
die = lambda *a, **k: os._exit(9)
def after(module, name):
    real = getattr(module, name)
    def doing(*args, **kwargs):
        result = real(*args, **kwargs)
        die()
    setattr(module, name, doing)
def before(module, name):
    setattr(module, name, die)
{how}
with vault.Vault(sys.argv[1]) as v, v.change(Caller(datetime.now(UTC)).does("revise")) as tx:
    tx.write("allmemories/a_new_note.md", b"new")
    tx.write("allmemories/note_number_0.md", b"revised")
    tx.delete("allmemories/note_number_1.md")
"""


LOCKING = """
import subprocess
def move(repo, message, oid, head):
    git = subprocess.Popen(["git", "-C", sys.argv[1], "update-ref", "--stdin"], stdin=-1, stdout=-1)
    git.stdin.write(f"start\\nupdate HEAD {oid} {head}\\nprepare\\n".encode())
    git.stdin.flush()
    assert [git.stdout.readline() for _ in range(2)] == [b"start: ok\\n", b"prepare: ok\\n"]
    git.kill()
    git.wait()
    die()
commits._move_head = move
"""


def die(root: Path, how: str) -> None:
    assert subprocess.run([sys.executable, "-c", DYING.format(how=how), str(root)]).returncode == 9


@pytest.mark.parametrize(
    ("how", "done"),
    [
        ('after(journal.Journal, "begin")', False),
        ('after(journal.Journal, "_replace")', False),
        ('after(journal.Journal, "replace")', False),
        ('before(files, "take")', False),
        ('after(os, "rename")', False),
        ('before(commits, "commit")', False),
        ('after(commits, "copy_index")', False),
        ('after(commits, "_update")', False),
        ('after(commits, "_write_tree")', False),
        ('after(commits, "_commit_object")', False),
        ('after(commits, "_claim")', False),
        ('before(commits, "_move_head")', False),
        ('after(commits, "_move_head")', True),
        ('after(commits, "move_both")', True),
        (
            'before(commits, "release"); commits.release = lambda repo: None; before(journal.Journal, "close")',
            True,
        ),
        ('before(journal.Journal, "close")', True),
    ],
)
def test_a_process_killed_at_any_point(filled: Vault, root: Path, git: Git, how: str, done: bool) -> None:
    """It has no chance to tidy up. The next opening completes the change if its commit was made, else takes it
    back; git's lock, which the dead process held, is gone, and the next write works."""
    head = git(root, "rev-parse", "HEAD")
    filled.close()
    die(root, how)
    said: list[str] = []
    with Vault(str(root), said.append) as vault:
        assert vault.unfinished()
        names = vault.index.names()
        assert not vault.unfinished()
        assert contents(root) == (AFTER if done else BEFORE)
        assert names == sorted(contents(root))
        assert said == ([] if done else [TOOK_BACK])
        assert (git(root, "rev-parse", "HEAD") != head) is done
        assert git(root, "status", "--porcelain") == ""
        assert not [*(root / ".git").glob("index.lock*"), *(root / ".git").glob("mdmem-*.index*")]
        with vault.change(Caller(datetime.now(UTC)).does("create")) as tx:
            tx.write("allmemories/written_after_that.md", b"x")
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "how", ['after(commits, "_claim")', 'after(commits, "_move_head")', 'after(commits, "commit")']
)
def test_a_process_killed_while_it_commits_the_edits_of_a_person(
    filled: Vault, root: Path, git: Git, how: str
) -> None:
    """git's lock must not be left to the person, nor an index in which taking back the edit is staged."""
    (root / REVISED).write_text("by hand")
    filled.close()
    die(root, how)
    with Vault(str(root)) as vault:
        assert vault.index.count() == 2
    assert not (root / ".git" / "index.lock").exists()
    assert git(root, "diff", "--cached") == ""
    if how != 'after(commits, "_claim")':
        assert git(root, "log", "-1", "--format=%s") == "edit by hand: note_number_0"
        assert git(root, "status", "--porcelain") == ""
    (root / "own.txt").write_text("x")
    git(root, "add", "own.txt")
    assert git(root, "commit", "--quiet", "-am", "it works") == ""
    assert contents(root) == {**BEFORE, "note_number_0": "by hand"}


def test_what_is_restored_are_the_bytes_from_before_not_those_of_git(
    filled: Vault, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit that git does not see (here: it was told to assume so) is not in any commit, only in the journal."""
    git(root, "update-index", "--assume-unchanged", REVISED)
    (root / REVISED).write_text("only on disk")
    filled.close()
    die(root, 'before(commits, "commit")')
    with Vault(str(root)) as vault:
        assert vault.index.count() == 2
    assert contents(root) == {**BEFORE, "note_number_0": "only on disk"}


def test_what_someone_saved_since_and_staged_since_is_kept(filled: Vault, root: Path, git: Git) -> None:
    filled.close()
    die(root, 'before(commits, "commit")')
    (root / REVISED).write_text("saved by hand since")
    (root / "allmemories" / "other_note_by_hand.md").write_text("staged")
    git(root, "add", "allmemories/other_note_by_hand.md")
    with Vault(str(root)) as vault:
        assert vault.index.count() == 3
    assert contents(root)["note_number_0"] == "saved by hand since"
    assert git(root, "status", "--porcelain").split("\n") == [
        f" M {REVISED}",
        "A  allmemories/other_note_by_hand.md",
    ]


def test_a_commit_that_landed_is_recognised_below_later_ones(filled: Vault, root: Path, git: Git) -> None:
    """The person committed on top, even to the same file, before mdmem was started again."""
    filled.close()
    die(root, 'before(journal.Journal, "close")')
    (root / REVISED).write_text("by hand on top")
    git(root, "commit", "--quiet", "-am", "on top")
    said: list[str] = []
    with Vault(str(root), said.append) as vault:
        assert vault.index.count() == 2
    assert contents(root) == {**AFTER, "note_number_0": "by hand on top"}
    assert said == []
    assert git(root, "status", "--porcelain") == ""


@contextmanager
def once(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, error: BaseException, at: int = 1
) -> Iterator[None]:
    """Raise `error` in place of the call number `at`."""
    real, calls = getattr(module, name), []

    def failing(*args: object, **kwargs: object) -> object:
        calls.append(1)
        if len(calls) == at:
            raise error
        return real(*args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(module, name, failing)
        yield


@pytest.mark.parametrize(
    ("step", "is_done", "left"),
    [
        *(("_prepare", False, BEFORE), ("_commit_object", False, BEFORE), ("_claim", False, BEFORE)),
        *(("_move_head", False, BEFORE), ("_move_head", True, AFTER)),
    ],
)
def test_ctrl_c_takes_back_until_the_branch_has_moved_and_completes_then(
    filled: Vault,
    caller: Caller,
    root: Path,
    git: Git,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    is_done: bool,
    left: dict[str, str],
) -> None:
    """The last signal arrives while update-ref is returning: the commit is made, so the change is done."""
    real = getattr(commits, step)

    def interrupted(*args: object) -> object:
        if is_done:
            real(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr(commits, step, interrupted)
    with pytest.raises(KeyboardInterrupt):
        change(filled, caller)
    assert contents(root) == left
    assert git(root, "status", "--porcelain") == ""
    assert not filled.unfinished()
    assert not (root / ".git" / "index.lock").exists()


def test_a_rollback_that_fails_half_way_keeps_the_journal(
    filled: Vault, caller: Caller, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills up while files are put back: the others are put back all the same, and the next opening
    finishes the job."""
    real = files.aside

    def full_disk(
        root_: str, contents: Mapping[str, bytes], scratch: str
    ) -> AbstractContextManager[Mapping[str, str]]:
        if contents.get(REVISED) == b"text":
            raise OSError(28, "No space left on device", REVISED)
        return real(root_, contents, scratch)

    monkeypatch.setattr(files, "aside", full_disk)
    with once(monkeypatch, commits, "commit", KeyboardInterrupt()), pytest.raises(OSError, match="No space left"):
        change(filled, caller)
    assert filled.unfinished()
    assert contents(root) == {"note_number_0": "revised", "note_number_1": "text"}
    said: list[str] = []
    with Vault(str(root), said.append) as reader:
        assert reader.index.count() == 2  # reading goes on
        assert "cannot be taken back yet" in said[0]
        with pytest.raises(OSError, match="No space left"):  # writing does not
            change(reader, caller)
    monkeypatch.undo()
    with Vault(str(root)) as vault:
        assert vault.index.count() == 2
    assert contents(root) == BEFORE
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\0garbage", b"[]", b"{}", b'{"format": 1}'),
        b'{"format": 2, "head": "", "message": "", "files": []}',
        json.dumps({NEW: "0" * 64}).encode(),
        b'{"format": 2, "head": "", "message": "", "files": {"a": ["!", ""]}}',
        b"[" * 100_000,
        b'{"format": 3, "head": "--output=x", "message": "", "files": {}}',
        b'{"format": 3, "head": "", "message": "", "files": {"../outside": [null, ""]}}',
        b'{"format": 3, "head": "", "message": "", "files": {"a\\u0000b": [null, ""]}}',
        b'{"format": 3, "head": "", "message": "", "files": {"\\ud800": [null, ""]}}',
    ],
    ids=[
        *("empty", "garbage", "list", "bare", "format", "files", "old", "base64"),
        *("nested", "option", "outside", "nul", "surrogate"),
    ],
)
def test_a_journal_that_cannot_be_read_is_set_aside(
    filled: Vault, caller: Caller, root: Path, data: bytes
) -> None:
    filled.close()
    (root / ".mdmem" / "journal.json").write_bytes(data)
    said: list[str] = []
    with Vault(str(root), said.append) as vault:
        assert vault.index.count() == 2
        change(vault, caller)
    assert contents(root) == AFTER
    assert [line for line in said if "journal.json.unreadable" in line]
    assert (root / ".mdmem" / "journal.json.unreadable").read_bytes() == data


def test_a_journal_of_a_live_process_is_left_alone(filled: Vault, root: Path, tmp_path: Path) -> None:
    filled.close()
    die(root, 'before(commits, "commit")')
    with lock.held(str(root / ".git/mdmem-00000000.writing")), Vault(str(root)) as vault:
        assert vault.index.names()
        assert vault.unfinished()
    assert (root / NEW).exists()


# -- an editor saves while mdmem writes


@pytest.mark.parametrize("path", [NEW, REVISED, DELETED])
def test_a_save_between_reading_and_replacing_is_not_lost(
    filled: Vault, caller: Caller, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """The editor saves at the last moment, when all is ready to be replaced."""
    real = journal.Journal._replace
    saved: list[str] = []

    def saved_just_before(self: journal.Journal, where: str, before: bytes, written: str, keep: str) -> str:
        if where == path and not saved:
            saved.append(path)
            (root / path).write_text("saved in an editor")
        return real(self, where, before, written, keep)

    monkeypatch.setattr(journal.Journal, "_replace", saved_just_before)
    with pytest.raises(ConflictError, match="saved by another program"):
        change(filled, caller)
    assert contents(root) == {**BEFORE, Path(path).stem: "saved in an editor"}
    assert git(root, "rev-list", "--count", "HEAD") == "2"
    assert not filled.unfinished()


def test_a_save_after_the_last_look_at_a_file_that_is_deleted_is_not_lost(
    filled: Vault, caller: Caller, root: Path
) -> None:
    """The editor puts a new file in its place at the very moment when the old one is to go."""
    due = [str(root / DELETED)]

    def save(event: str, about: tuple[Any, ...]) -> None:
        if due and event in ("os.remove", "os.rename") and about[0] == due[0]:
            place = due.pop()
            beside = Path(f"{place}.tmp")
            beside.write_text("saved in an editor")
            beside.replace(place)

    sys.addaudithook(save)  # it cannot be taken off, and does nothing once the file is saved
    with pytest.raises(ConflictError, match="saved by another program"):
        change(filled, caller)
    assert contents(root) == {**BEFORE, "note_number_1": "saved in an editor"}
    assert not filled.unfinished()


SAVING = """
def save(event, about):
    if event == "os.rename" and about[0].endswith("note_number_1.md"):
        with open(about[0], "w") as file:
            file.write("saved in an editor")
sys.addaudithook(save)
after(os, "rename")
"""


def test_a_save_right_before_a_deletion_that_is_killed_is_kept(filled: Vault, root: Path) -> None:
    """The process dies when it has moved the file aside and has not looked at it yet."""
    filled.close()
    die(root, SAVING)
    said: list[str] = []
    with Vault(str(root), said.append) as vault:
        assert vault.index.names() == sorted(BEFORE)
    assert contents(root) == BEFORE
    [kept] = (root / ".mdmem/tmp").iterdir()
    assert kept.read_text() == "saved in an editor"
    assert said == [f"what another program saved while a change was interrupted is now {kept}", TOOK_BACK]


@pytest.mark.parametrize("looked", ["read", "write"])
def test_a_save_since_the_change_first_met_the_file_is_not_lost(
    filled: Vault, caller: Caller, root: Path, looked: str
) -> None:
    """What the caller wrote was made from other bytes than those that are there now."""

    def revise() -> None:
        with filled.change(caller.does("revise")) as tx:
            data = tx.read(REVISED) if looked == "read" else b""
            if looked == "write":
                tx.write(REVISED, b"early")
            (root / REVISED).write_text("saved in an editor")
            tx.write(REVISED, (data or b"") + b" and more")

    with pytest.raises(ConflictError, match="saved by another program"):
        revise()
    assert contents(root)["note_number_0"] == "saved in an editor"


# -- git's lock


def test_anothers_lock_is_never_deleted(
    filled: Vault, caller: Caller, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither while writing nor while settling what a dead process left."""
    monkeypatch.setattr(commits, "PATIENCE", 0.1)
    held = root / ".git" / "index.lock"
    for content in (b"", (root / ".git" / "index").read_bytes()):
        held.write_bytes(content)
        with pytest.raises(BusyError, match="lock"):
            change(filled, caller)
        assert held.read_bytes() == content
        assert contents(root) == BEFORE
        held.unlink()
    filled.close()
    die(root, 'before(commits, "commit")')
    held.write_bytes(b"")
    with Vault(str(root)) as vault:
        assert vault.index.count() == 2
    assert held.exists()


def test_locks_of_a_git_that_died_with_its_caller_are_in_nobodys_way(
    filled: Vault, caller: Caller, root: Path, git: Git
) -> None:
    """As after a power failure while HEAD moves: git has locked HEAD and the branch, and is no more."""
    filled.close()
    die(root, LOCKING)
    assert len([*(root / ".git").rglob("*.lock")]) == 3
    with Vault(str(root)) as vault:
        change(vault, caller)
    assert contents(root) == AFTER
    assert [*(root / ".git").rglob("*.lock")] == []
    assert git(root, "status", "--porcelain") == ""


def test_a_lock_on_head_from_before_ours_is_anothers(filled: Vault, root: Path) -> None:
    filled.close()
    held = root / ".git" / "HEAD.lock"
    held.write_bytes(b"")
    die(root, 'before(commits, "_move_head")')
    with Vault(str(root)) as vault:
        assert vault.index.count() == 2
    assert held.exists()


def test_a_lock_taken_over_right_after_ours_stays(
    filled: Vault, caller: Caller, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our lock becomes the index; another git takes its own before we are done tidying up."""
    real = commits.move_both

    def then_another(*args: object) -> object:
        result = real(*args)  # type: ignore[arg-type]
        (root / ".git" / "index.lock").write_bytes(b"")
        return result

    monkeypatch.setattr(commits, "move_both", then_another)
    change(filled, caller)
    assert (root / ".git" / "index.lock").exists()


def test_an_unwritable_repository_is_no_lock(
    filled: Vault, root: Path, without_rights: Callable[[Callable[[], str]], str]
) -> None:
    filled.close()

    def write() -> str:
        with Vault(str(root)) as vault:
            try:
                change(vault, Caller(datetime.now(UTC)))
            except MdmemError as error:
                return f"{type(error).__name__} {error}"
            return "written"

    (root / ".git" / "refs" / "heads").chmod(0o555)
    (root / ".git" / "objects").chmod(0o755)
    told = without_rights(write)
    (root / ".git" / "refs" / "heads").chmod(0o755)
    assert told.startswith("GitError")
    assert "ermission" in told
    assert contents(root) == BEFORE


def test_a_permission_error_of_the_caller_is_not_the_locks(vault: Vault) -> None:
    def block() -> None:
        with vault.locked():
            raise PermissionError(13, "no", "/elsewhere")

    with pytest.raises(PermissionError):
        block()


def test_losing_the_index_after_the_commit_is_no_failure(
    filled: Vault, caller: Caller, root: Path, git: Git, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory is saved; whatever the index says must not look as if it was not."""
    import sqlite3

    from mdmem.store.index.freshness import Index

    assert filled.index.count() == 2
    with once(monkeypatch, Index, "_take_step", sqlite3.OperationalError("database is locked")):
        change(filled, caller)
    assert git(root, "rev-list", "--count", "HEAD") == "3"
    assert [line for line in said if line.startswith("saved; the index will follow")]
    assert filled.index.names() == sorted(AFTER)


def test_many_loose_objects_are_packed_as_git_would(filled: Vault, caller: Caller, root: Path, git: Git) -> None:
    git(root, "config", "gc.auto", "1")
    git(root, "config", "gc.autoDetach", "false")
    folder = root / ".git" / "objects" / "17"
    folder.mkdir(exist_ok=True)
    for number in range(40):
        (folder / f"{number:038x}").write_bytes(b"")
    change(filled, caller)
    assert list((root / ".git" / "objects" / "pack").glob("*.pack"))


def test_the_language_of_the_system_does_not_matter(
    filled: Vault, caller: Caller, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git's messages are read in English whatever LC_ALL and LANGUAGE say, and commit messages are UTF-8."""
    git(root, "config", "i18n.commitEncoding", "ISO-8859-1")
    git(root, "config", "i18n.logOutputEncoding", "ISO-8859-1")
    for key in ("LC_ALL", "LANG", "LANGUAGE"):
        monkeypatch.setenv(key, "de_DE.UTF-8")
    monkeypatch.setattr(commits, "PATIENCE", 0.1)
    (root / ".git" / "refs" / "heads" / "main.lock").write_text("")
    with pytest.raises(BusyError, match="lock"):
        change(filled, caller)
    (root / ".git" / "refs" / "heads" / "main.lock").unlink()
    with filled.change(caller.does("revise", "Größe: naïve 名")) as tx:
        tx.write(NEW, b"x")
    assert (
        b"Gr\xc3\xb6\xc3\x9fe: na\xc3\xafve \xe5\x90\x8d"
        in subprocess.run(["git", "cat-file", "commit", "HEAD"], cwd=root, capture_output=True).stdout
    )


def test_a_file_in_conflict_is_refused(filled: Vault, caller: Caller, root: Path, git: Git) -> None:
    """Both sides of an unfinished merge (`U`) stay for the person to resolve."""
    git(root, "checkout", "--quiet", "-b", "side")
    (root / REVISED).write_text("theirs")
    git(root, "commit", "--quiet", "-am", "theirs")
    git(root, "checkout", "--quiet", "main")
    (root / REVISED).write_text("ours")
    git(root, "commit", "--quiet", "-am", "ours")
    git(root, "merge", "side", code=1)
    conflicted = (root / REVISED).read_text()
    with pytest.raises(ConflictError, match="has a merge conflict"):
        change(filled, caller)
    assert (root / REVISED).read_text() == conflicted
    assert git(root, "status", "--porcelain") == f"UU {REVISED}"
    assert os.path.exists(root / ".git" / "MERGE_HEAD")


def test_folders_are_synced_once_and_before_the_commit(
    filled: Vault, caller: Caller, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was replaced may come back with the power: HEAD must not move before that is over."""
    done: list[str] = []
    real_sync, real_commit = os.fsync, commits.commit

    def sync(handle: int) -> None:
        place = os.readlink(f"/proc/self/fd/{handle}")
        done.append(os.path.relpath(place, root) if os.path.isdir(place) else "a file")
        real_sync(handle)

    def commit(*args: Any) -> str:
        done.append("commit")
        return real_commit(*args)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(commits, "commit", commit)
    change(filled, caller)
    assert done == ["a file", ".mdmem", "a file", "a file", "allmemories", "commit"]


def test_many_files_are_on_the_disk_before_the_first_is_put_in_place(
    filled: Vault, caller: Caller, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are synced together, which must not leave one out, and leaves few open at a time."""
    synced: set[int] = set()
    held: list[int] = []
    real_sync, real_replace = os.fsync, os.replace

    def sync(handle: int) -> None:
        synced.add(os.fstat(handle).st_ino)
        held.append(len(os.listdir("/proc/self/fd")))
        real_sync(handle)

    def replace(source: str, place: str) -> None:
        if place.endswith(".md"):
            assert os.stat(source).st_ino in synced, place
        real_replace(source, place)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    with filled.change(caller.does("import")) as tx:
        for number in range(150):
            tx.write(f"topics/tea/{number}/raw.md", b"text")
    monkeypatch.undo()
    folders = [root / f"topics/tea/{number}" for number in range(150)]
    assert {os.stat(folder).st_ino for folder in folders} <= synced
    assert max(held) < 120
    assert all((folder / "raw.md").read_bytes() == b"text" for folder in folders)


# -- temporary files of killed processes


def test_what_a_killed_process_of_the_same_id_left_is_in_nobodys_way(
    filled: Vault, caller: Caller, root: Path
) -> None:
    """In a container every process may have the same id, and a file that a kill left was in its way for good."""
    tmp = root / ".mdmem" / "tmp"
    tmp.mkdir(exist_ok=True)
    left = [tmp / f"{os.getpid()}-{number}.tmp" for number in range(5)]
    for file in left:
        file.write_text("half a note")
    change(filled, caller)
    assert contents(root) == AFTER
    assert list(tmp.iterdir()) == []

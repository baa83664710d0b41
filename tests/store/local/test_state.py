"""The vault's local folder: what a clone brings along in it is neither followed nor believed."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from mdmem.errors import MdmemError
from mdmem.store.git.repo import Repo
from mdmem.store.local import files, hookfailures, state
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Write


@pytest.mark.parametrize(
    "name",
    ["index.sqlite", "lock", "identity-told", "tmp", ".gitignore", "journal.json", "note.unsaved.md", "here"],
)
@pytest.mark.parametrize("writing", [False, True], ids=["read", "write"])
def test_a_link_in_it_is_not_followed(
    root: Path, tmp_path: Path, caller: Caller, name: str, writing: bool
) -> None:
    target = tmp_path / "precious"
    target.mkdir() if name == "tmp" else target.write_text("precious")
    (root / ".mdmem").mkdir()
    (root / ".mdmem" / name).symlink_to(target)

    def use() -> None:
        with Vault(str(root)) as vault:
            if not writing:
                vault.index.count()
            with vault.change(caller.does("create")) as tx:
                tx.write("allmemories/a_new_note.md", b"x")

    with pytest.raises(MdmemError, match=f"{name} is a symbolic link"):
        use()
    assert not list(target.iterdir()) if name == "tmp" else target.read_text() == "precious"


def test_what_git_tracks_in_it_is_refused(root: Path, tmp_path: Path, git: Git, caller: Caller) -> None:
    """A clone could bring an index, a journal or a text for an editor along."""
    (root / ".mdmem").mkdir()
    (root / ".mdmem" / "journal.json").write_text('{"format": 2, "head": "", "message": "", "files": {}}')
    git(root, "add", "-f", ".mdmem")
    git(root, "commit", "--quiet", "-m", "poison")
    git(tmp_path, "clone", "--quiet", str(root), "copy")
    for _ in range(2):
        with Vault(str(tmp_path / "copy")) as vault, pytest.raises(MdmemError, match="came with the repository"):
            vault.index.count()
        with Vault(str(tmp_path / "copy")) as vault, pytest.raises(MdmemError), vault.locked():
            pass
    assert (tmp_path / "copy" / ".mdmem" / "journal.json").exists()


def test_the_mark_of_another_folder_proves_nothing(root: Path, tmp_path: Path, git: Git, vault: Vault) -> None:
    """The clone brings the mark along, by which mdmem would know that it looked already."""
    assert vault.index.count() == 0
    vault.close()
    (root / ".mdmem" / ".gitignore").unlink()
    git(root, "add", "-f", ".mdmem")
    git(root, "commit", "--quiet", "-m", "poison")
    git(tmp_path, "clone", "--quiet", str(root), "copy")
    with Vault(str(tmp_path / "copy")) as copy, pytest.raises(MdmemError, match="came with the repository"):
        copy.index.count()


@pytest.mark.parametrize("version", [0, 2, 3])
def test_a_database_of_another_program_is_left_alone(root: Path, write: Write, version: int) -> None:
    write("allmemories/one_first_note.md", "alpha")
    (root / ".mdmem").mkdir()
    place = root / ".mdmem" / "index.sqlite"
    db = sqlite3.connect(place)
    db.execute("CREATE TABLE notes(text)")
    db.execute("INSERT INTO notes VALUES('precious')")
    db.execute(f"PRAGMA user_version={version}")
    db.commit()
    db.close()
    data = place.read_bytes()
    said: list[str] = []
    with Vault(str(root), said.append) as vault:
        assert vault.index.names() == ["one_first_note"]
    assert place.read_bytes() == data
    assert len(said) == 1
    assert "another program" in said[0]


def test_the_state_folder_stays_out_of_git(vault: Vault, root: Path, git: Git, caller: Caller) -> None:
    with vault.change(caller.does("create")) as tx:
        tx.write("allmemories/a_new_note.md", b"x")
    assert vault.index.count() == 1
    assert git(root, "status", "--porcelain") == ""
    assert os.listdir(root / ".mdmem" / "tmp") == []


def test_what_is_saved_while_the_folder_is_cleared_is_kept(root: Path) -> None:
    """Some files of mdmem's own are saved without the lock, under which temporary files are deleted."""
    scratch = root / ".mdmem/tmp"
    with _when("_sync_all", lambda: files.clear(str(scratch))):
        state.save(str(root), Repo.around(str(root)), "plan.json", b"{}")
    assert (root / ".mdmem/plan.json").read_bytes() == b"{}"
    assert list(scratch.iterdir()) == []


def test_the_folder_is_cleared_while_something_is_saved(root: Path) -> None:
    scratch = root / ".mdmem/tmp"
    scratch.mkdir(parents=True)
    for name in ("1-a.tmp", "2-b.tmp"):
        (scratch / name).touch()
    with _when("listdir", (scratch / "1-a.tmp").unlink):
        files.clear(str(scratch))
    assert list(scratch.iterdir()) == []


def _fails(root: Path) -> None:
    hookfailures.add(str(root), hookfailures.HookFailure("codex", "start", "2026-03-01T12:00:00Z", "no"))


def _saves(root: Path) -> None:
    state.save(str(root), Repo.around(str(root)), "reminded.json", b"{}")


@pytest.mark.parametrize("save", [_fails, _saves])
def test_what_a_kill_would_leave_is_cleared_by_the_next_writer(root: Path, save: Callable[[Path], None]) -> None:
    written: list[Path] = []
    with _when("_sync_all", lambda: written.extend((root / ".mdmem").rglob("*.tmp"))):
        save(root)
    assert [path.parent.name for path in written] == ["tmp"]


@contextmanager
def _when(function: str, act: Callable[[], object]) -> Iterator[None]:
    """Act as another process would at the moment when a function first returns."""

    def seen(frame: FrameType, event: str, called: object) -> None:
        name = frame.f_code.co_name if event == "return" else getattr(called, "__name__", "")
        if event in ("return", "c_return") and name == function:
            sys.setprofile(None)
            act()

    sys.setprofile(seen)
    try:
        yield
    finally:
        sys.setprofile(None)

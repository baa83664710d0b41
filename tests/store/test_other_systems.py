"""What Windows and macOS read differently, as far as it can be tried here: paths, names, line ends, letters."""

from __future__ import annotations

import ntpath
import os
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace

import pytest

from mdmem.errors import UsageError
from mdmem.note import naming
from mdmem.store import config
from mdmem.store.local import files
from tests.conftest import Commit, Run


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module of files reads paths as on Windows."""
    there = SimpleNamespace(**{**vars(os), "path": ntpath, "sep": "\\", "name": "nt"})
    monkeypatch.setattr(files, "os", there)


@pytest.mark.parametrize(
    "path",
    [
        *("C:/Windows/a.md", "C:a.md", "\\\\server\\share\\a.md", "notes\\..\\..\\a.md", "..\\a.md"),
        *("a.md:stream", ".git/config", ".git./config", ".GIT /config", "git~1/hooks/pre-commit"),
        *("notes/.git\\hooks", "//server/a"),
    ],
)
def test_no_path_of_windows_leads_out_of_a_vault(path: str, windows: None) -> None:
    assert not files.is_inside(path)
    joined = PureWindowsPath("C:/vault").joinpath("allmemories/tea_is_green.md")
    assert files.is_inside("allmemories/tea_is_green.md")
    assert joined.as_posix() == "C:/vault/allmemories/tea_is_green.md"


@pytest.mark.parametrize(
    "folder", ["C:/notes", "C:notes", "..\\notes", "notes\\..\\..", "\\\\server\\notes", "/notes"]
)
def test_no_setting_names_a_folder_that_only_windows_would_find_elsewhere(folder: str) -> None:
    with pytest.raises(UsageError, match="must be a folder within the vault"):
        config.parse(f"memories = '{folder}'\n")


@pytest.mark.parametrize(
    "title", ["con", "NUL", "aux.md", "COM1", "Lpt9 notes", "What: is <this>?", "a/b|c", "end. "]
)
def test_no_note_gets_a_name_that_windows_refuses(title: str, root: Path, mdmem: Run) -> None:
    mdmem("remember", "Green tea is served in the garden at four.", "--title", title, "--vault", root)
    (note,) = (root / "allmemories").glob("*.md")
    assert not set('<>:"|?*\\') & set(note.name)
    assert not naming.check_for_obsidian(note.stem)
    assert not note.stem.endswith((".", " "))


def test_two_names_never_differ_by_case_or_by_how_a_letter_is_composed(root: Path, mdmem: Run) -> None:
    """Where both are one file, as on Windows and macOS, the second would replace the first."""
    (root / "mdmem.toml").write_text('id = "test"\nnames = "owner"\n')
    (root / "allmemories/Caf\u00e9 Opens.md").write_text("The caf\u00e9 opens at nine each morning.\n")
    for name in ("caf\u00e9 opens", "CAF\u00c9 OPENS"):
        said = mdmem("remember", "Doors open late on Sundays.", "--name", name, "--vault", root, code=5).err
        assert "there is a memory called" in said
    mdmem("remember", "Doors open late.", "--name", "cafe\u0301 opens", "--vault", root, code=2)
    assert len(list((root / "allmemories").glob("*.md"))) == 1


def test_line_ends_of_windows_stay_in_a_note_and_in_settings(root: Path, mdmem: Run, commit: Commit) -> None:
    note = root / "allmemories/tea_is_green.md"
    note.write_bytes(b"---\r\ntype: fact\r\n---\r\n\r\nTea is green.\r\n")
    commit("tea")
    mdmem("update", "tea_is_green", "--set", "confidence=0.9", "--vault", root)
    data = note.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n") == 6
    assert b"confidence: 0.9\r\n" in data

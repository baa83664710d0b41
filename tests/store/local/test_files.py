"""What is written outside the vault takes its place whole, or nothing changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdmem.errors import UsageError
from mdmem.store.local import files


def test_a_failure_leaves_what_was_there_and_nothing_beside_it(tmp_path: Path) -> None:
    old = tmp_path / "records.json"
    old.write_text("as it was")

    def put() -> None:
        with files.replacing(str(old)) as beside:
            Path(beside).write_text("half of")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        put()
    assert [old] == list(tmp_path.iterdir())
    assert old.read_text() == "as it was"


def test_a_file_of_the_user_beside_it_stays(tmp_path: Path) -> None:
    """`records.json.part` may be a download of theirs: it was overwritten, and then gone."""
    theirs = tmp_path / "records.json.part"
    theirs.write_text("mine")
    with files.replacing(str(tmp_path / "records.json")) as beside:
        Path(beside).write_text("new")
    assert (tmp_path / "records.json").read_text() == "new"
    assert theirs.read_text() == "mine"


def test_a_folder_replaces_only_an_empty_one(tmp_path: Path) -> None:
    empty, full = tmp_path / "empty", tmp_path / "full"
    for folder in (empty, full):
        folder.mkdir()
    (full / "theirs.md").touch()

    def put(folder: Path) -> None:
        with files.replacing(str(folder)) as beside:
            Path(beside).mkdir()
            Path(beside, "note.md").touch()

    put(empty)
    with pytest.raises(UsageError, match="cannot be written"):
        put(full)
    assert [each.name for each in empty.iterdir()] == ["note.md"]
    assert [each.name for each in full.iterdir()] == ["theirs.md"]
    assert sorted(tmp_path.iterdir()) == [empty, full]

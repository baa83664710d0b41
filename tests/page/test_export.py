"""Pages as files: the same each time, only what changed is written, nothing of others is touched."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.conftest import Git, Run
from tests.page.test_pages import Parsed


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_export_is_the_same_twice_and_its_links_lead_somewhere(
    looked_at: Path, tmp_path: Path, mdmem: Run
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    mdmem("page", "--vault", looked_at, "--out", first)
    mdmem("page", "--vault", looked_at, "--out", second)
    written = files_in(first)
    assert written == files_in(second)
    for file, data in written.items():
        if not file.endswith(".html"):
            continue
        for _, attributes in Parsed(data.decode()).tags:
            address = attributes.get("href") or attributes.get("src") or ""
            if address and not address.startswith(("#", "https://", "http://")):
                target = (first / file).parent / unquote(address.partition("#")[0])
                assert target.resolve().is_file(), f"{file} links to {address}"


def test_only_what_changed_is_written_again(
    looked_at: Path, tmp_path: Path, mdmem: Run, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(shutil.copytree(looked_at, tmp_path / "vault"))
    out = tmp_path / "pages"
    mdmem("page", "--vault", root, "--out", out)
    with monkeypatch.context() as patch:
        patch.delattr("mdmem.page.export.frame.html")  # nothing is rendered
        assert mdmem("page", "--vault", root, "--out", out).out.startswith("nothing changed, ")
    (out / "index.html").write_text("edited by hand")
    (out / "assets/page.css").unlink()
    assert mdmem("page", "--vault", root, "--out", out).out.startswith("2 files written, ")
    old = tmp_path / "old.html"
    old.write_text("from an earlier export")
    os.utime(old, (1_600_000_000, 1_600_000_000))
    old.rename(out / "index.html")
    assert mdmem("page", "--vault", root, "--out", out).out.startswith("1 file written, ")
    git(root, "rm", "-q", "allmemories/team_meets_on_tuesday.md")
    git(root, "commit", "-qm", "gone")
    before = files_in(out)
    assert mdmem("page", "--vault", root, "--out", out).out.split(", ")[2].startswith("2 removed")
    after = files_in(out)
    assert "memory/allmemories/team_meets_on_tuesday.html" in before.keys() - after.keys()
    assert (
        before["memory/allmemories/next_order_more_tea.html"]
        == after["memory/allmemories/next_order_more_tea.html"]
    )


def test_a_folder_of_others_is_left_alone(looked_at: Path, tmp_path: Path, mdmem: Run) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear Ada")
    refused = mdmem("page", "--vault", looked_at, "--out", tmp_path / "mine", code=5)
    assert "new or empty" in refused.err
    assert files_in(tmp_path / "mine") == {"letter.txt": b"Dear Ada"}


def test_a_list_that_was_tampered_with_deletes_nothing_elsewhere(
    looked_at: Path, tmp_path: Path, mdmem: Run
) -> None:
    out = tmp_path / "pages"
    mdmem("page", "--vault", looked_at, "--out", out)
    (tmp_path / "letter.txt").write_text("Dear Ada")
    (out / "mdmem-export.json").write_text('{"format": 1, "files": ["../letter.txt", "index.html", 7]}')
    mdmem("page", "--vault", looked_at, "--out", out)
    assert (tmp_path / "letter.txt").exists()


def test_settings_rights_and_files_that_are_not_committed_count_as_changes(
    looked_at: Path, tmp_path: Path, mdmem: Run
) -> None:
    root = Path(shutil.copytree(looked_at, tmp_path / "vault"))
    out = tmp_path / "pages"
    mdmem("page", "--vault", root, "--out", out)
    undated = root / "allmemories/kettle_is_new.md"
    undated.write_text("The kettle is new.\n")
    with (root / "allmemories/user_prefers_green_tea.md").open("a") as note:
        note.write("\nFrom Uji, never from a bag.\n")
    assert "nothing changed" not in mdmem("page", "--vault", root, "--out", out).out
    assert "never from a bag" in (out / "memory/allmemories/user_prefers_green_tea.html").read_text()
    os.utime(undated, (1_600_000_000, 1_600_000_000))  # the date that is shown
    assert "nothing changed" not in mdmem("page", "--vault", root, "--out", out).out
    before = (out / "mdmem-export.json").read_bytes()
    mdmem("page", "--vault", root, "--out", out, "--max-sensitivity", "high")
    with_rights = (out / "mdmem-export.json").read_bytes()
    (root / "mdmem.toml").write_text('id = "test"\n[hooks]\nstrict = true\n')
    mdmem("page", "--vault", root, "--out", out, "--max-sensitivity", "high")
    assert len({before, with_rights, (out / "mdmem-export.json").read_bytes()}) == 3


def test_a_link_among_the_notes_keeps_no_page_from_being_made(root: Path, tmp_path: Path, mdmem: Run) -> None:
    """What is a symbolic link is no memory: doctor tells it, and everything else goes on."""
    mdmem("remember", "The printer is on floor 2.", "--name", "printer_on_floor_two", "--vault", root)
    (root / "allmemories/link_to_the_printer.md").symlink_to("printer_on_floor_two.md")
    assert "files written" in mdmem("page", "--vault", root, "--out", tmp_path / "pages").out

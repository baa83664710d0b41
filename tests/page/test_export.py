"""Pages as files: the same each time, only what changed is written, nothing of others is touched."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.conftest import Git, Run
from tests.page.test_pages import Parsed


@pytest.fixture
def export(mdmem: Run) -> Callable[..., str]:
    """Write the pages of a vault into a folder; what is said of it."""
    return lambda root, out, *options: mdmem("page", "--vault", root, "--out", out, *options).out


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_export_is_the_same_twice_and_its_links_lead_somewhere(
    looked_at: Path, tmp_path: Path, export: Callable[..., str]
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    export(looked_at, first)
    export(looked_at, second)
    written = files_in(first)
    assert written == files_in(second)
    for file in filter(lambda name: name.endswith(".html"), written):
        for _, attributes in Parsed(written[file].decode()).tags:
            address = attributes.get("href") or attributes.get("src") or ""
            if address and not address.startswith(("#", "https://", "http://")):
                target = (first / file).parent / unquote(address.partition("#")[0])
                assert target.resolve().is_file(), f"{file} links to {address}"


def test_only_what_changed_is_written_again(
    changed: Path, tmp_path: Path, export: Callable[..., str], git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "pages"
    export(changed, out)
    with monkeypatch.context() as patch:
        patch.delattr("mdmem.page.export.frame.html")  # nothing is rendered
        assert export(changed, out).startswith("nothing changed, ")
    (out / "index.html").write_text("edited by hand")
    (out / "assets/page.css").unlink()
    assert export(changed, out).startswith("2 files written, ")
    old = tmp_path / "old.html"
    old.write_text("from an earlier export")
    os.utime(old, (1_600_000_000, 1_600_000_000))
    old.rename(out / "index.html")
    assert export(changed, out).startswith("1 file written, ")
    git(changed, "rm", "-q", "allmemories/team_meets_on_tuesday.md")
    git(changed, "commit", "-qm", "gone")
    before = files_in(out)
    assert export(changed, out).split(", ")[2].startswith("2 removed")
    after = files_in(out)
    assert "memory/allmemories/team_meets_on_tuesday.html" in before.keys() - after.keys()
    kept = "memory/allmemories/next_order_more_tea.html"
    assert before[kept] == after[kept]


def test_what_others_have_in_a_folder_is_left_alone(
    looked_at: Path, tmp_path: Path, mdmem: Run, export: Callable[..., str]
) -> None:
    """Even where the list of an export's files was tampered with."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("Dear Ada")
    assert "new or empty" in mdmem("page", "--vault", looked_at, "--out", tmp_path / "mine", code=5).err
    assert files_in(tmp_path / "mine") == {"letter.txt": b"Dear Ada"}
    out = tmp_path / "pages"
    export(looked_at, out)
    (out / "mdmem-export.json").write_text('{"format": 1, "files": ["../mine/letter.txt", "index.html", 7]}')
    export(looked_at, out)
    assert (tmp_path / "mine/letter.txt").exists()


def test_settings_rights_and_files_that_are_not_committed_count_as_changes(
    changed: Path, tmp_path: Path, export: Callable[..., str]
) -> None:
    out = tmp_path / "pages"
    export(changed, out)
    undated = changed / "allmemories/kettle_is_new.md"
    undated.write_text("The kettle is new.\n")
    with (changed / "allmemories/user_prefers_green_tea.md").open("a") as note:
        note.write("\nFrom Uji, never from a bag.\n")
    assert "nothing changed" not in export(changed, out)
    assert "never from a bag" in (out / "memory/allmemories/user_prefers_green_tea.html").read_text()
    os.utime(undated, (1_600_000_000, 1_600_000_000))  # the date that is shown
    assert "nothing changed" not in export(changed, out)
    before = (out / "mdmem-export.json").read_bytes()
    export(changed, out, "--max-sensitivity", "high")
    with_rights = (out / "mdmem-export.json").read_bytes()
    (changed / "mdmem.toml").write_text('id = "test"\n[hooks]\nstrict = true\n')
    export(changed, out, "--max-sensitivity", "high")
    assert len({before, with_rights, (out / "mdmem-export.json").read_bytes()}) == 3


def test_a_link_among_the_notes_keeps_no_page_from_being_made(
    root: Path, tmp_path: Path, mdmem: Run, export: Callable[..., str]
) -> None:
    """What is a symbolic link is not a memory: doctor tells it, and everything else goes on."""
    mdmem("remember", "The printer is on floor 2.", "--name", "printer_on_floor_two", "--vault", root)
    (root / "allmemories/link_to_the_printer.md").symlink_to("printer_on_floor_two.md")
    assert "files written" in export(root, tmp_path / "pages")

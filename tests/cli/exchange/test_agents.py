"""The section for agents, by the command line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mdmem.store.vault import starter
from tests.conftest import Run


def test_refresh_renews_what_stands_between_the_marks_and_nothing_else(
    tmp_path: Path, mdmem: Run, git: Run
) -> None:
    mdmem("init", tmp_path / "v")
    page = tmp_path / "v/AGENTS.md"
    fresh = page.read_bytes()
    assert mdmem("agents", "refresh", "--vault", tmp_path / "v").out == "nothing to change\n"
    page.write_bytes(b"Mine, above.\n\n" + fresh.replace(b"Memory vault", b"Old words") + b"\nMine, below.")
    git(tmp_path / "v", "commit", "-qam", "old words")
    assert "refreshed AGENTS.md  (" in mdmem("agents", "refresh", "--vault", tmp_path / "v").out
    assert page.read_bytes() == b"Mine, above.\n\n" + fresh + b"\nMine, below."
    assert git(tmp_path / "v", "status", "--porcelain") == ""
    assert git(tmp_path / "v", "show", "--name-only", "--format=", "HEAD") == "AGENTS.md"


def test_a_project_elsewhere_gets_a_section_that_leads_to_the_vault(
    root: Path, tmp_path: Path, mdmem: Run
) -> None:
    (tmp_path / "code").mkdir()
    page = tmp_path / "code/AGENTS.md"
    page.write_bytes(b"# Mine\r\n\r\nBe brief.\r\n")
    mdmem("agents", "refresh", page)
    data = page.read_bytes()
    assert data.startswith(b"# Mine\r\n\r\nBe brief.\r\n\r\n<!-- mdmem:begin -->\r\n")
    assert b"The folder `../vault` is a long-term memory" in data
    assert b"create `../vault/allmemories/NAME.md`" in data
    assert b"`mdmem --vault ../vault recall" in data
    assert b"`allmemories/" not in data
    assert mdmem("agents", "refresh", page).out == "nothing to change\n"
    assert [path.name for path in (tmp_path / "code").iterdir()] == ["AGENTS.md"]


def test_a_link_to_the_page_of_a_project_stays_a_link(root: Path, tmp_path: Path, mdmem: Run) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code/AGENTS.md").write_text("Mine.\n")
    (tmp_path / "code/CLAUDE.md").symlink_to("AGENTS.md")
    mdmem("agents", "refresh", tmp_path / "code/CLAUDE.md")
    assert os.readlink(tmp_path / "code/CLAUDE.md") == "AGENTS.md"
    assert "mdmem:begin" in (tmp_path / "code/AGENTS.md").read_text()


@pytest.mark.parametrize(
    "text",
    [
        "<!-- mdmem:begin -->\nmine\n",
        "mine\n<!-- mdmem:end -->\n",
        "<!-- mdmem:end -->\nmine\n<!-- mdmem:begin -->\n",
        "<!-- mdmem:begin -->\n<!-- mdmem:begin -->\nmine\n<!-- mdmem:end -->\n",
    ],
)
def test_marks_that_are_no_pair_are_left_alone(text: str, root: Path, tmp_path: Path, mdmem: Run) -> None:
    """Between the first and the last of them a person's own lines may stand."""
    for page in (root / "AGENTS.md", tmp_path / "AGENTS.md"):
        page.write_text(text)
        mdmem("agents", "refresh", page, code=5)
        assert page.read_text() == text
    mdmem("init", root, "--agents", code=5)
    mdmem("init", root)
    assert (root / "AGENTS.md").read_text() == text


def test_a_memory_is_no_page_for_agents(root: Path, mdmem: Run) -> None:
    mdmem("remember", "x", "--name", "one_good_name")
    mdmem("agents", "refresh", root / "allmemories/one_good_name.md", code=2)


def test_the_section_for_elsewhere_names_no_folder_of_its_own() -> None:
    """Whatever the page says of `allmemories`, a project elsewhere must find it."""
    from mdmem.store.config import VaultConfig

    for config in (VaultConfig(), VaultConfig(memories="."), VaultConfig(memories="a/b", new="c")):
        text = starter._page_from(config, "../my vault").decode()
        assert "This folder" not in text
        assert "this folder" not in text
        assert "--vault '../my vault' recall" in text
        assert text.count("`../my vault/") >= 4
        assert "`../my vault/GLOBAL_MEMORY.md`" in text

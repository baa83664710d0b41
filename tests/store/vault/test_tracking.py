"""Derived files that git tracks: committed after a write, by themselves, and never by a hook."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdmem.store.operation import Caller
from mdmem.store.vault import following
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import mirror
from tests.conftest import Git, Remember, Run

FACTS = "The flat.\n\n## Facts\n\n- Ana · lives in · {} (identity, current, 0.95)"
PAGES = {"GLOBAL_MEMORY.md", "topics/home/topic_memory.md"}


@pytest.fixture
def tracked(root: Path, git: Git) -> Path:
    """A vault that tracks its pages."""
    (root / "mdmem.toml").write_text('id = "test"\n[derived]\ncommit = "markdown"\n')
    (root / "topics").mkdir()
    git(root, "commit", "-qam", "settings")
    return root


def subjects(root: Path, git: Git) -> list[str]:
    return git(root, "log", "--format=%s").splitlines()


def test_pages_get_a_commit_of_their_own(tracked: Path, git: Git, remember: Remember) -> None:
    remember(FACTS.format("Lisbon"), "ana_lives_in_lisbon", topic="home")
    assert subjects(tracked, git)[:2] == ["rebuild: derived files", "create: ana_lives_in_lisbon"]
    assert set(git(tracked, "show", "--format=", "--name-only", "HEAD").splitlines()) == PAGES
    assert git(tracked, "status", "--porcelain") == ""
    remember("Tea is drunk at four.", "tea_drunk_at_four")
    assert subjects(tracked, git)[0] == "create: tea_drunk_at_four"


def test_a_hook_writes_pages_and_the_next_write_commits_them(
    tracked: Path, git: Git, vault: Vault, remember: Remember
) -> None:
    path = remember(FACTS.format("Lisbon"), "ana_lives_in_lisbon", topic="home")
    (tracked / path).write_text((tracked / path).read_text().replace("Lisbon", "Porto"))
    git(tracked, "commit", "-qam", "by hand")
    with Vault(str(tracked)) as again:
        assert following.follow(again) == []
    assert "Porto" in (tracked / "GLOBAL_MEMORY.md").read_text()
    assert subjects(tracked, git)[0] == "by hand"
    remember("Tea is drunk at four.", "tea_drunk_at_four")
    assert subjects(tracked, git)[:2] == ["rebuild: derived files", "create: tea_drunk_at_four"]
    assert "Porto" in git(tracked, "show", "HEAD:GLOBAL_MEMORY.md")


def test_pages_that_are_gone_are_committed_as_gone(
    tracked: Path, git: Git, vault: Vault, remember: Remember, caller: Caller
) -> None:
    path = remember(FACTS.format("Lisbon"), "ana_lives_in_lisbon", topic="home")
    with vault.change(caller.does("delete")) as tx:
        tx.delete(path)
    assert PAGES.isdisjoint(git(tracked, "ls-tree", "-r", "--name-only", "HEAD").splitlines())
    assert git(tracked, "status", "--porcelain") == ""


def test_undo_takes_back_the_write_and_not_its_pages(
    tracked: Path, git: Git, remember: Remember, mdmem: Run
) -> None:
    path = remember(FACTS.format("Lisbon"), "ana_lives_in_lisbon", topic="home")
    mdmem("undo", "--last", "1", "--vault", tracked)
    assert not (tracked / path).exists()
    assert not (tracked / "GLOBAL_MEMORY.md").exists()


def test_a_clone_with_all_of_it_goes_on_with_what_it_has(
    tracked: Path, git: Git, caller: Caller, tmp_path: Path
) -> None:
    settings = '[derived]\ncommit = "all"\n[mirror]\nenabled = true\n'
    (tracked / "mdmem.toml").write_text(f'id = "test"\n{settings}')
    git(tracked, "commit", "-qam", "settings")
    note = "---\ntitle: Ana\ntopic: home\n---\n\n" + FACTS.format("Lisbon") + "\n"
    with Vault(str(tracked)) as vault, vault.change(caller.does("create")) as tx:
        tx.write("allmemories/ana_lives_in_lisbon.md", note.encode())
    names = git(tracked, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    assert {*PAGES, "GLOBAL_MEMORY.json", "index/tag_index.json"} <= set(names)
    assert "index/audit.log" not in names
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(tracked), str(clone))
    with Vault(str(clone)) as vault:
        assert mirror.update(vault).written == 0
        assert following.follow(vault) == []
    assert git(clone, "status", "--porcelain") == ""

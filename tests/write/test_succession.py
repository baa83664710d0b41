"""A memory that replaces another: the old one retires in the same commit, and recall shows the new one first."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdmem.recall import ask
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Git, Run, Write

OLD = "harbor_nightly_backup_runs_early"


@pytest.fixture
def here(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(root)
    return root


def test_what_is_superseded_retires_in_the_same_commit(mdmem: Run, here: Path, git: Git) -> None:
    mdmem("remember", "Harbor's nightly backup runs at 03:30 UTC.", "--name", OLD)
    commits = int(git(here, "rev-list", "--count", "HEAD"))
    mdmem("remember", "The backup moved to 04:00 UTC.", "--name", "harbor_backup_moved", "--supersedes", OLD)
    assert int(git(here, "rev-list", "--count", "HEAD")) == commits + 1
    old = (here / f"allmemories/{OLD}.md").read_text()
    assert "status: deprecated" in old
    assert 'superseded_by:\n  - "[[harbor_backup_moved]]"' in old
    assert "> [!warning] DEPRECATED: See valid architecture in [[harbor_backup_moved]]" in old
    first = mdmem("recall", "when", "does", "the", "harbor", "backup", "run", "-n", "4").out
    assert first.index("harbor_backup_moved") < first.index(f"2. {OLD}")


def test_what_two_memories_supersede_names_both(mdmem: Run, here: Path) -> None:
    """The second does not take away the way to the first."""
    mdmem("remember", "Harbor's nightly backup runs at 03:30 UTC.", "--name", OLD)
    mdmem("remember", "The backup moved to 04:00 UTC.", "--name", "harbor_backup_moved", "--supersedes", OLD)
    mdmem("remember", "Kiel has the tapes of Harbor.", "--name", "harbor_tapes_in_kiel", "--supersedes", OLD)
    old = (here / f"allmemories/{OLD}.md").read_text()
    assert 'superseded_by:\n  - "[[harbor_backup_moved]]"\n  - "[[harbor_tapes_in_kiel]]"\n' in old


@pytest.mark.parametrize("relation", ["supersedes", "related-to"])
def test_a_relation_to_no_memory_is_refused_with_the_nearest(mdmem: Run, here: Path, relation: str) -> None:
    mdmem("remember", "The API uses tokens.", "--name", "api_uses_tokens")
    ran = mdmem("remember", "The API uses cookies.", f"--{relation}", "api uses token", code=3)
    assert "api_uses_tokens" in ran.err
    mdmem("update", "api_uses_tokens", "--set", f"{relation.replace('-', '_')}=nosuch", code=3)
    assert [file.name for file in (here / "allmemories").glob("*.md")] == ["api_uses_tokens.md"]


@pytest.mark.parametrize("is_update", [True, False])
def test_a_relation_that_names_a_path_or_comes_later_retires_too(mdmem: Run, here: Path, is_update: bool) -> None:
    mdmem("remember", "Harbor's nightly backup runs at 03:30 UTC.", "--name", OLD)
    later = ("remember", "The backup moved to 04:00 UTC.", "--name", "harbor_backup_moved")
    if is_update:
        mdmem(*later)
        mdmem("update", "harbor_backup_moved", "--add", f"supersedes={OLD}")
    else:
        mdmem(*later, "--supersedes", f"allmemories/{OLD}.md")
    assert f'"[[{OLD}]]"' in (here / "allmemories/harbor_backup_moved.md").read_text()
    assert "status: deprecated" in (here / f"allmemories/{OLD}.md").read_text()


@pytest.mark.parametrize("is_retracted", [False, True])
def test_supersedes_written_by_hand_acts_at_reading_unless_it_is_retracted(
    vault: Vault, write: Write, is_retracted: bool
) -> None:
    write("allmemories/old_backup_time.md", "Harbor's nightly backup runs at 03:30 UTC, each night.\n")
    status = "status: retracted\n" if is_retracted else ""
    header = f'---\n{status}supersedes:\n  - "[[old_backup_time]]"\n---\n'
    write("allmemories/new_backup_time.md", f"{header}It moved to 04:00 UTC.\n")
    first, successor = ("old", "") if is_retracted else ("new", "new_backup_time")
    for limit in (1, 2):
        query = ask.Query(("when does harbor's nightly backup run",), limit=limit)
        answers = ask.ask(vault, query, NOW, counted=False)
        assert answers[0].hit.record.name == f"{first}_backup_time"
    assert {answer.hit.record.name: answer.hit.successor for answer in answers}["old_backup_time"] == successor

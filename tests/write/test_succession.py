"""A memory that replaces another: the old one retires in the same commit, and recall shows the new one first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.recall import ask
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Ran

OLD = "harbor_nightly_backup_runs_early"


@pytest.fixture
def here(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(root)
    return root


def test_what_is_superseded_retires_in_the_same_commit(
    mdmem: Callable[..., Ran], here: Path, git: Callable[..., str]
) -> None:
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


def test_update_that_supersedes_retires_the_old_memory(mdmem: Callable[..., Ran], here: Path) -> None:
    mdmem("remember", "Harbor's nightly backup runs at 03:30 UTC.", "--name", OLD)
    mdmem("remember", "The backup moved to 04:00 UTC.", "--name", "harbor_backup_moved")
    mdmem("update", "harbor_backup_moved", "--add", f"supersedes={OLD}")
    assert "status: deprecated" in (here / f"allmemories/{OLD}.md").read_text()


@pytest.mark.parametrize("relation", ["supersedes", "related-to"])
def test_a_relation_to_no_memory_is_refused_with_the_nearest(
    mdmem: Callable[..., Ran], here: Path, relation: str
) -> None:
    mdmem("remember", "The API uses tokens.", "--name", "api_uses_tokens")
    ran = mdmem("remember", "The API uses cookies.", f"--{relation}", "api uses token", code=3)
    assert "api_uses_tokens" in ran.err
    mdmem("update", "api_uses_tokens", "--set", f"{relation.replace('-', '_')}=nosuch", code=3)
    assert [file.name for file in (here / "allmemories").glob("*.md")] == ["api_uses_tokens.md"]


def test_a_relation_may_be_named_by_path_or_id(mdmem: Callable[..., Ran], here: Path) -> None:
    mdmem("remember", "The API uses tokens.", "--name", "api_uses_tokens")
    mdmem(
        *("remember", "The API uses cookies now.", "--name", "api_uses_cookies"),
        *("--supersedes", "allmemories/api_uses_tokens.md"),
    )
    assert '"[[api_uses_tokens]]"' in (here / "allmemories/api_uses_cookies.md").read_text()


def test_supersedes_written_by_hand_acts_at_reading(vault: Vault, write: Callable[[str, str], Path]) -> None:
    write("allmemories/old_backup_time.md", "Harbor's nightly backup runs at 03:30 UTC, each night.\n")
    write(
        "allmemories/new_backup_time.md",
        '---\nsupersedes:\n  - "[[old_backup_time]]"\n---\nIt moved to 04:00 UTC.\n',
    )
    for limit in (1, 2):
        query = ask.Query(("when does harbor's nightly backup run",), limit=limit)
        answers = ask.ask(vault, query, NOW, counted=False)
        assert [a.hit.record.name for a in answers] == ["new_backup_time", "old_backup_time"][:limit]
    assert answers[1].hit.successor == "new_backup_time"


def test_a_retracted_memory_supersedes_none(vault: Vault, write: Callable[[str, str], Path]) -> None:
    write("allmemories/old_backup_time.md", "Harbor's nightly backup runs at 03:30 UTC, each night.\n")
    write(
        "allmemories/new_backup_time.md",
        '---\nstatus: retracted\nsupersedes:\n  - "[[old_backup_time]]"\n---\nThe backup moved to 04:00 UTC.\n',
    )
    answers = ask.ask(vault, ask.Query(("harbor nightly backup",)), NOW, counted=False)
    assert answers[0].hit.record.name == "old_backup_time"
    assert answers[0].hit.successor == ""

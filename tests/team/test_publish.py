"""What is committed gets into the team's index, whole or not at all, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import StoppedError
from mdmem.store.vault.vault import Vault
from mdmem.team.server import Server

pytestmark = pytest.mark.postgres

Run = Callable[..., Any]
HEAD = "---\nid: {id}\ntitle: {title}\ncreated: 2026-01-01T00:00:00Z\n{more}---\n\n{text}\n"


def write(root: Path, name: str, text: str, more: str = "") -> None:
    head = HEAD.format(id=f"id-{name}", title=name.replace("_", " "), more=more, text=text)
    (root / "allmemories" / f"{name}.md").write_text(head)


@pytest.fixture
def commit(root: Path, git: Run) -> Run:
    """Write notes (None: delete), and commit them."""

    def run(**notes: str | None) -> None:
        for name, text in notes.items():
            if text is None:
                (root / f"allmemories/{name}.md").unlink()
            else:
                write(root, name, text)
        git(root, "add", "-A")
        git(root, "commit", "--quiet", "--allow-empty", "-m", "notes")

    return run


def paths(team: Server) -> list[str]:
    return [path for (path,) in team.run("SELECT path FROM mdmem.notes ORDER BY path")]


def test_increments_are_what_a_refill_gives(
    root: Path, commit: Run, send: Run, contents: Run, team: Server
) -> None:
    commit(tea="Green tea.", coffee="Coffee, see [[tea]].", milk="Milk is white.")
    assert send(root)[4:8] == ("filled", 3, 0, 3)
    assert send(root).how == "nothing"
    commit(tea="Black tea now.", milk=None, water="Water is wet, running cats.")
    done = send(root)
    assert (done.how, done.written, done.removed, done.notes) == ("changes", 2, 1, 3)
    by_changes = contents()
    assert send(root, refill=True).how == "filled"
    assert contents() == by_changes
    places = team.run("SELECT places, stems FROM mdmem.words WHERE path LIKE '%%water.md'")
    assert places == [
        (
            "water\nwater\n\n\n\nwater is wet run cat",
            {"water": 2, "is": 1, "wet": 1, "run": 1, "cat": 1, "test:/": 0},
        )
    ]


def test_only_what_is_committed_is_published(root: Path, commit: Run, send: Run, contents: Run) -> None:
    commit(tea="Green tea.", coffee="Coffee.")
    send(root)
    before = contents()
    write(root, "tea", "Edited and not committed.")
    write(root, "draft", "Never committed.")
    (root / "allmemories/coffee.md").unlink()
    assert send(root).how == "nothing"
    send(root, refill=True)
    assert contents() == before


def test_what_is_sensitive_stays_at_home(root: Path, commit: Run, send: Run, team: Server) -> None:
    write(root, "user_has_a_secret", "Uranium.", "sensitivity: high\n")
    write(root, "made_of_it", "A summary.", 'derived_from: "[[user_has_a_secret]]"\n')
    commit(tea="Tea, not [[user_has_a_secret]].")
    assert send(root).left_out == 2
    everything = str([team.run(f"SELECT * FROM mdmem.{table}") for table in ("notes", "words", "links", "vaults")])
    assert paths(team) == ["allmemories/tea.md"]
    assert "secret" not in everything.lower()
    assert "uranium" not in everything.lower()
    assert send(root, max_sensitivity="high").notes == 3
    assert send(root).removed == 2


def test_a_forced_push_and_a_clone_that_is_behind(
    root: Path, commit: Run, send: Run, git: Run, team: Server
) -> None:
    commit(tea="Green tea.")
    commit(coffee="Coffee.")
    send(root)
    git(root, "reset", "--quiet", "--hard", "HEAD~1")
    with pytest.raises(StoppedError, match="ahead of this clone"):
        send(root)
    assert send(root, rewind=True).how == "filled"
    assert paths(team) == ["allmemories/tea.md"]
    git(root, "commit", "--quiet", "--amend", "--allow-empty", "-m", "another past")
    assert send(root).how == "filled"


def test_another_vault_of_the_same_id_replaces_nothing(
    root: Path, commit: Run, send: Run, contents: Run, git: Run, tmp_path: Path
) -> None:
    """A copy with a history of its own, or a folder with the same settings; told otherwise, it may."""
    commit(tea="Green tea.")
    send(root)
    before = contents()
    git(tmp_path, "init", "--quiet", "copy")
    copy = tmp_path / "copy"
    (copy / "mdmem.toml").write_text((root / "mdmem.toml").read_text())
    for options in ({}, {"dry_run": True}, {"rewind": True}):
        with pytest.raises(StoppedError, match="another history"):
            send(copy, **options)
    git(copy, "add", "-A")
    git(copy, "commit", "--quiet", "-m", "copy")
    with pytest.raises(StoppedError, match="another history") as caught:
        send(copy)
    assert "an id of its own" in caught.value.hint
    assert contents() == before
    assert send(copy, refill=True).notes == 0
    git(root, "commit", "--quiet", "--amend", "-m", "purged")
    git(root, "remote", "add", "origin", "https://example.org/notes.git")
    assert send(root, refill=True).notes == 1
    git(root, "commit", "--quiet", "--amend", "-m", "purged again")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "--quiet", "--prune=now")
    assert send(root).how == "filled"  # a purge leaves no trace of the old commits, but it is the same place


def test_dry_run_writes_nothing(root: Path, commit: Run, send: Run, contents: Run) -> None:
    commit(tea="Green tea.")
    assert send(root, dry_run=True).written == 1
    assert contents()["vaults"] == []
    send(root)
    before = contents()
    commit(coffee="Coffee.")
    assert send(root, dry_run=True)[4:7] == ("changes", 1, 0)
    assert contents() == before


def test_a_vault_without_memories(root: Path, send: Run, contents: Run, git: Run, tmp_path: Path) -> None:
    assert send(root).notes == 0
    assert contents()["notes"] == []
    git(tmp_path, "init", "--quiet", "unborn")
    (tmp_path / "unborn/mdmem.toml").write_text('id = "unborn"\n')
    (tmp_path / "unborn/allmemories").mkdir()
    write(tmp_path / "unborn", "draft", "Not committed.")
    with Vault.open(str(tmp_path / "unborn")) as vault:
        assert vault.index.count() == 1
    assert send(tmp_path / "unborn").notes == 0

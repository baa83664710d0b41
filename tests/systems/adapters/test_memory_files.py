"""What the memory tool does in a vault: commits, refusals, what may be seen. It needs no SDK."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem import Caller, Query, Vault, ask
from mdmem.errors import MdmemError, StoppedError, UsageError
from mdmem.systems.adapters.memoryfiles import MemoryFiles, checked

Run = Callable[..., str]


@pytest.fixture
def memories(vault: Vault, caller: Caller) -> MemoryFiles:
    return MemoryFiles(vault, "", caller)


def test_every_command_that_writes_is_one_commit_of_the_session(
    memories: MemoryFiles, root: Path, git: Run, caller: Caller
) -> None:
    memories.create("/memories/desk/plan.md", "The lease ends in May.\n")
    memories.create("/memories/desk/list.txt", "one\n")
    memories.str_replace("/memories/desk/plan.md", "May", "June")
    memories.insert("/memories/desk/list.txt", 1, "two")
    memories.rename("/memories/desk", "/memories/done")
    memories.delete("/memories/done")
    memories.view("/memories")
    commits = git(root, "log", "--reverse", "--format=%s|%an|%(trailers:key=Memory-Session,valueonly,separator=)")
    assert commits.splitlines()[1:] == [
        f"{subject}|claude-code|{caller.session}"
        for subject in (
            "create: plan",
            "create: list.txt",
            "revise: plan",
            "revise: list.txt",
            "rename: list.txt, plan",
            "delete: list.txt, plan",
        )
    ]
    assert git(root, "status", "--porcelain") == ""


def test_what_the_model_wrote_is_kept_as_it_is_and_recalled(
    memories: MemoryFiles, root: Path, vault: Vault, caller: Caller
) -> None:
    text = "# Lease\r\n\r\nThe lease of the flat ends in May."
    memories.create("/memories/lease.md", text)
    assert (root / "allmemories/claude/lease.md").read_bytes() == text.encode()
    (answer,) = ask(vault, Query(("when does the lease end",)), caller.now)
    assert answer.hit.record.path == "allmemories/claude/lease.md"


def test_links_follow_a_renamed_file(memories: MemoryFiles, root: Path, remember: Run) -> None:
    memories.create("/memories/lease.md", "It ends in May.\n")
    path = remember("The flat is rented, see [[lease]].")
    memories.rename("/memories/lease.md", "/memories/flat/contract.md")
    assert "[[contract]]" in (root / path).read_text()


def test_an_empty_folder_moves_with_the_one_around_it(memories: MemoryFiles) -> None:
    memories.create("/memories/desk/drawer/a.md", "One.\n")
    memories.delete("/memories/desk/drawer/a.md")
    memories.rename("/memories/desk", "/memories/done")
    assert "/memories/done/drawer/" in memories.view("/memories")
    assert "desk" not in memories.view("/memories")


def test_a_secret_is_refused_and_nothing_written(memories: MemoryFiles, root: Path, git: Run) -> None:
    before = git(root, "rev-parse", "HEAD")
    with pytest.raises(StoppedError, match="seems to hold a secret"):
        memories.create("/memories/keys/a.md", "password: hunter2-Xk9vQ7pLw2\n")
    assert git(root, "rev-parse", "HEAD") == before
    assert not (root / "allmemories/claude/keys").exists()


@pytest.mark.parametrize(
    ("path", "objection"),
    [
        ("/etc/passwd", "must start with /memories"),
        ("/memoriesX/a.md", "must start with /memories"),
        ("/memories/../a.md", "would escape"),
        ("/memories/%2e%2e/a.md", "would escape"),
        ("/memories/out/a.md", "would escape"),
        ("/memories/..\\a.md", "character"),
        ("/memories/a\nb.md", "character"),
        ("/memories/a\0b.md", "character"),
        ("/memories/.git/config", "git's own"),
        ("/memories/a/.gitattributes", "git's own"),
        ("/memories/.mdmem/lock", "git's own"),
        ("/memories/new/" + "ä" * 128, "too long"),
        ("/memories" + "/folder" * 300, "too long"),
    ],
)
def test_paths_that_are_not_the_models_are_refused(
    memories: MemoryFiles, root: Path, tmp_path: Path, path: str, objection: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "allmemories/claude/out").symlink_to(outside)
    for command in (memories.view, memories.delete, lambda path: memories.create(path, "x")):
        with pytest.raises(UsageError, match=objection):
            command(path)
    with pytest.raises(UsageError, match=objection):
        memories.rename("/memories/none.md", path)
    assert list(outside.iterdir()) == []
    memories.create("/memories/after.md", "The vault can be written as before.\n")


def test_a_folder_of_links_that_lead_out_is_not_followed(
    memories: MemoryFiles, root: Path, tmp_path: Path
) -> None:
    (tmp_path / "private.md").write_text("nobody's business")
    (root / "allmemories/claude/private.md").symlink_to(tmp_path / "private.md")
    assert "private" not in memories.view("/memories")


def test_memories_that_an_agent_may_not_see_are_not_there(memories: MemoryFiles, root: Path, vault: Vault) -> None:
    secret = "---\nsensitivity: high\n---\nThe diagnosis.\n"
    memories.create("/memories/health.md", secret)
    memories.create("/memories/open.md", "See [[health]] for more.\n")
    vault.clear_for("claude-code", "low")
    assert "health" not in memories.view("/memories")
    assert "health" not in memories.view("/memories/open.md")
    for command in (memories.view, memories.delete, lambda path: memories.insert(path, 0, "x")):
        with pytest.raises(MdmemError, match="does not exist"):
            command("/memories/health.md")
    assert (root / "allmemories/claude/health.md").read_text() == secret


def test_a_protected_memory_is_not_deleted(memories: MemoryFiles) -> None:
    memories.create("/memories/a.md", "---\ndeletion_policy: never\n---\nStays.\n")
    with pytest.raises(StoppedError, match="deletion_policy"):
        memories.delete("/memories/a.md")


def test_clearing_is_one_commit_that_can_be_undone(memories: MemoryFiles, mdmem: Any, root: Path) -> None:
    for name in ("a", "b", "c"):
        memories.create(f"/memories/{name}/{name}.md", f"Fact {name}.\n")
    memories.clear()
    assert os.listdir(root / "allmemories/claude") == []
    mdmem("undo", "--last", 1, "--vault", root)
    assert sorted(os.listdir(root / "allmemories/claude")) == ["a", "b", "c"]


def test_the_folder_must_be_one_of_memories(vault: Vault, caller: Caller) -> None:
    for folder in ("topics", "..", ".mdmem", "/tmp"):
        with pytest.raises(UsageError):
            MemoryFiles(vault, folder, caller)


@pytest.mark.parametrize(
    ("command", "given"),
    [
        ("view", {}),
        ("view", {"path": "/memories", "view_range": "1-2"}),
        ("insert", {"path": "/memories/a.md", "insert_line": "1", "insert_text": "x"}),
        ("create", {"path": "/memories/a.md", "file_text": "\ud800"}),
    ],
)
def test_arguments_that_are_missing_or_wrong_are_named(command: str, given: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="must be a"):
        checked(command, given)

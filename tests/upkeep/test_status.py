"""The state of a vault at a glance."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mdmem.upkeep.status import survey
from mdmem.vault.vault import Vault


def test_the_last_write_is_told_after_many_commits_of_other_files(
    root: Path, vault: Vault, remember: Callable[..., str], git: Callable[..., str]
) -> None:
    remember("x", "some_note_here", actor="an-agent")
    for number in range(60):
        git(root, "commit", "-q", "--allow-empty", "-m", f"code {number}")
    assert survey(vault).last == "2026-03-01T12:00:00Z create by an-agent"


def test_a_vault_without_memories_has_no_last_write(vault: Vault) -> None:
    assert survey(vault).last == ""


def test_rebuild_counts_memories_not_files(root: Path, mdmem: Callable[..., Any]) -> None:
    (root / "allmemories/good_note_here.md").write_text("x")
    (root / "allmemories/binary_note_here.md").write_bytes(b"\0")
    assert mdmem("rebuild", "--vault", root).out == "indexed 1 memory\n"
    assert json.loads(mdmem("rebuild", "--json", "--vault", root).out) == {"memories": 1}

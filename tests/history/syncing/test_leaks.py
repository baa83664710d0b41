"""Passwords and keys in what a sync sends: named, and in a strict vault not sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdmem.errors import StoppedError
from mdmem.history.syncing import sync as syncing
from mdmem.history.syncing.sync import SyncRequest
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Git, Run
from tests.history.syncing.conftest import Clone

LEAK = "---\ntitle: Staging\n---\n\nIt lives in Ghent.\n\nThe staging password is Tr0ub4dor&3x.\n"
PATH = "allmemories/staging_lives_in_ghent.md"
NAMED = (PATH, 7, "warning")


def commit(clone: Clone, git: Git, text: str) -> str:
    note = clone.note("staging_lives_in_ghent")
    note.parent.mkdir(exist_ok=True)
    note.write_text(text)
    git(clone.root, "add", "--all")
    git(clone.root, "commit", "--quiet", "-m", "by hand, without hooks")
    return git(clone.root, "rev-parse", "--short=8", "HEAD").strip()


def test_a_secret_is_named_once_though_it_was_taken_out_again(
    here: Clone, there: Clone, git: Git, mdmem: Run
) -> None:
    oid = commit(here, git, LEAK)
    commit(here, git, LEAK.replace("Tr0ub4dor&3x", "in the safe"))
    (leak,) = here.sync(dry_run=True).secrets
    assert (leak.path, leak.line, leak.severity) == NAMED
    assert leak.message == f"seems to hold a secret (Password), since commit {oid}"
    assert "mdmem purge staging_lives_in_ghent" in leak.fix
    assert f"sent: {leak.where} {leak.message}" in mdmem("sync", "--vault", here.root).out
    there.remember("Tea is green.", "tea_is_green")
    assert there.sync().secrets == ()


def test_a_strict_vault_sends_none_unless_told_to(here: Clone, hub: Path, git: Git, mdmem: Run) -> None:
    with (here.root / "mdmem.toml").open("a") as settings:
        settings.write("\n[hooks]\nstrict = true\n")
    commit(here, git, LEAK)
    before = git(hub, "rev-parse", "main")
    with Vault(str(here.root)) as vault, pytest.raises(StoppedError, match="nothing was sent to origin"):
        syncing.sync(vault, SyncRequest(), Caller(NOW))
    assert git(hub, "rev-parse", "main") == before
    assert "mdmem sync --allow-secret" in mdmem("sync", "--vault", here.root, code=4).err
    mdmem("sync", "--allow-secret", "--vault", here.root)
    assert git(hub, "rev-parse", "main") != before

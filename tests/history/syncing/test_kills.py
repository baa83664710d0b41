"""A sync that is killed at any step leaves the old commit with its files or the new one; the next one finishes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.history.syncing.conftest import Clone

TEA, COFFEE, MILK = "likes_green_tea", "likes_black_coffee", "likes_cold_milk"

DYING = """
import os, sys
from datetime import datetime, UTC
from mdmem.store.git import commits, remotes, trees
from mdmem.history.syncing import sync, target
from mdmem.history.syncing import sync
from mdmem.store.local import files, journal
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
die = lambda *a, **k: os._exit(9)
def after(module, name):
    real = getattr(module, name)
    def doing(*args, **kwargs):
        result = real(*args, **kwargs)
        die()
    setattr(module, name, doing)
def before(module, name):
    setattr(module, name, die)
{how}
with Vault(sys.argv[1]) as vault:
    sync.sync(vault, sync.SyncRequest(), Caller(datetime.now(UTC)))
"""
STEPS = [
    'after(remotes, "fetch")',
    'after(remotes, "push")',
    'after(journal.Journal, "begin")',
    'after(journal.Journal, "replace")',
    'after(commits, "_claim")',
    'before(commits, "_move_head")',
    'after(commits, "_move_head")',
    'before(journal.Journal, "close")',
    'before(target, "remember")',
]


@pytest.mark.parametrize("how", STEPS)
def test_a_sync_killed_at_any_step(here: Clone, there: Clone, hub: Path, git: Git, how: str) -> None:
    for name in (TEA, MILK):
        there.remember(f"It is {name}.", name)
    there.sync()
    here.sync()
    there.update(TEA, confidence=0.9)
    git(there.root, "rm", "--quiet", str(there.note(MILK)))
    there.note(MILK).mkdir()  # the place of a note may be that of a folder
    (there.note(MILK) / "oat.md").write_text("Oats.")
    git(there.root, "add", str(there.note(MILK)))
    git(there.root, "commit", "--quiet", "-m", "no milk")
    (there.root / "main.py").write_text("x")
    git(there.root, "add", "main.py")
    git(there.root, "update-index", "--chmod=+x", "main.py")
    git(there.root, "commit", "--quiet", "-m", "code")
    there.sync()
    here.remember("Coffee is black.", COFFEE)
    (here.root / "own.txt").write_text("mine")
    old = git(here.root, "rev-parse", "HEAD")
    here.vault.close()
    died = subprocess.run([sys.executable, "-c", DYING.format(how=how), str(here.root)])
    assert died.returncode == 9
    assert here.vault.index.count() == 3  # settles what the dead process left
    now = git(here.root, "rev-parse", "HEAD")
    changed = git(here.root, "status", "--porcelain", "allmemories")
    assert changed == ""
    assert here.note(MILK).is_file() is (now == old)
    assert not (here.root / ".git/index.lock").exists()
    here.sync()
    there.sync()
    heads = {git(place, "rev-parse", "refs/heads/main") for place in (here.root, there.root, hub)}
    assert len(heads) == 1
    for clone in (here, there):
        assert b"0.9" in clone.note(TEA).read_bytes()
        assert clone.note(COFFEE).exists()
        assert not clone.note(MILK).is_file()
    assert git(here.root, "status", "--porcelain") == "?? own.txt"
    assert (here.root / "own.txt").read_text() == "mine"

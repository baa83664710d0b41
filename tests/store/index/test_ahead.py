"""A full build reads notes in several processes."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from mdmem.store.local import workers
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault

NOTES = {
    "plain": "Only text, with a [[link_to_another]] and a #tag.\n",
    "with_properties": "---\ntitle: Ein Titel mit Ümlaut\ncreated: 2026-01-02\nsalience: 0.7\n---\n\n# 学习\n",
    "archived": "---\narchived: true\nsensitivity: high\n---\n\nPut away.\n",
    "with_facts": "---\ntopic: boats\n---\n\n# Facts\n\n- The boat lies in Kiel.\n",
    "broken": "---\ntitle: [\n---\n\nText.\n",
}
TABLES = "SELECT name FROM sqlite_master WHERE type='table' AND name<>'dirty'"


def rows_after_rebuild(vault: Vault) -> dict[str, list[tuple[object, ...]]]:
    vault.whole_index.rebuild(allow_loss=False, progress=silent)
    db = vault.whole_index._db
    return {name: db.execute(f'SELECT * FROM "{name}"') for (name,) in db.execute(TABLES)}


def test_an_index_is_the_same_however_many_processes_read_its_notes(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a worker dies, and for notes that no worker can read."""
    folder = Path(vault.root, vault.config.memories)
    folder.mkdir(exist_ok=True)
    for name, text in NOTES.items():
        (folder / f"{name}.md").write_text(text)
    for number in range(120):
        (folder / f"note_{number}.md").write_text(f"---\ncategory: c{number}\n---\n\nNote number {number}.\n")
    (folder / "not_text.md").write_bytes(b"\xff\xfe\x00")
    alone = rows_after_rebuild(vault)
    assert len(alone["notes"]) >= len(NOTES) + 120
    monkeypatch.setattr(workers, "AT_LEAST", 10)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    assert rows_after_rebuild(vault) == alone
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    assert rows_after_rebuild(vault) == alone

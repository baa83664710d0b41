"""Topics as people and sessions meet them: listed, shown, made again, and at the start of a session."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from mdmem.__main__ import main
from mdmem.note import tokens

Run = Callable[..., Any]
NOTE = """\
---
title: Where Ana lives
created: 2026-02-01T10:00:00Z
topic: Home
---

The flat in Lisbon.

## Facts

- Ana · lives in · Lisbon (identity, current, 0.95)
- Ana · must · give notice three months ahead (constraint, current, 0.9)
"""


@pytest.fixture
def home(root: Path, git: Callable[..., str]) -> Path:
    """A vault with one topic, of a note."""
    (root / "allmemories/where_ana_lives_now.md").write_text(NOTE)
    (root / "topics").mkdir()
    git(root, "add", ".")
    git(root, "commit", "-qm", "notes")
    return root


def test_topics_are_listed_and_shown(home: Path, mdmem: Run, ask: Run) -> None:
    listed = mdmem("topics")
    assert listed.out == "home  2026-02-01  0 dialogs, 2 facts\n"
    page = mdmem("topics", "Home").out
    assert page == (home / "topics/home/topic_memory.md").read_text()
    assert "- Ana lives in Lisbon. ([2026-02-01](../../allmemories/where_ana_lives_now.md))" in page
    document = ask("topics", "--global")
    assert [(group["tier"], group["type"]) for group in document["do_not_forget"]] == [
        ("core", "identity"),
        ("core", "constraint"),
    ]


def test_a_topic_that_is_not_there_gets_the_nearest(home: Path, mdmem: Run) -> None:
    missing = mdmem("topics", "hoem", code=3)
    assert "did you mean home?" in missing.err


def test_rebuild_makes_the_pages_that_it_is_told_to(home: Path, mdmem: Run, ask: Run) -> None:
    assert mdmem("rebuild").out == "indexed 1 memory\n"
    assert not (home / "GLOBAL_MEMORY.md").exists()
    told = mdmem("rebuild", "topics").out
    assert told == "pages of 1 topic; 4 files written, 0 removed\n"
    (home / "GLOBAL_MEMORY.md").unlink()
    mdmem("rebuild", "global")
    assert "Ana lives in Lisbon" in (home / "GLOBAL_MEMORY.md").read_text()
    both = ask("rebuild", "all")
    assert (both["memories"], both["topics"], both["written"]) == (1, 1, 0)


def test_a_session_starts_with_the_global_page(home: Path, mdmem: Run) -> None:
    text = mdmem("session", "start", "--budget", 800).out
    first, vault, session, *_ = text.split("\n")
    assert "Memory:" in first
    assert vault.startswith(f"Vault {home}")
    assert session.startswith("Session: ")
    brief = text.partition("> # Global memory")[2]
    assert "Ana must give notice" in brief
    assert tokens.estimate(text) <= 800


def test_the_doctor_names_a_page_that_is_out_of_date(home: Path, mdmem: Run) -> None:
    mdmem("rebuild", "topics")
    (home / "topics/home/topic_memory.json").unlink()
    told = mdmem("doctor").out
    assert "topics/home/topic_memory.json" in told
    assert "mdmem rebuild topics" in told


def test_topics_and_facts_are_shown_where_nothing_can_be_written(
    home: Path,
    tmp_path: Path,
    mdmem: Run,
    without_rights: Callable[[Callable[[], str]], str],
) -> None:
    chat = tmp_path / "chat.txt"
    chat.write_text("User: I live in Lisbon.\n")
    mdmem("ingest", chat, "--topic", "flat", "--time", "2026-02-08T14:05Z")
    (home / "allmemories/where_ana_lives_now.md").unlink()

    def look() -> str:
        shown = (["topics"], ["topics", "flat"], ["topics", "--global", "--json"], ["facts", "flat"])
        out = io.StringIO()
        with redirect_stdout(out):
            codes = [main([*line, "--vault", str(home)]) for line in shown]
        told = re.sub(r',\n  "warnings": \[.*?\]', "", out.getvalue(), flags=re.S)  # that nothing can be written
        return f"{codes} {told}"

    before = look()
    assert "ives in Lisbon" in before
    for page in [*home.glob("topics/flat/topic_memory.*"), *home.glob("GLOBAL_MEMORY.*")]:
        page.unlink()
    folders = [home, *(path for path in home.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    (home / ".mdmem/pages.lock").chmod(0o444)
    shown = without_rights(look)
    for folder in folders:
        folder.chmod(0o755)
    assert shown == before
    assert not (home / "GLOBAL_MEMORY.md").exists()

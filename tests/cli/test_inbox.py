"""The inbox on the command line: listed, kept, rejected, and gone through in a real terminal."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.inbox import filling
from mdmem.operation import Caller
from mdmem.vault.vault import Vault
from tests.cli.garden.test_review import Terminal
from tests.conftest import NOW
from tests.inbox.test_filling import chat

Run = Callable[..., Any]


@pytest.fixture
def waiting(root: Path, tmp_path: Path) -> Path:
    """A vault with three proposals in its inbox."""
    (tmp_path / "log.jsonl").write_text("\n".join(chat()))
    with Vault(str(root)) as vault:
        filling.fill(vault, str(tmp_path / "log.jsonl"), Caller(NOW, "claude-code"), 5)
    return root


def listed(root: Path, mdmem: Run) -> list[str]:
    return [item["text"] for item in json.loads(mdmem("inbox", "--json", "--vault", root).out)]


def test_the_list_says_what_why_how_sure_and_from_whom(waiting: Path, mdmem: Run) -> None:
    out = mdmem("inbox", "--vault", waiting).out
    assert "preference  0.90  I prefer tabs over spaces in Go files" in out
    assert "(states a preference; claude-code, session sess-1, line 1)" in out
    assert "mdmem inbox review" in out


def test_a_start_and_the_status_say_how_many_wait(waiting: Path, mdmem: Run) -> None:
    assert "3 captured memories wait in the inbox" in mdmem("session", "start", "--vault", waiting).out
    assert "inbox      3 proposals: mdmem inbox review" in mdmem("status", "--vault", waiting).out
    mdmem("inbox", "reject", "--all", "--vault", waiting)
    assert "inbox" not in mdmem("session", "start", "--vault", waiting).out
    assert "inbox" not in mdmem("status", "--vault", waiting).out
    assert mdmem("inbox", "--vault", waiting).out == "nothing waits in the inbox\n"


def test_some_are_kept_and_some_rejected(waiting: Path, mdmem: Run) -> None:
    tabs, heron, _ = json.loads(mdmem("inbox", "--json", "--vault", waiting).out)
    assert "remembered allmemories/prefer_tabs" in mdmem("inbox", "keep", tabs["id"], "--vault", waiting).out
    assert mdmem("inbox", "reject", heron["id"][:6], "--vault", waiting).out == "rejected 1 proposal\n"
    assert listed(waiting, mdmem)[0].startswith("Deploys are frozen in December.")
    assert mdmem("list", "--vault", waiting, "--json").out.count('"path"') == 1


def test_a_rejection_is_taken_back(waiting: Path, mdmem: Run) -> None:
    before = listed(waiting, mdmem)
    first, second, third = (item["id"] for item in json.loads(mdmem("inbox", "--json", "--vault", waiting).out))
    mdmem("inbox", "reject", first, second, "--vault", waiting)
    mdmem("inbox", "keep", third, "--vault", waiting)
    assert mdmem("inbox", "reject", "--take-back", first, "--vault", waiting).out == "waiting again: 1 proposal\n"
    assert listed(waiting, mdmem) == before[:1]
    mdmem("inbox", "reject", "--take-back", "--all", "--vault", waiting)
    assert listed(waiting, mdmem) == before[:2]
    assert "no proposal" in mdmem("inbox", "reject", "--take-back", third, "--vault", waiting, code=3).err


def test_nothing_is_kept_or_rejected_without_being_named(waiting: Path, mdmem: Run) -> None:
    for command in ("keep", "reject"):
        assert "say which proposals" in mdmem("inbox", command, "--vault", waiting, code=2).err
    assert len(listed(waiting, mdmem)) == 3


def test_a_review_needs_a_terminal(waiting: Path, mdmem: Run) -> None:
    assert "a review needs a terminal" in mdmem("inbox", "review", "--vault", waiting, code=2).err


def test_a_review_keeps_edits_rejects_and_puts_off_by_key(
    waiting: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nsed -i "s/heron/egret/" "$1"\n')
    os.chmod(editor, 0o755)
    monkeypatch.setenv("MDMEM_EDITOR", str(editor))
    terminal = Terminal("inbox", "review", "--vault", waiting)
    shown = terminal.answer("?", "n", "e", "l")
    assert terminal.code == 0, shown
    assert "y  keep: it becomes a memory" in shown
    assert "remembered allmemories/staging_database_called_egret.md" in shown
    assert "1 rejected, 1 kept, 1 later" in shown
    assert listed(waiting, mdmem)[0].startswith("Deploys are frozen in December.")
    assert "called egret" in mdmem("show", "staging_database_called_egret", "--vault", waiting).out


# -- when the session was undone


def undone_bot(root: Path, mdmem: Run) -> Any:
    mdmem(
        "remember", "Otter is written in Rust.", "--session", "sess-1", "--actor", "claude-code", "--vault", root
    )
    return mdmem("undo", "--session", "sess-1", "--vault", root)


def test_undo_says_what_waits_from_its_session_and_how_to_reject_it(waiting: Path, mdmem: Run) -> None:
    told = undone_bot(waiting, mdmem).err
    assert "3 captured memories of session sess-1 wait in the inbox: mdmem inbox reject sess-1" in told
    assert mdmem("inbox", "reject", "sess-1", "--vault", waiting).out == "rejected 3 proposals\n"
    assert listed(waiting, mdmem) == []


def test_the_inbox_marks_what_came_from_an_undone_session(waiting: Path, mdmem: Run) -> None:
    assert "undone" not in mdmem("inbox", "--vault", waiting).out
    undone_bot(waiting, mdmem)
    assert mdmem("inbox", "--vault", waiting).out.count("its session was undone") == 3
    told = json.loads(mdmem("inbox", "--json", "--vault", waiting).out)
    assert [one["session_undone"] for one in told] == [True, True, True]
    mdmem("undo", "--commit", "HEAD", "--vault", waiting)
    assert "undone" not in mdmem("inbox", "--vault", waiting).out


def test_a_session_of_which_something_is_left_counts_as_none_that_was_undone(waiting: Path, mdmem: Run) -> None:
    mdmem("remember", "Heron is the staging database.", "--session", "sess-1", "--vault", waiting)
    mdmem("remember", "Otter is written in Rust.", "--session", "sess-1", "--vault", waiting)
    mdmem("undo", "--last", "1", "--vault", waiting)
    assert "undone" not in mdmem("inbox", "--vault", waiting).out

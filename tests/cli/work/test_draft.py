"""`mdmem work add --from`: a draft is shown, told what is not known of it, written once, and edited."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.capture import sessions
from tests.capture.sessions import claude_line, jsonl
from tests.conftest import Ran

Run = Callable[..., Ran]


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "s-claude.jsonl"
    path.write_text(sessions.CLAUDE)
    return path


def test_a_dry_run_shows_the_note_and_writes_nothing(
    transcript: Path, root: Path, mdmem: Run, ask: Run, git: Callable[..., str]
) -> None:
    head = git(root, "rev-parse", "HEAD")
    shown = mdmem("work", "add", "--from", transcript, "--dry-run").out
    assert "\ndrafted: true\n" in shown
    assert (
        "\n> [!note] Drafted from the transcript of a session: read it before you rely on it.\n\n## Intent\n"
        in shown
    )
    assert "    - file_path: src/list.py\n" in shown
    told = ask("work", "add", "--from", transcript, "--dry-run")
    assert told["properties"]["drafted"] is True
    assert told["memory"]["outcome"]["success"] is True
    assert git(root, "rev-parse", "HEAD") == head


def test_a_draft_is_written_in_the_name_of_its_session_once(
    transcript: Path, root: Path, mdmem: Run, ask: Run, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_ACTOR", "somebody")
    done = ask("work", "add", "--from", transcript)
    assert done["doubts"] == []
    message = git(root, "log", "-1", "--format=%B")
    assert "Memory-Actor: claude-code\nMemory-Session: s-claude" in message
    note = (root / done["path"]).read_text()
    assert {"actor: claude-code", "session: s-claude", "project: shop", "drafted: true"} <= set(note.splitlines())
    assert "created: 2026-02-08T14:05:13Z" in note
    found = mdmem("recall", "--as", "work", "--file", "src/list.py").out
    assert "edit src/list.py" in found  # the notice above the sections hides nothing
    assert mdmem("doctor").code == 0
    again = mdmem("work", "add", "--from", transcript, code=5)
    assert "was drafted from that session already" in again.err


def test_a_work_of_a_subagent_names_the_session_it_was_done_for(
    tmp_path: Path, root: Path, ask: Run, git: Callable[..., str]
) -> None:
    logged = [{**line, "isSidechain": True, "agentId": "a1"} for line in sessions.CLAUDE_LINES]
    (tmp_path / "agent-a1.jsonl").write_text(jsonl(*logged))
    done = ask("work", "add", "--from", tmp_path / "agent-a1.jsonl")
    assert "Memory-Session: agent-a1\nMemory-Parent-Session: s-claude" in git(root, "log", "-1", "--format=%B")
    lines = (root / done["path"]).read_text().splitlines()
    assert {"session: agent-a1", "parent_session: s-claude", "parent_actor: claude-code"} <= set(lines)


def test_success_that_is_not_known_is_told_and_can_be_given(tmp_path: Path, root: Path, mdmem: Run) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(jsonl(*(line for line in sessions.CLAUDE_LINES if "pytest" not in json.dumps(line))))
    told = mdmem("work", "add", "--from", path, "--dry-run")
    assert "success is not known: no check ran after the last change" in told.err
    assert "- success: false\n- summary: Not known whether it succeeded. " in told.out
    told = mdmem("work", "add", "--from", path, "--dry-run", "--success")
    assert told.err == ""
    assert "- success: true\n- summary: The list sorts" in told.out


def test_an_incomplete_draft_names_what_is_missing(tmp_path: Path, root: Path, mdmem: Run) -> None:
    (tmp_path / "s.jsonl").write_text(jsonl(claude_line("user", "Fix the list", 1)))
    refused = mdmem("work", "add", "--from", tmp_path / "s.jsonl", code=2)
    assert "outcome.summary is missing" in refused.err


def test_a_person_may_edit_a_draft_and_vouch_for_it(
    transcript: Path, root: Path, ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i -e '/^drafted:/d' -e 's/numbers now/numbers at last/' \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("MDMEM_EDITOR", str(editor))
    done = ask("work", "add", "--from", transcript, "--edit")
    note = (root / done["path"]).read_text()
    assert "numbers at last" in note
    assert "drafted" not in note.lower()


def test_what_does_not_go_together_is_refused(transcript: Path, root: Path, mdmem: Run) -> None:
    assert "leave out x.json" in mdmem("work", "add", "x.json", "--from", transcript, code=2).err
    assert "go with --from" in mdmem("work", "add", "--success", code=2).err

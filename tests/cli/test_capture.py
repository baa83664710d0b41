"""`mdmem capture`, as people and scripts run it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Git, Run, Stdin

CHAT = """\
User: Which editor settings should I commit?
Assistant: Whatever you like.
User: I prefer tabs over spaces. And remember this: the lease ends on 30 June.
"""


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.md"
    path.write_text(CHAT)
    return path


def test_by_default_only_the_plan_is_printed(chat: Path, root: Path, mdmem: Run, git: Run) -> None:
    head = git(root, "rev-parse", "HEAD")
    ran = mdmem("capture", chat)
    assert ran.out.splitlines() == [
        'preference  0.90  line 3  "I prefer tabs over spaces."',
        "   would remember: I prefer tabs over spaces (states a preference)",
        'save  0.95  line 3  "And remember this: the lease ends on 30 June."',
        "   would remember: The lease ends on 30 June (asks to remember)",
    ]
    assert "would remember 2 memories; add --write to write them" in ran.err
    assert git(root, "rev-parse", "HEAD") == head
    assert git(root, "status", "--porcelain") == ""


def test_write_commits_with_the_session_and_again_there_is_nothing_to_do(
    chat: Path, root: Path, mdmem: Run, git: Run
) -> None:
    ran = mdmem("capture", chat, "--write", "--session", "s1", "--actor", "gpt")
    assert "remembered allmemories/prefer_tabs_over_spaces.md" in ran.out
    assert "Memory-Session: s1" in git(root, "log", "-1", "--format=%B")
    again = mdmem("capture", chat, "--write")
    assert again.out.count("left out, known") == 2
    assert again.out.endswith("nothing to remember\n")


def test_json_from_standard_input_has_all_that_is_known_of_a_proposal(ask: Run, stdin: Stdin) -> None:
    stdin(CHAT)
    done = ask("capture", "-", "--only", "preference")
    assert (done["format"], done["commit"]) == ("text", "")
    unknown = ("place", "session", "parent_session", "actor", "project", "memory", "path")
    (proposal,) = done["proposals"]
    assert proposal == {
        "trigger": "preference",
        "confidence": 0.9,
        "why": "states a preference",
        "line": 3,
        "quote": "I prefer tabs over spaces.",
        "verdict": "new",
        "reason": "states a preference",
        "title": "I prefer tabs over spaces",
        "text": "I prefer tabs over spaces.\n\n— the user",
        **dict.fromkeys(unknown),
        "may_change": [],
    }


def test_a_line_that_cannot_be_read_is_told_and_the_rest_goes_in(tmp_path: Path, root: Path, mdmem: Run) -> None:
    path = tmp_path / "chat.jsonl"
    good = json.dumps({"role": "user", "content": "I prefer tabs over spaces."})
    path.write_text(f'{good}\n{{"role": \n{good}\n')
    ran = mdmem("capture", path, code=1)
    assert "chat.jsonl:2" in ran.err
    assert "would remember: I prefer tabs" in ran.out


def test_a_file_that_is_no_text_is_refused_with_what_is_read(tmp_path: Path, root: Path, mdmem: Run) -> None:
    """It was told to keep binary files outside of the memories, and it was outside."""
    (tmp_path / "chat.bin").write_bytes(b"\x7fELF\0")
    told = mdmem("capture", tmp_path / "chat.bin", "--vault", root, code=1).err
    assert "chat.bin:1: holds NUL bytes" in told
    assert "mdmem reads files of text" in told


def test_a_surer_threshold_leaves_more_out(chat: Path, mdmem: Run) -> None:
    ran = mdmem("capture", chat, "--min-confidence", "0.93")
    assert "save" in ran.out
    assert "preference" not in ran.out
    mdmem("capture", chat, "--write", "--dry-run", code=2)


def test_an_export_may_be_larger_than_a_memory(chat: Path, root: Path, mdmem: Run) -> None:
    """Years of chats are hundreds of megabytes."""
    padding = "x" * 1023 + "\n"
    chat.write_text(f"{CHAT}Assistant: here is your file\n```\n{padding * 10_300}```\n")
    assert "would remember 2 memories" in mdmem("capture", chat).err


def _claude_log(place: Path, *sessions: str) -> Path:
    """A log of Claude Code in which something is said in each session."""
    records = (
        {
            "type": "user",
            "sessionId": session,
            "uuid": f"u-{session}",
            "timestamp": "2026-02-08T14:05:00Z",
            "message": {"role": "user", "content": f"Remember this: the {session} server stands in rack nine."},
        }
        for session in sessions
    )
    place.write_text("".join(json.dumps(record) + "\n" for record in records))
    return place


def test_capture_keeps_the_session_and_the_agent_of_a_transcript(
    tmp_path: Path, root: Path, mdmem: Run, ask: Run, git: Git
) -> None:
    mdmem("session", "start", "--actor", "claude-code", "--session", "another")
    mdmem("capture", _claude_log(tmp_path / "cc-777.jsonl", "cc-777"), "--write")
    message = git(root, "log", "-1", "--format=%B")
    assert "Memory-Actor: claude-code\nMemory-Session: cc-777" in message
    (memory,) = ask("list")
    assert "session: cc-777\nactor: claude-code" in mdmem("show", memory["name"]).out
    assert "took back 1 commit" in mdmem("undo", "--session", "cc-777").out


def test_what_is_typed_wins_over_the_transcript(tmp_path: Path, root: Path, mdmem: Run, git: Git) -> None:
    log = _claude_log(tmp_path / "log.jsonl", "cc-777")
    mdmem("capture", log, "--write", "--session", "mine", "--actor", "eve")
    assert "Memory-Actor: eve\nMemory-Session: mine" in git(root, "log", "-1", "--format=%B")
    assert "session: mine" in git(root, "show", "HEAD")


def test_memories_of_several_conversations_name_each_its_own(
    tmp_path: Path, root: Path, mdmem: Run, git: Git
) -> None:
    mdmem("capture", _claude_log(tmp_path / "log.jsonl", "cc-1", "cc-2"), "--write")
    assert "Memory-Session" not in git(root, "log", "-1", "--format=%B")
    written = git(root, "show", "HEAD")
    assert "+session: cc-1" in written
    assert "+session: cc-2" in written


def test_what_a_new_memory_may_change_is_asked_as_by_remember(root: Path, mdmem: Run, chat: Path) -> None:
    mdmem("remember", "The team standup is at ten every day.", "--vault", root)
    chat.write_text("User: Remember that the team standup is at eleven every day.\n")
    told = mdmem("capture", chat, "--write", "--json", "--vault", root)
    (one,) = json.loads(told.out)["proposals"]
    assert [asked["name"] for asked in one["may_change"]] == ["team_standup_ten_every_day"]
    chat.write_text("User: Remember that the team standup is at twelve every day.\n")
    told = mdmem("capture", chat, "--write", "--vault", root)
    assert "may change team_standup_eleven_every_day" in told.err

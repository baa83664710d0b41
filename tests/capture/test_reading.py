"""Transcripts where their clients keep them: whose session it is stands in the notes and commits, once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from mdmem.capture import proposals, reading, weighing
from mdmem.errors import NotFoundError, UsageError
from mdmem.store.operation import Caller, Written
from mdmem.store.vault.vault import Vault
from tests.capture import sessions
from tests.capture.sessions import OPENCODE_SESSION, SESSIONS, claude_line, jsonl

Git = Callable[..., str]


def captured(vault: Vault, path: Path, caller: Caller, session: str = "") -> Written:
    found = reading.read(str(path), session=session)
    decisions = weighing.weigh(vault, found.proposals, found.recalled)
    return proposals.write(vault, decisions, caller._replace(actor=found.actor))


@pytest.fixture
def with_subagent(tmp_path: Path) -> Path:
    """A session of Claude Code with a subagent that learned something, and a log of another one that is no log."""
    path = tmp_path / "s-claude.jsonl"
    path.write_text(sessions.CLAUDE)
    folder = tmp_path / "s-claude/subagents"
    folder.mkdir(parents=True)
    lines = (
        claude_line("user", "I prefer short reports. Find out why.", 1),
        claude_line("assistant", [{"type": "text", "text": "The tests failed because the port was taken."}], 2),
    )
    of_subagent = {"isSidechain": True, "agentId": "a1"}
    (folder / "agent-a1.jsonl").write_text(jsonl(*({**line, **of_subagent} for line in lines)))
    (folder / "agent-a2.jsonl").write_text("no log at all\n")
    return path


def test_notes_and_commit_say_whose_session_it_was(
    vault: Vault, root: Path, git: Git, caller: Caller, with_subagent: Path
) -> None:
    done = captured(vault, with_subagent, caller)
    notes = [vault.get(path) for path in done.paths]
    assert {(note.title, note.text("session"), note.text("actor")) for note in notes} >= {
        ("I prefer tabs over spaces", "s-claude", "claude-code"),
        ("The tests failed because the port was taken", "agent-a1", "claude-code"),
    }
    assert [note.text("project") for note in notes if note.text("session") == "agent-a1"] == ["shop"]
    assert {note.created[:19] for note in notes} == {"2026-02-08T14:05:01", "2026-02-08T14:05:02"}
    message = git(root, "log", "-1", "--format=%B")
    assert "Memory-Actor: claude-code\nMemory-Session: s-claude" in message


def test_what_a_subagent_alone_learned_is_found_from_its_parent(
    vault: Vault, root: Path, git: Git, caller: Caller, with_subagent: Path
) -> None:
    captured(vault, with_subagent.with_suffix("") / "subagents/agent-a1.jsonl", caller)
    message = git(root, "log", "-1", "--format=%B")
    assert "Memory-Session: agent-a1\nMemory-Parent-Session: s-claude" in message


def test_a_subagent_that_cannot_be_read_is_told_and_stops_nothing(with_subagent: Path) -> None:
    found = reading.read(str(with_subagent))
    assert [Path(problem.path).name for problem in found.problems] == ["agent-a2.jsonl"]
    assert {proposal.parent for proposal in found.proposals} == {"", "s-claude"}


def test_a_session_captured_twice_gives_nothing_new(vault: Vault, caller: Caller, tmp_path: Path) -> None:
    """Nor does the same session, told by any other client."""
    paths = []
    for name, (text, _) in {**SESSIONS, "aider": (sessions.AIDER, ""), "cursor": (sessions.CURSOR, "")}.items():
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text(text)
    assert len(captured(vault, paths[0], caller).paths) >= 1
    assert [captured(vault, path, caller).paths for path in paths] == [()] * len(paths)


def test_a_place_tells_what_a_log_does_not(tmp_path: Path) -> None:
    chats = tmp_path / "tmp/shop/chats"
    chats.mkdir(parents=True)
    (chats / "session-1.jsonl").write_text(sessions.GEMINI)
    (chats.parent / ".project_root").write_text("/projects/shop\n")
    (tmp_path / ".aider.chat.history.md").write_text(sessions.AIDER)
    (tmp_path / "c-42.jsonl").write_text(sessions.CURSOR)
    found = [
        reading.read(str(path)).proposals[0]
        for path in (chats / "session-1.jsonl", tmp_path / ".aider.chat.history.md", tmp_path / "c-42.jsonl")
    ]
    assert [(proposal.actor, proposal.project, proposal.session) for proposal in found] == [
        ("gemini-cli", "shop", "s-gemini"),
        ("aider", tmp_path.name, "aider-2026-02-08T14:05:00"),
        ("cursor", "", "c-42"),
    ]


def test_a_subagent_of_gemini_is_known_by_its_folder(tmp_path: Path) -> None:
    chats = tmp_path / "chats"
    (chats / "s-gemini").mkdir(parents=True)
    (chats / "session-1.jsonl").write_text(sessions.GEMINI)
    opening = {"sessionId": "sub-1", "projectHash": "9", "kind": "subagent", "directories": ["/projects/shop"]}
    task = sessions.gemini_line(1, "user", "I prefer short reports.")
    (chats / "s-gemini/sub-1.jsonl").write_text(jsonl(opening, task))
    main, sub = (parsed.conversations[0] for _, parsed in reading.sources(str(chats / "session-1.jsonl")))
    assert (main.run.parent, sub.id, sub.run.parent, sub.project) == ("", "sub-1", "s-gemini", "shop")
    assert [turn.speaker for turn in sub.turns] == ["system"]


def test_a_given_session_names_what_the_transcript_calls_otherwise(with_subagent: Path) -> None:
    assert {proposal.session for proposal in reading.read(str(with_subagent), session="mine").proposals} == {
        "mine"
    }


# -- the database of OpenCode --------------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with the session of the export, one of a subagent of it, and another one."""
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            "CREATE TABLE session (id, parent_id, directory, title, time_created);"
            "CREATE TABLE message (id, session_id, time_created, data); CREATE TABLE part (id, message_id, data);"
        )
        for number, (id, parent) in enumerate((("ses_1", None), ("ses_2", "ses_1"), ("ses_3", None))):
            info = OPENCODE_SESSION["info"]
            connection.execute(
                "INSERT INTO session VALUES (?,?,?,?,?)", [id, parent, info["directory"], "t", number]
            )
            for message in OPENCODE_SESSION["messages"]:
                key = f"{id}-{message['info']['id']}"
                data = json.dumps({name: value for name, value in message["info"].items() if name != "id"})
                when = message["info"]["time"]["created"]
                connection.execute("INSERT INTO message VALUES (?,?,?,?)", [key, id, when, data])
                parts = [[f"{id}-{part['id']}", key, json.dumps(part)] for part in message["parts"]]
                connection.executemany("INSERT INTO part VALUES (?,?,?)", parts)
    return path


def test_the_database_of_opencode_says_what_an_export_says(database: Path, tmp_path: Path) -> None:
    (tmp_path / "export.json").write_text(sessions.OPENCODE)
    ((_, exported),) = reading.sources(str(tmp_path / "export.json"))
    ((_, stored),) = reading.sources(str(database))
    assert [chat.id for chat in stored.conversations] == ["ses_1", "ses_2", "ses_3"]
    assert stored.conversations[1].run.parent == "ses_1"
    for one, other in zip(exported.conversations[0].turns, stored.conversations[0].turns, strict=True):
        assert (one.speaker, one.text, one.when) == (other.speaker, other.text, other.when)
    deeds = [
        [deed._replace(line=0) for deed in chat.run.deeds]
        for chat in (*exported.conversations, *stored.conversations)
    ]
    assert deeds[0] == deeds[1]


def test_one_session_of_a_database_comes_with_its_subagents(database: Path) -> None:
    found = reading.read(str(database), session="ses_1")
    assert {(proposal.session, proposal.parent) for proposal in found.proposals} <= {
        ("ses_1", ""),
        ("ses_2", "ses_1"),
    }
    assert {proposal.session for proposal in reading.read(str(database)).proposals} == {"ses_1", "ses_3"}


def test_a_damaged_row_is_told_and_the_rest_is_read(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE part SET data = '{\"type' WHERE id = 'ses_3-prt_130'")
    ((_, stored),) = reading.sources(str(database))
    assert [problem.message for problem in stored.problems] == ["part ses_3-prt_130 is not valid JSON"]
    assert stored.conversations[2].turns[0].text == sessions.REQUEST


def test_another_database_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection, connection:
        connection.execute("CREATE TABLE notes (id)")
    with pytest.raises(UsageError, match="not a database of OpenCode"):
        reading.read(str(tmp_path / "other.db"))
    with pytest.raises(NotFoundError, match="cannot be read"):
        reading.read(str(tmp_path / "gone.jsonl"))

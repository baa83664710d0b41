"""The logs of agents: one session told by each of them gives the same words and the same deeds."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdmem.capture import transcripts
from mdmem.capture.agentlogs import reader
from mdmem.capture.agentlogs.forms import FORMS, PREPARE
from mdmem.capture.turns import CREATE, EDIT, Conversation, JsonRecord
from mdmem.store.identity import AGENTS
from tests.capture import sessions
from tests.capture.sessions import CREATED, EDITED, SAID, SESSIONS, TEST, claude_line, jsonl


def read(text: str) -> Conversation:
    (chat,) = transcripts.parse(text, "log").conversations
    return chat


def said(chat: Conversation) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in chat.turns if turn.speaker in ("user", "assistant")]


@pytest.mark.parametrize("name", SESSIONS)
def test_every_client_tells_the_same_session(name: str) -> None:
    """What the program puts into the user's mouth, thoughts and noise are not said by anybody."""
    text, id = SESSIONS[name]
    parsed = transcripts.parse(text, "log")
    (chat,) = parsed.conversations
    assert (parsed.format, parsed.problems) == (name, ())
    assert said(chat) == SAID
    assert chat.id == id
    assert chat.turns[0].when == "2026-02-08T14:05:01Z" if chat.turns[0].speaker == "user" else True
    assert chat.project == ("" if name == "gemini-cli" else "shop")  # Gemini's log names no folder
    assert name in {agent.name for agent in AGENTS}


@pytest.mark.parametrize("name", SESSIONS)
def test_every_client_tells_the_same_deeds(name: str) -> None:
    """In particular a command that failed: some clients count it as a success of the tool."""
    run = read(SESSIONS[name][0]).run
    assert run.deeds[-2].arguments.get("command", run.deeds[-2].arguments.get("cmd")) == TEST
    assert [deed.failed for deed in run.deeds][-2:] == [True, False]
    assert not any(deed.failed for deed in run.deeds[:-2])
    assert run.thoughts[0].turn <= run.deeds[0].turn
    assert "number" in run.thoughts[0].text


@pytest.mark.parametrize("name", ["claude-code", "codex", "copilot", "gemini-cli"])
def test_what_a_client_says_of_files_is_kept(name: str) -> None:
    changed = [change for deed in read(SESSIONS[name][0]).run.deeds for change in deed.changed]
    assert changed == [(EDITED, EDIT), (CREATED, CREATE)]


def strings(value: object) -> list[str]:
    """Every key and value in a table."""
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in [str(key), *strings(item)]]
    return [text for item in value for text in strings(item)] if isinstance(value, list) else [str(value)]


@pytest.mark.parametrize("client", list(reader.clients()))
def test_a_table_names_only_what_there_is(client: str) -> None:
    """A form or an order of lines that nobody wrote would stop only the log that meets it."""
    table = reader.clients()[client]
    assert table.get("prepare", "pi") in PREPARE
    forms = [way[1] for text in strings(table) if (way := re.fullmatch(r"[\w.^/]+!(\w+)", text))]
    assert [form for form in forms if form not in FORMS] == []


def test_a_subagent_has_a_session_of_its_own_and_hears_no_person() -> None:
    """What one agent tells another is no preference of a person."""
    lines = [
        claude_line("user", "I prefer tabs. Find the sort.", 1, isSidechain=True, agentId="a1"),
        claude_line(
            "assistant", [{"type": "text", "text": "It is in list.py."}], 2, isSidechain=True, agentId="a1"
        ),
    ]
    chat = read(jsonl(*lines))
    assert (chat.id, chat.run.parent) == ("agent-a1", "s-claude")
    assert [(turn.speaker, turn.name) for turn in chat.turns] == [("system", "task"), ("assistant", "assistant")]


def test_a_subagent_of_codex_names_the_thread_that_started_it() -> None:
    meta = sessions.codex_line(
        "session_meta", 0, id="s2", cwd="/w", source={"subagent": {"thread_spawn": {"parent_thread_id": "s1"}}}
    )
    chat = read(jsonl(meta, sessions.codex_message("user", "I prefer tabs.", 1)))
    assert (chat.id, chat.run.parent, chat.turns[0].speaker) == ("s2", "s1", "system")


def test_compaction_loses_nothing_and_says_nothing() -> None:
    """The words in front of it stay; nobody said the summary, or an error of the program."""
    boundary = {"type": "system", "subtype": "compact_boundary", "sessionId": "s-claude", "content": "compacted"}
    summary = claude_line("user", "I prefer long summaries.", 20, isCompactSummary=True)
    error = claude_line("assistant", [{"type": "text", "text": "Too long."}], 21, isApiErrorMessage=True)
    chat = read(sessions.CLAUDE + jsonl(boundary, summary, error))
    assert said(chat) == SAID
    assert [turn.speaker for turn in chat.turns[-2:]] == ["system", "system"]


def test_gemini_keeps_what_a_compression_drops_and_drops_what_was_rewound() -> None:
    compressed = {"$set": {"messages": [sessions.gemini_line(30, "user", "<state_snapshot>x</state_snapshot>")]}}
    assert said(read(sessions.GEMINI + jsonl(compressed))) == SAID
    rewound = {"$rewindTo": "g3"}
    chat = read(sessions.GEMINI + jsonl(rewound))
    assert said(chat) == SAID[:2]
    assert chat.run.deeds == ()


def test_an_older_log_of_gemini_is_one_object() -> None:
    messages = [line for line in sessions.GEMINI_LINES if "type" in line]
    old = {"sessionId": "s-old", "projectHash": "9de2", "startTime": "", "messages": messages}
    chat = read(json.dumps(old, indent=2))
    assert (chat.id, said(chat)) == ("s-old", SAID)


def test_a_branch_of_pi_with_a_gap_is_read_whole() -> None:
    lines = [line for line in sessions.PI_LINES if line["id"] != "p4"]
    assert len(said(read(jsonl(*lines)))) == len(SAID) + 1


def test_aider_has_a_session_for_each_start() -> None:
    parsed = transcripts.parse(sessions.AIDER * 2, ".aider.chat.history.md")
    assert parsed.format == "aider"
    assert [chat.id for chat in parsed.conversations] == ["aider-2026-02-08T14:05:00"] * 2
    chat = parsed.conversations[0]
    assert said(chat)[0] == SAID[0]
    assert said(chat)[1][1].startswith(sessions.PLAN)
    assert [(deed.tool, *deed.arguments.values()) for deed in chat.run.deeds] == [
        ("read", "src/list.py"),
        ("edit", "src/list.py"),
        ("run", TEST),
    ]
    lines = sessions.AIDER.split("\n")
    assert lines[chat.turns[2].line - 1] == f"#### {sessions.REQUEST}"


@pytest.mark.parametrize("text", [sessions.CURSOR, sessions.CURSOR_TEXT, sessions.CURSOR_EXPORT])
def test_cursor_is_read_in_each_of_its_forms(text: str) -> None:
    parsed = transcripts.parse(text, "log")
    assert parsed.format == ("cursor" if text == sessions.CURSOR else "cursor-text")
    assert said(parsed.conversations[0]) == SAID
    first = parsed.conversations[0].turns[0]
    assert sessions.REQUEST in "\n".join(text.split("\n")[first.line - 1 : first.line + 3])


@pytest.mark.parametrize("name", [name for name in SESSIONS if name != "opencode"])
@settings(max_examples=20)
@given(data=st.data())
def test_a_damaged_line_never_stops_the_rest_and_is_told(name: str, data: st.DataObject) -> None:
    lines = SESSIONS[name][0].splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    cut = data.draw(st.integers(1, len(lines[at]) - 1))
    damaged = [*lines[:at], lines[at][:cut], *lines[at + 1 :]]
    parsed = transcripts.parse("\n".join(damaged), "log")
    assert [problem.line for problem in parsed.problems] == [at + 1]
    whole = [words for chat in parsed.conversations for words in said(chat)]
    assert len(set(whole) & set(SAID)) >= len(SAID) - 1


def paths(value: object, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where in a JSON value there is something to replace."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(path for key, item in inner for path in paths(item, (*here, key)))]


@pytest.mark.parametrize("name", SESSIONS)
@settings(max_examples=20)
@given(data=st.data())
def test_a_field_that_is_not_what_it_should_be_stops_nothing(name: str, data: st.DataObject) -> None:
    """No client documents its log, so any field may be anything."""
    odd = st.sampled_from([None, True, -1, 10**20, 1.5, "", "x", [], {}, [{}], [[]], {"text": 1}])
    text = SESSIONS[name][0]
    lines = [json.loads(text)] if name == "opencode" else [json.loads(line) for line in text.splitlines()]
    at = data.draw(st.integers(0, len(lines) - 1))
    *way, last = data.draw(st.sampled_from([path for path in paths(lines[at])[1:] if path != ("parentId",)]))
    place = lines[at]
    for key in way:
        place = place[key]
    place[last] = data.draw(odd)
    if name != "opencode":
        words = [turn for chat in transcripts.parse(jsonl(*lines), "log").conversations for turn in said(chat)]
        assert len(set(words) & set(SAID)) >= len(SAID) - 1
    elif reader.fits("opencode", lines[0]) and lines[0]["messages"]:
        assert reader.read("opencode", [JsonRecord(1, lines[0])])

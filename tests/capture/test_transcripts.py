"""Transcripts: each format is known by itself, gives who said what where, and nothing makes the reader fail."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.capture import transcripts
from mdmem.capture.turns import Transcript
from mdmem.errors import UsageError


def jsonl(*lines: object) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def claude(kind: str, content: object, **fields: object) -> dict[str, object]:
    base = {"type": kind, "sessionId": "s1", "cwd": "/Users/ada/rocket", "timestamp": "2026-03-01T10:32:11.317Z"}
    return {**base, "message": {"role": kind, "content": content}, **fields}


CLAUDE_CODE = jsonl(
    {"type": "summary", "summary": "Fixing the launch", "leafUuid": "u9"},
    {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
    claude("user", "Always use metric units.", uuid="u1"),
    claude(
        "assistant",
        [
            {"type": "thinking", "thinking": "secret thoughts"},
            {"type": "text", "text": "Noted."},
            {"type": "tool_use", "id": "t1", "name": "Read", "input": {"path": "a.py"}},
        ],
        uuid="u2",
    ),
    claude("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "print(1)"}], uuid="u3"),
    claude(
        "user",
        [
            {"type": "text", "text": "<system-reminder>Be brief.</system-reminder>"},
            {"type": "text", "text": "I prefer tabs."},
        ],
        uuid="u4",
    ),
    claude("user", "<command-name>/clear</command-name>\n<command-message>clear</command-message>", uuid="u5"),
    claude(
        "user", "<command-name>/keep</command-name><command-args>the launch is in May</command-args>", uuid="u6"
    ),
    claude("user", "<local-command-stdout>done</local-command-stdout>", uuid="u7"),
    claude("user", "Caveat: made by the program", uuid="u8", isMeta=True),
    claude("user", "This session continues another one.", uuid="u9", isCompactSummary=True),
    claude("user", "Search all files", uuid="u10", isSidechain=True),
    claude("user", "A job ended", uuid="u11", origin={"kind": "task-notification"}),
    claude("user", "Always use metric units.", uuid="u1"),
    claude("user", "[Request interrupted by user]", uuid="u12"),
)

CODEX = jsonl(
    {
        "timestamp": "2026-03-01T10:00:00.000Z",
        "type": "session_meta",
        "payload": {"id": "c1", "cwd": "C:\\w\\boat"},
    },
    {
        "timestamp": "2026-03-01T10:00:00.000Z",
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "user",
            "content": [
                {"type": "input_text", "text": "<environment_context>\n<cwd>/w</cwd>\n</environment_context>"}
            ],
        },
    },
    {
        "timestamp": "2026-03-01T10:00:01.000Z",
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "Sail at dawn."}],
        },
    },
    {
        "timestamp": "2026-03-01T10:00:01.000Z",
        "type": "event_msg",
        "payload": {"type": "user_message", "message": "Sail at dawn.", "kind": "plain"},
    },
    {"timestamp": "2026-03-01T10:00:02.000Z", "type": "turn_context", "payload": {"cwd": "/w", "model": "m"}},
    {
        "timestamp": "2026-03-01T10:00:02.000Z",
        "type": "response_item",
        "payload": {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
    },
    {
        "timestamp": "2026-03-01T10:00:03.000Z",
        "type": "response_item",
        "payload": {"type": "function_call_output", "call_id": "x", "output": "wind: 5"},
    },
    {
        "timestamp": "2026-03-01T10:00:04.000Z",
        "type": "response_item",
        "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Aye."}]},
    },
)
CODEX_OLD = jsonl(
    {"id": "c0", "timestamp": "2025-05-07T17:24:21.597Z", "instructions": None},
    {"record_type": "state"},
    {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "<environment_context>x</environment_context>"}],
    },
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Sail at dawn."}]},
    {"type": "reasoning", "id": "r", "summary": []},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Aye."}]},
    {"type": "function_call_output", "call_id": "x", "output": "ok"},
)
CODEX_STREAM = jsonl(
    {"type": "thread.started", "thread_id": "c2"},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"id": "item_0", "type": "reasoning", "text": "hm"}},
    {"type": "item.completed", "item": {"id": "item_1", "type": "agent_message", "text": "4"}},
)


def node(role: str, parts: list[object], parent: str | None, **message: object) -> dict[str, object]:
    content = {"content_type": "text", "parts": parts}
    said = {
        "id": f"m-{role}",
        "author": {"role": role},
        "create_time": 1772361131.5,
        "content": content,
        **message,
    }
    return {"message": said, "parent": parent, "children": []}


CHAT = {
    "title": "Tea",
    "conversation_id": "g1",
    "current_node": "n5",
    "mapping": {
        "root": {"id": "root", "message": None, "parent": None, "children": ["n0"]},
        "n0": node("system", ["hidden"], "root", metadata={"is_visually_hidden_from_conversation": True}),
        "n0b": node("user", ["custom instructions"], "n0", weight=0),
        "n1": node("user", ["I like green tea.", {"content_type": "image_asset_pointer", "width": 3}], "n0b"),
        "n2": node("assistant", ["A discarded answer."], "n1"),
        "n3": node("assistant", ["search(tea)"], "n1", recipient="browser"),
        "n4": node("tool", ["42 results"], "n3"),
        "n5": node("assistant", ["Green it is.", "Enjoy."], "n4"),
    },
}
CHATGPT = json.dumps([CHAT])

CLAUDE_AI = json.dumps(
    [
        {
            "uuid": "a1",
            "name": "Bread",
            "account": {"uuid": "x"},
            "chat_messages": [
                {
                    "uuid": "b1",
                    "sender": "human",
                    "text": "I bake on Sundays.",
                    "content": [{"type": "text", "text": "I bake on Sundays."}],
                    "created_at": "2026-02-01T08:00:00.123456+00:00",
                    "attachments": [{"file_name": "list.txt", "extracted_content": "flour, salt"}],
                },
                {
                    "uuid": "b2",
                    "sender": "assistant",
                    "text": "Good. This block is not supported on your current device yet.",
                    "content": [{"type": "text", "text": "Good."}, {"type": "tool_use", "name": "x", "input": {}}],
                },
                {"uuid": "b3", "sender": "human", "text": "Old exports have only this.", "attachments": []},
            ],
        },
        {"uuid": "a2", "name": "", "chat_messages": []},
    ],
    indent=1,
)

MARKDOWN = """\
# About tea

## User

I like green tea.

```
User: no speaker, this is code
```

## Assistant

### Summary

Noted: User: is no speaker here.
"""
FORMATS = [
    ("claude-code", CLAUDE_CODE),
    ("codex", CODEX),
    ("codex", CODEX_OLD),
    ("codex", CODEX_STREAM),
    ("jsonl", jsonl({"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"})),
    ("jsonl", json.dumps({"messages": [{"role": "user", "content": "hi"}]})),
    ("jsonl", json.dumps([{"id": "q", "conversations": [{"from": "human", "value": "hi"}]}], indent=2)),
    ("jsonl", jsonl({"speaker": "Ada", "text": "hi"}, {"speaker": "Claude", "text": "hello"})),
    ("chatgpt", CHATGPT),
    ("chatgpt", json.dumps(CHAT, indent=2)),
    ("claude-ai", CLAUDE_AI),
    ("markdown", MARKDOWN),
    ("markdown", "**User:** hi\n\n**Assistant:** hello\n"),
    ("markdown", "> **Human**: hi\n> there\n\n> **Claude**: hello\n"),
    ("markdown", "# Ada (10:32)\n\nhi\n\n# Claude (10:33)\n\nhello\n"),
    ("text", "User: hi\nAssistant: hello\n"),
    ("text", "You said:\nhi\nChatGPT said:\nhello\n"),
    ("text", "[10:32] Ada: hi\n[10:33] Bob: hello\n"),
    ("text", "Ada: hi\nBob: hello\nAda: bye\nBob: bye\n"),
]


def said(text: str) -> list[tuple[str, str]]:
    found = transcripts.parse(text, "chat")
    return [(turn.speaker, turn.text) for chat in found.conversations for turn in chat.turns]


@pytest.mark.parametrize(("kind", "text"), FORMATS)
def test_each_format_is_known_by_itself(kind: str, text: str) -> None:
    found = transcripts.parse(text, "chat")
    assert found.format == kind
    assert not found.problems
    assert sum(len(chat.turns) for chat in found.conversations) > 0


@pytest.mark.parametrize(("kind", "text"), FORMATS)
def test_windows_line_ends_and_byte_order_marks_change_nothing(kind: str, text: str) -> None:
    assert transcripts.parse("\ufeff" + text.replace("\n", "\r\n"), "chat") == transcripts.parse(text, "chat")


def test_claude_code_tells_the_user_from_the_machine() -> None:
    found = transcripts.parse(CLAUDE_CODE, "s.jsonl")
    (chat,) = found.conversations
    assert (chat.id, chat.title, chat.project) == ("s1", "Fixing the launch", "rocket")
    assert [(turn.speaker, turn.text, turn.line) for turn in chat.turns] == [
        ("user", "Always use metric units.", 3),
        ("assistant", "Noted.", 4),
        ("tool", "print(1)", 5),
        ("user", "I prefer tabs.", 6),
        ("user", "the launch is in May", 8),
        ("system", "Caveat: made by the program", 10),
        ("system", "This session continues another one.", 11),
        ("system", "A job ended", 13),
    ]
    assert (chat.turns[0].id, chat.turns[0].when) == ("u1", "2026-03-01T10:32:11Z")


def test_a_tag_that_is_only_mentioned_hides_nothing() -> None:
    text = jsonl(claude("user", "What does <system-reminder> mean?"))
    assert said(text) == [("user", "What does <system-reminder> mean?")]


def test_codex_says_each_thing_once() -> None:
    (chat,) = transcripts.parse(CODEX, "r.jsonl").conversations
    assert (chat.id, chat.project) == ("c1", "boat")
    expected = [("user", "Sail at dawn."), ("tool", "wind: 5"), ("assistant", "Aye.")]
    assert [(turn.speaker, turn.text) for turn in chat.turns] == expected
    assert said(CODEX_OLD) == [("user", "Sail at dawn."), ("assistant", "Aye."), ("tool", "ok")]
    assert transcripts.parse(CODEX_OLD, "r").conversations[0].id == "c0"
    assert said(CODEX_STREAM) == [("assistant", "4")]


def test_chatgpt_follows_the_living_branch() -> None:
    (chat,) = transcripts.parse(CHATGPT, "c.json").conversations
    assert (chat.id, chat.title) == ("g1", "Tea")
    assert [(turn.speaker, turn.text) for turn in chat.turns] == [
        ("user", "I like green tea."),
        ("tool", "search(tea)"),
        ("tool", "42 results"),
        ("assistant", "Green it is.\n\nEnjoy."),
    ]
    assert {turn.line for turn in chat.turns} == {1}
    assert chat.turns[0].when == "2026-03-01T10:32:11Z"


def test_chatgpt_without_a_last_message_is_read_and_says_so() -> None:
    found = transcripts.parse(json.dumps({**CHAT, "current_node": "gone"}), "c.json")
    assert found.conversations[0].turns[-1].text == "Green it is.\n\nEnjoy."
    assert [problem.severity for problem in found.problems] == ["warning"]


def test_chatgpt_tree_that_bites_its_tail_ends() -> None:
    tree = {"a": node("user", ["one"], "b"), "b": node("assistant", ["two"], "a")}
    assert said(json.dumps({"mapping": tree, "current_node": "b"})) == [("user", "one"), ("assistant", "two")]


def test_claude_ai_keeps_files_apart_from_words() -> None:
    found = transcripts.parse(CLAUDE_AI, "c.json")
    (chat,) = found.conversations
    assert (chat.id, chat.title) == ("a1", "Bread")
    assert [(turn.speaker, turn.text, turn.name) for turn in chat.turns] == [
        ("user", "I bake on Sundays.", "human"),
        ("tool", "flour, salt", "list.txt"),
        ("assistant", "Good.", "assistant"),
        ("user", "Old exports have only this.", "human"),
    ]
    lines = CLAUDE_AI.split("\n")
    for turn in chat.turns:
        assert json.dumps(turn.text) in lines[turn.line - 1]


def test_claude_ai_follows_the_last_leaf() -> None:
    messages = [
        {"uuid": "1", "sender": "human", "text": "one", "parent_message_uuid": "0"},
        {"uuid": "2", "sender": "assistant", "text": "discarded", "parent_message_uuid": "1"},
        {"uuid": "3", "sender": "assistant", "text": "three", "parent_message_uuid": "1"},
    ]
    chat = {"uuid": "a", "chat_messages": messages, "current_leaf_message_uuid": "3"}
    assert said(json.dumps(chat)) == [("user", "one"), ("assistant", "three")]


def test_markdown_headings_are_speakers_and_code_is_none() -> None:
    found = transcripts.parse(MARKDOWN, "chat.md")
    (chat,) = found.conversations
    assert chat.title == "About tea"
    assert [(turn.speaker, turn.line) for turn in chat.turns] == [("user", 5), ("assistant", 13)]
    assert chat.turns[0].text.endswith("```\nUser: no speaker, this is code\n```")
    assert chat.turns[1].text.startswith("### Summary")


def test_quoted_speakers_lose_the_quote_marks() -> None:
    assert said("> **Human**: hi\n> there\n\n> **Claude**: hello\n") == [
        ("user", "hi\nthere"),
        ("assistant", "hello"),
    ]


def test_turns_of_several_lines_keep_them() -> None:
    text = "Human: one\n  two\n\nthree\n\nAssistant:\n\nfour, User: is no speaker\n"
    assert said(text) == [("user", "one\n  two\n\nthree"), ("assistant", "four, User: is no speaker")]
    assert [turn.line for turn in transcripts.parse(text, "t").conversations[0].turns] == [1, 8]


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Ada: hi\nClaude: hello\n", ["user", "assistant"]),
        ("Ada: hi\nBob: hello\nAda: a\nBob: b\n", ["user"] * 4),
        ("[2026-03-01 10:32] Ada: hi\n[2026-03-01 10:33] GPT-4o: hello\n", ["user", "assistant"]),
        ("12/01/2026, 10:32 - Ada: hi\n12/01/2026, 10:33 - Bob Lee: yo\n", ["user", "user"]),
        ("Me: hi\nChatGPT: hello\nNote: no name\n", ["user", "assistant"]),
        ("User: hi\nAssistant: see\nWarning: hot\nWarning: cold\n", ["user", "assistant"]),
        ("User: ```\nnever closed\nAssistant: still heard\n", ["user", "assistant"]),
        ("Зоя: привет\nClaude: здравствуйте\n", ["user", "assistant"]),
    ],
)
def test_names_are_speakers_where_they_must_be(text: str, speakers: list[str]) -> None:
    assert [speaker for speaker, _ in said(text)] == speakers


def test_a_full_time_before_a_name_is_kept() -> None:
    found = transcripts.parse("[2026-03-01 10:32] Ada: hi\n[2026-03-01 10:33] Bob: yo\n", "t")
    assert [turn.when for turn in found.conversations[0].turns] == ["2026-03-01T10:32:00Z", "2026-03-01T10:33:00Z"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n\n",
        "Just a note about tea.\n",
        "user: root\npassword: x\nhost: y\n",
        "user: root\nmodel: x\nmodel: y\n",
        "---\ntitle: a\ntags: [b]\n---\n# Tea\n\nGreen.\n",
        "# Changes\n\n## Added\n\n- a\n\n## Fixed\n\n- b\n\n## Added\n\n- c\n\n## Fixed\n\n- d\n",
        "**Pros:** a\n**Cons:** b\n**Pros:** c\n**Cons:** d\n",
        "Q: a\nA: b\nQ: c\nA: d\n",
        "Subject: a\nFrom: b\nTo: c\n",
        "10:30 tea\n11:00 coffee\n",
        "{}",
        "[]",
        "null",
        "[1, 2]",
        '{"name": "x", "version": "1"}',
        '{"a": ',
        "[" * 100_000,
        "```\nUser: a\nAssistant: b\n```\n",
    ],
)
def test_what_is_no_transcript_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        transcripts.parse(text, "a.md")
    assert "a.md" in caught.value.message
    assert "User:" in caught.value.hint


def test_a_line_that_is_being_written_is_a_warning() -> None:
    found = transcripts.parse(CLAUDE_CODE.rstrip()[:-20], "s.jsonl")
    (problem,) = found.problems
    assert (problem.severity, problem.line) == ("warning", 15)
    assert len(found.conversations[0].turns) == 8


def test_bad_lines_in_the_middle_cost_only_themselves() -> None:
    text = (
        jsonl({"role": "user", "content": "a"}) + "garbage\n[1]\n\n" + jsonl({"role": "assistant", "content": "b"})
    )
    found = transcripts.parse(text + jsonl({"role": "user", "content": "c"}), "s.jsonl")
    assert [problem.line for problem in found.problems] == [2, 3]
    assert [turn.text for turn in found.conversations[0].turns] == ["a", "b", "c"]


def test_lines_of_several_chats_are_told_apart() -> None:
    lines = [{"conversation_id": key, "role": "user", "content": key} for key in ("a", "b", "a")]
    found = transcripts.parse(jsonl(*lines), "s.jsonl")
    assert [(chat.id, len(chat.turns)) for chat in found.conversations] == [("a", 2), ("b", 1)]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (jsonl(*[claude("user", "<system-reminder>" * 50 + "word " * 100)] * 3000), 3000),
        (json.dumps([{"role": "user", "content": "word " * 200}] * 3000, indent=2), 3000),
        ("User: some words\nAssistant: and more of them: of course\n" * 30_000, 60_000),
        ("User: a\nAssistant: b\n" + "".join(f"```x{number}\n" for number in range(100_000)), 2),
    ],
    ids=["unclosed tags", "indented", "text", "unclosed fences"],
)
def test_megabytes_are_read_in_one_pass(text: str, turns: int) -> None:
    """What takes quadratic time here takes hours."""
    assert len(said(text)) == turns


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type message role content text payload item mapping current_node author parts chat_messages"
                " sender attachments messages conversations sessionId uuid origin timestamp id title cwd"
                " parent".split()
            ),
            inner
            | st.sampled_from(
                ["user", "assistant", "message", "response_item", "event_msg", "session_meta", "text"]
            ),
            max_size=5,
        )
    ),
    max_leaves=25,
)


def read(text: str) -> Transcript | None:
    try:
        return transcripts.parse(text, "x")
    except UsageError:
        return None


@given(st.lists(JSON, max_size=4), st.booleans())
def test_wrong_types_anywhere_never_fail(values: list[object], lines: bool) -> None:
    read("\n".join(json.dumps(value) for value in values) if lines else json.dumps(values, indent=1))


LINES = st.sampled_from(
    [
        "User: a",
        "## Assistant",
        "**Ada:** b",
        "Ada: b",
        "```",
        "~~~x",
        "[10:32] Bob: c",
        '{"role": "user"}',
        "",
        "> ",
    ]
)


@given(st.lists(LINES | st.text(max_size=20), max_size=12).map("\n".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    found = read(text)
    assert found == read(text)
    for chat in found.conversations if found else ():
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        assert all(turn.text.strip() and 1 <= turn.line <= len(lines) for turn in chat.turns)


TURNS = st.lists(
    st.tuples(st.sampled_from(["user", "assistant", "system", "tool"]), st.text(min_size=1).filter(str.strip)),
    min_size=1,
)


@given(TURNS, st.sampled_from(["lines", "list", "pretty", "wrapped"]))
def test_what_is_written_as_role_and_content_comes_back(turns: list[tuple[str, str]], form: str) -> None:
    messages = [{"role": role, "content": text} for role, text in turns]
    text = {
        "lines": jsonl(*messages),
        "list": json.dumps(messages, ensure_ascii=False),
        "pretty": json.dumps(messages, indent=2),
        "wrapped": json.dumps({"messages": messages}),
    }[form]
    assert transcripts.parse(text, "x").format == "jsonl"
    assert said(text) == turns


def test_roles_may_be_named_in_other_languages() -> None:
    text = "**Nutzer:** Hallo!\n\n**Assistent:** Guten Tag.\n\n**User:** Ich mag Tee.\n"
    assert [speaker for speaker, _ in said(text)] == ["user", "assistant", "user"]

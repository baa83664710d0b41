"""The logs that coding agents keep of their sessions: Claude Code's and Codex's, and plain role/content lines.

None of these programs documents its log, so each field is taken only if it is what it should be. Where a log puts
words of the machine into the user's mouth (reminders, hooks, summaries), they are not the user's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mdmem.capture.turns import (
    Conversation,
    JsonRecord,
    Turn,
    grouped,
    last_part,
    line_of,
    mapping,
    speaker_of,
    string,
    text_of,
)
from mdmem.text import moments

_SPOKEN = frozenset(("text", "input_text", "output_text"))
_MACHINE_TAGS = (
    *("system-reminder", "command-name", "command-message", "local-command-stdout", "local-command-stderr"),
    *("local-command-caveat", "bash-input", "bash-stdout", "bash-stderr", "task-notification"),
    *("user-prompt-submit-hook", "ide_opened_file", "ide_selection", "ide_diagnostics"),
    *("environment_context", "user_instructions", "INSTRUCTIONS", "turn_aborted", "permissions instructions"),
    *("skill", "collaboration_mode"),
)
_USER_TAGS = ("command-args", "user-memory-input")  # within the machine's words, these are the user's own
_CODEX_REQUEST = "## My request for Codex:"  # an editor puts its context above that
_CODEX_AGENTS = "# AGENTS.md instructions"


def users_words(text: str) -> str:
    """What of a user's line the user said: without what an agent's program wrote into it."""
    if "<" in text:
        for tag in _MACHINE_TAGS:
            text = _without(text, f"<{tag}>", f"</{tag}>")
        for tag in _USER_TAGS:
            text = text.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    text = text.strip()
    return "" if text.startswith("[Request interrupted by user") else text


def _without(text: str, opening: str, closing: str) -> str:
    """The text without each part from `opening` to the next `closing`; an opening alone is a word like others."""
    kept, at = [], 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(closing)
    return "".join([*kept, text[at:]])


# -- Claude Code -------------------------------------------------------------------------------------------


def is_claude_code(data: Any) -> bool:
    """Whether an object is a line of a session of Claude Code, or of what it streams."""
    if data.get("type") in ("user", "assistant"):
        return isinstance(data.get("message"), dict)
    session = data.get("sessionId", data.get("session_id", data.get("leafUuid")))
    return isinstance(data.get("type"), str) and isinstance(session, str)


def claude_code(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """One conversation per session; `project` is its folder's name."""
    titles: dict[str, str] = {}
    projects: dict[str, str] = {}
    turns: list[tuple[str, Turn]] = []
    seen: set[tuple[str, str]] = set()
    only_title = ""
    for record in records:
        session = string(record.data.get("sessionId")) or string(record.data.get("session_id"))
        if not projects.get(session):
            projects[session] = last_part(record.data.get("cwd"))
        if title := string(record.data.get("summary")) or string(record.data.get("customTitle")):
            titles[session] = only_title = title  # a summary names no session, but a leaf of one
        key = (session, string(record.data.get("uuid")))
        if record.data.get("isSidechain") is not True and not (key[1] and key in seen):
            seen.add(key)
            turns += ((session, turn) for turn in _claude_turns(record))
    by_session = grouped(turns)
    only_title = only_title if len(by_session) == 1 else ""
    return tuple(
        Conversation(session, titles.get(session, only_title), said, projects.get(session, ""))
        for session, said in by_session.items()
    )


def _claude_turns(record: JsonRecord) -> Iterator[Turn]:
    data = record.data
    role = data.get("type")
    if role not in ("user", "assistant"):
        return
    message = mapping(data.get("message"))
    content = message.get("content")
    line = line_of(content, record.line)
    rest = (line, string(data.get("uuid")), moments.normal(data.get("timestamp")))
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_result":
            result = text_of(block.get("content"), _SPOKEN)
            if result.strip():
                yield Turn("tool", result, *rest, name="tool_result")
    text = text_of(content, _SPOKEN)
    name = string(message.get("role")) or role
    if role == "user" and _is_machines(data):
        role = "system"
    elif role == "user":
        text = users_words(text)
    if text.strip():
        yield Turn(role, text, *rest, name=name)


def _is_machines(data: Any) -> bool:
    """Whether a user's line was written by the program: a hook's, a summary of what was compacted, an event."""
    flags = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
    kind = mapping(data.get("origin")).get("kind", "human")
    return any(data.get(flag) is True for flag in flags) or kind != "human" or data.get("promptSource") == "system"


# -- Codex -------------------------------------------------------------------------------------------------

_CODEX_TYPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")


def is_codex(data: Any) -> bool:
    """Whether an object is a line of Codex: of a rollout, old or new, or of what exec streams."""
    if data.get("type") in _CODEX_TYPES:
        return isinstance(data.get("payload"), dict)
    if data.get("record_type") == "state" or isinstance(data.get("thread_id"), str):
        return True
    if data.get("type") == "message" and isinstance(data.get("content"), list):
        kinds = [mapping(block).get("type") for block in data["content"]]
        return "input_text" in kinds or "output_text" in kinds
    kind = data.get("type")
    return (isinstance(kind, str) and kind.startswith(("item.", "turn."))) or kind == "function_call_output"


def codex(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """The one conversation of a log. What the events say was said goes before the items sent to the model."""
    session = project = ""
    for record in records:
        meta = mapping(record.data.get("payload")) if record.data.get("type") == "session_meta" else record.data
        if not session and (meta is not record.data or "type" not in meta):
            session = string(meta.get("id"))
        session = session or string(record.data.get("thread_id"))
        project = project or last_part(meta.get("cwd"))
    events = {_event_speaker(record.data) for record in records}
    turns = [turn for record in records if (turn := _codex_turn(record, events))]
    return (Conversation(session, "", tuple(turns), project),)


def _event_speaker(data: Any) -> str:
    kind = mapping(data.get("payload")).get("type") if data.get("type") == "event_msg" else None
    return {"user_message": "user", "agent_message": "assistant"}.get(string(kind), "")


def _codex_turn(record: JsonRecord, events: set[str]) -> Turn | None:
    data = record.data
    item = mapping(data.get("payload") or data.get("item") or data)
    when = moments.normal(data.get("timestamp"))
    content: object = item.get("content")
    kind = string(item.get("type"))
    name = string(item.get("role"))
    speaker = _event_speaker(data)
    if speaker:
        content, name = item.get("message"), "user" if speaker == "user" else "codex"
    elif kind == "agent_message" and data.get("type") == "item.completed":
        content, speaker, name = item.get("text"), "assistant", "codex"
    elif kind in ("function_call_output", "custom_tool_call_output"):
        output = item.get("output")
        content = mapping(output).get("content", output)
        speaker, name = "tool", kind
    elif kind == "message" and name and data.get("type") in ("response_item", "message"):
        speaker = speaker_of(name)
        if speaker in events:
            return None
    text = text_of(content, _SPOKEN) if speaker else ""
    if speaker == "user":
        text = _codex_words(text)
    return (
        Turn(speaker, text, line_of(content, record.line), string(item.get("id")), when, name)
        if text.strip()
        else None
    )


def _codex_words(text: str) -> str:
    if text.lstrip().startswith(_CODEX_AGENTS):
        return ""
    return users_words(text.rpartition(_CODEX_REQUEST)[2])


# -- role and content --------------------------------------------------------------------------------------

_ROLE_KEYS = ("role", "speaker", "from", "sender", "author", "name")
_TEXT_KEYS = ("content", "text", "value", "message", "body", "parts")
_WHEN_KEYS = ("timestamp", "created_at", "create_time", "time", "date", "ts", "when")
_LIST_KEYS = ("messages", "conversations", "conversation", "turns", "dialog", "history")
_GROUP_KEYS = ("conversation_id", "session_id", "thread_id", "chat_id")


def is_message(data: Any) -> bool:
    """Whether an object says who said what, or holds a list of such ones."""
    return bool(_role(data) and _content(data) is not None) or _messages(data) is not None


def generic(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """One conversation per list of messages; single messages by their conversation's id, all in one without."""
    found: list[Conversation] = []
    loose: list[tuple[str, Turn]] = []
    for record in records:
        messages = _messages(record.data)
        if messages is None:
            group = next((string(record.data[key]) for key in _GROUP_KEYS if record.data.get(key)), "")
            loose += ((group, turn) for turn in _generic_turns(record))
            continue
        turns = tuple(
            turn
            for item in messages
            if isinstance(item, dict)
            for turn in _generic_turns(JsonRecord(record.line, item))
        )
        key = string(record.data.get("id")) or string(record.data.get("conversation_id"))
        found.append(Conversation(key, string(record.data.get("title")), turns))
    return (*found, *(Conversation(key, "", turns) for key, turns in grouped(loose).items()))


def _generic_turns(record: JsonRecord) -> Iterator[Turn]:
    data, name = record.data, _role(record.data)
    content = _content(data)
    text = text_of(content, _SPOKEN)
    if name and text.strip():
        stamp = next((moments.normal(data[key]) for key in _WHEN_KEYS if key in data), "")
        speaker = speaker_of(name)
        yield Turn(speaker, text, line_of(content, record.line), string(data.get("id")), stamp, name)


def _role(data: Any) -> str:
    for key in _ROLE_KEYS:
        value = data.get(key)
        if isinstance(value, dict):
            value = value.get("role", value.get("name"))
        if isinstance(value, str) and value.strip():
            return str(value)
    return ""


def _content(data: Any) -> object:
    for key in _TEXT_KEYS:
        if isinstance(data.get(key), str | list | dict):
            return data[key]
    return None


def _messages(data: Any) -> list[Any] | None:
    for key in _LIST_KEYS:
        listed = data.get(key)
        if isinstance(listed, list) and any(isinstance(item, dict) and _role(item) for item in listed):
            return listed
    return None

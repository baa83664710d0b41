"""Sessions of Claude Code: `~/.claude/projects/FOLDER/SESSION.jsonl`, with those of subagents beside it.

A subagent's lines name the session of the agent that called it; its own id is `agent-ID`, like the name of its
file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mdmem.capture.agentlogs.deeds import CREATE, EDIT, Deed
from mdmem.capture.agentlogs.sessionlog import SessionLog, items
from mdmem.capture.turns import SPOKEN, Conversation, JsonRecord, Turn, line_of, mapping, string, text_of
from mdmem.text import moments


def is_claude_code(data: Any) -> bool:
    """Whether an object is a line of a Claude Code session, or of what Claude Code streams."""
    if data.get("type") in ("user", "assistant"):
        return isinstance(data.get("message"), dict)
    session = data.get("sessionId", data.get("session_id", data.get("leafUuid")))
    return isinstance(data.get("type"), str) and isinstance(session, str)


def claude_code(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """One conversation per session; `project` is the name of its folder."""
    logs: dict[str, SessionLog] = {}
    titles: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    for record in records:
        data = record.data
        log = _log_of(data, logs)
        log.folder = log.folder or string(data.get("cwd"))
        if title := string(data.get("summary")) or string(data.get("customTitle")):
            titles[log.id] = titles[""] = title  # a summary names a leaf of a session, not the session
        key = log.id, string(data.get("uuid"))
        if _is_message(data) and not (key[1] and key in seen):
            seen.add(key)
            _read(log, record)
    said = [log for log in logs.values() if log.has_turns]
    for log in said:
        log.title = titles.get(log.id, titles.get("", "") if len(said) == 1 else "")
    return tuple(log.conversation() for log in said)


def _log_of(data: Mapping[str, Any], logs: dict[str, SessionLog]) -> SessionLog:
    """The log of the session that a line belongs to; a subagent has its own."""
    session = string(data.get("sessionId")) or string(data.get("session_id"))
    agent = string(data.get("agentId")) if data.get("isSidechain") is True else ""
    id = f"agent-{agent}" if agent else session
    return logs.setdefault(id, SessionLog(id, session if agent else ""))


def _is_message(data: Mapping[str, Any]) -> bool:
    """Whether a line is a message of a session. Older logs have lines of subagents without an id."""
    is_nameless_subagent = data.get("isSidechain") is True and not data.get("agentId")
    return data.get("type") in ("user", "assistant") and not is_nameless_subagent


def _read(log: SessionLog, record: JsonRecord) -> None:
    message = mapping(record.data.get("message"))
    answer = string(message.get("id"))  # an answer has several lines, each with the tokens of the whole answer
    log.wrote(mapping(message.get("usage")).get("output_tokens"), answer)
    _read_results(log, record)
    _read_words(log, record)
    _read_calls(log, record)


def _read_results(log: SessionLog, record: JsonRecord) -> None:
    """Read the results of earlier tool calls."""
    data = record.data
    content = mapping(data.get("message")).get("content")
    when = moments.normal(data.get("timestamp"))
    for block in items(content):
        if block.get("type") == "tool_result":
            result = text_of(block.get("content"), SPOKEN)
            told = mapping(data.get("toolUseResult"))
            failed = None if told.get("interrupted") is True else block.get("is_error") is True
            log.came_of(string(block.get("tool_use_id")), failed, result=result, changed=_changed(told))
            line = line_of(content, record.line)
            log.say(Turn("tool", result, line, string(data.get("uuid")), when, "tool_result"))


def _read_calls(log: SessionLog, record: JsonRecord) -> None:
    """Read the tool calls and the thoughts of a line."""
    when = moments.normal(record.data.get("timestamp"))
    for block in items(mapping(record.data.get("message")).get("content")):
        if block.get("type") == "tool_use":
            given = mapping(block.get("input"))
            log.call(string(block.get("id")), Deed(string(block.get("name")), given, record.line, when=when))
        elif block.get("type") == "thinking":
            log.think(string(block.get("thinking")))


def _changed(told: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    path = string(told.get("filePath"))
    if not path or "structuredPatch" not in told:
        return ()
    return ((path, CREATE if told.get("type") == "create" else EDIT),)


def _read_words(log: SessionLog, record: JsonRecord) -> None:
    data = record.data
    message = mapping(data.get("message"))
    content = message.get("content")
    role = string(data.get("type"))
    said_by = "system" if _is_by_program(data) else role
    text = text_of(content, SPOKEN)
    when = moments.normal(data.get("timestamp"))
    name = string(message.get("role")) or role
    log.say(Turn(said_by, text, line_of(content, record.line), string(data.get("uuid")), when, name))


def _is_by_program(data: Mapping[str, Any]) -> bool:
    """Whether the program wrote a line: a hook's output, a summary after compaction, an event, an error."""
    if data.get("type") == "assistant":
        return data.get("isApiErrorMessage") is True or mapping(data.get("message")).get("model") == "<synthetic>"
    flags = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
    kind = mapping(data.get("origin")).get("kind", "human")
    return any(data.get(flag) is True for flag in flags) or kind != "human" or data.get("promptSource") == "system"

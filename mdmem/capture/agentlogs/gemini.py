"""Sessions of the Gemini CLI: `~/.gemini/tmp/PROJECT/chats/session-*.jsonl`, or one JSON object in older ones.

A session is a log, in which a message replaces an earlier one with its id. What `$set` leaves out, as a
compression does, was said nevertheless; what `$rewindTo` takes back was not. A subagent does not name its parent,
but its log lies in a folder with the parent's id: `chats/PARENT/SESSION.jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mdmem.capture.agentlogs.deeds import CREATE, EDIT, Deed
from mdmem.capture.agentlogs.sessionlog import SessionLog, failed_by_exit, items, response_text
from mdmem.capture.turns import Conversation, JsonRecord, Turn, line_of, mapping, string, text_of
from mdmem.text import moments

_TYPES = ("user", "gemini", "info", "error", "warning")


def is_gemini(data: Any) -> bool:
    """Whether an object is a session of the Gemini CLI, or a line of one."""
    if "$set" in data or "$rewindTo" in data:
        return True
    if isinstance(data.get("sessionId"), str) and "projectHash" in data:
        return True
    has_message = data.get("type") in _TYPES and "content" in data
    return has_message and isinstance(data.get("id"), str) and isinstance(data.get("timestamp"), str)


def gemini(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """One conversation per session."""
    logs: list[SessionLog] = []
    messages: dict[str, JsonRecord] = {}
    for record in records:
        if "projectHash" in record.data:
            _fill(logs, messages)
            logs.append(_opened(record.data))
            messages = {}
        _merge(messages, record)
    _fill(logs, messages)
    return tuple(log.conversation() for log in logs)


def _opened(data: Mapping[str, Any]) -> SessionLog:
    log = SessionLog(string(data.get("sessionId")), is_subagent=data.get("kind") == "subagent")
    folders = data.get("directories")
    log.folder = string(folders[0]) if isinstance(folders, list) and folders else ""
    return log


def _merge(messages: dict[str, JsonRecord], record: JsonRecord) -> None:
    """Apply a line of the log to the messages, which are keyed by id."""
    data = record.data
    if "$rewindTo" in data:
        ids = list(messages)
        back = string(data["$rewindTo"])
        for id in ids[ids.index(back) :] if back in messages else ():
            del messages[id]
        return
    listed = mapping(data.get("$set")).get("messages", data.get("messages"))
    told = items(listed) if listed is not None else [data]
    for message in told:
        if message.get("type") in _TYPES:
            id = string(message.get("id")) or f"#{len(messages)}"
            messages[id] = JsonRecord(record.line, message)


def _fill(logs: list[SessionLog], messages: Mapping[str, JsonRecord]) -> None:
    if messages and not logs:
        logs.append(SessionLog())
    for record in messages.values():
        _read(logs[-1], record)


def _read(log: SessionLog, record: JsonRecord) -> None:
    data = record.data
    speaker = {"user": "user", "gemini": "assistant"}.get(string(data.get("type")), "system")
    content = data.get("content")
    when = moments.normal(data.get("timestamp"))
    line = line_of(content, record.line)
    for thought in items(data.get("thoughts")):
        log.think(": ".join(filter(None, (string(thought.get("subject")), string(thought.get("description"))))))
    log.wrote(mapping(data.get("tokens")).get("output"))
    log.say(Turn(speaker, text_of(content), line, string(data.get("id")), when, string(data.get("type"))))
    for call in items(data.get("toolCalls")):
        deed = _deed(call, line)
        log.call(string(call.get("id")), deed)
        log.say(Turn("tool", deed.result, line, string(call.get("id")), deed.when, deed.tool))


def _deed(call: Mapping[str, Any], line: int) -> Deed:
    result = "\n".join(filter(None, (response_text(part) for part in items(call.get("result")))))
    failed = failed_by_exit(result)
    if failed is None and call.get("status"):
        failed = call.get("status") != "success"
    return Deed(
        tool=string(call.get("name")),
        arguments=mapping(call.get("args")),
        line=line,
        when=moments.normal(call.get("timestamp")),
        result=result,
        failed=failed,
        changed=tuple(_changed(mapping(call.get("resultDisplay")))),
    )


def _changed(shown: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if path := string(shown.get("filePath")):
        yield path, CREATE if shown.get("isNewFile") is True else EDIT

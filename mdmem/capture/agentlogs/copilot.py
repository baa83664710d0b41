"""Sessions of GitHub's Copilot CLI: `~/.copilot/session-state/SESSION/events.jsonl`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mdmem.capture.agentlogs.deeds import CREATE, DELETE, EDIT, Deed
from mdmem.capture.agentlogs.sessionlog import SessionLog, items
from mdmem.capture.turns import Conversation, JsonRecord, Turn, mapping, string
from mdmem.text import moments

_EVENTS = ("session.", "user.", "assistant.", "tool.", "system.", "hook.", "subagent.", "abort", "skill.")
_CHANGES = {"create": CREATE, "delete": DELETE}


def is_copilot(data: Any) -> bool:
    """Whether an object is an event of a session of the Copilot CLI."""
    kind = data.get("type")
    return isinstance(kind, str) and kind.startswith(_EVENTS) and isinstance(data.get("data"), dict)


def copilot(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """The session, and one conversation for each subagent, identified by the call that started it."""
    main = SessionLog()
    logs: dict[str, SessionLog] = {"": main}
    for record in records:
        told = mapping(record.data.get("data"))
        if record.data.get("type") in ("session.start", "session.resume"):
            main.id = main.id or string(told.get("sessionId"))
            main.folder = main.folder or string(mapping(told.get("context")).get("cwd"))
        call = string(told.get("parentToolCallId"))
        if call not in logs:
            logs[call] = SessionLog(f"{main.id}-{call}", main.id)
            logs[call].folder = main.folder
        _read(logs[call], record, told)
    return tuple(log.conversation() for log in logs.values())


def _read(log: SessionLog, record: JsonRecord, told: Mapping[str, Any]) -> None:
    kind = record.data.get("type")
    when = moments.normal(record.data.get("timestamp"))
    turn = Turn("", string(told.get("content")), record.line, string(record.data.get("id")), when, "copilot")
    call = string(told.get("toolCallId"))
    if kind == "user.message":
        log.say(turn._replace(speaker="user", name="user"))
    elif kind == "assistant.message":
        log.think(string(told.get("reasoningText")))
        log.say(turn._replace(speaker="assistant"))
    elif kind == "tool.execution_start":
        given = mapping(told.get("arguments"))
        log.call(call, Deed(string(told.get("toolName")), given, record.line, when=when))
    elif kind == "tool.execution_complete":
        result = string(mapping(told.get("result")).get("content")) or string(
            mapping(told.get("error")).get("message")
        )
        log.came_of(call, _failed(told), result=result, changed=_changed(told))
        log.say(turn._replace(speaker="tool", text=result, name="tool"))
    elif kind == "session.usage_record":
        log.wrote(mapping(told.get("usage")).get("outputTokens"))


def _failed(told: Mapping[str, Any]) -> bool | None:
    """Whether a tool failed. A command that ran and failed counts as a success for the client, but not here."""
    code = mapping(told.get("shellExecution")).get("exitCode")
    if isinstance(code, int) and code != 0:
        return True
    return told["success"] is False if isinstance(told.get("success"), bool) else None


def _changed(told: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    edits = items(told.get("fileEdits"))
    return tuple((string(edit.get("path")), _CHANGES.get(string(edit.get("kind")), EDIT)) for edit in edits)

"""Sessions of Qwen Code: `~/.qwen/projects/FOLDER/chats/SESSION.jsonl`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mdmem.capture.agentlogs.deeds import Deed
from mdmem.capture.agentlogs.sessionlog import SessionLog, failed_by_exit, items, response_text
from mdmem.capture.turns import Conversation, JsonRecord, Turn, mapping, string
from mdmem.text import moments


def is_qwen(data: Any) -> bool:
    """Whether an object is a line of a session of Qwen Code."""
    if not isinstance(data.get("sessionId"), str):
        return False
    return isinstance(mapping(data.get("message")).get("parts"), list) or "systemPayload" in data


def qwen(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """One conversation per session."""
    logs: dict[str, SessionLog] = {}
    for record in records:
        id = string(record.data.get("sessionId"))
        log = logs.setdefault(id, SessionLog(id))
        log.folder = log.folder or string(record.data.get("cwd"))
        if record.data.get("type") in ("user", "assistant", "tool_result"):
            log.wrote(mapping(record.data.get("usageMetadata")).get("candidatesTokenCount"))
            _read(log, record)
    return tuple(log.conversation() for log in logs.values())


def _read(log: SessionLog, record: JsonRecord) -> None:
    data = record.data
    role = string(data.get("type"))
    turn = Turn(role, "", record.line, string(data.get("uuid")), moments.normal(data.get("timestamp")), role)
    for at, part in enumerate(items(mapping(data.get("message")).get("parts"))):
        text = string(part.get("text"))
        if part.get("thought") is True:
            log.think(text)
        elif text and role == "user" and at:  # a hook or a file that was attached
            log.say(turn._replace(speaker="system", text=text))
        elif text and role in ("user", "assistant"):
            log.say(turn._replace(text=text))
        elif "functionCall" in part:
            call = mapping(part.get("functionCall"))
            deed = Deed(string(call.get("name")), mapping(call.get("args")), record.line, when=turn.when)
            log.call(string(call.get("id")), deed)
        elif "functionResponse" in part:
            _read_result(log, part, mapping(data.get("toolCallResult")))
            log.say(turn._replace(speaker="tool", text=response_text(part)))


def _read_result(log: SessionLog, part: Mapping[str, Any], told: Mapping[str, Any]) -> None:
    call = mapping(part.get("functionResponse"))
    result = response_text(part)
    failed = failed_by_exit(result)
    if failed is None and told.get("status"):
        failed = told.get("status") != "success"
    log.came_of(string(call.get("id")), failed, result=result)

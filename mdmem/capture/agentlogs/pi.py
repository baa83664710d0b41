"""Sessions of pi: `~/.pi/agent/sessions/FOLDER/*.jsonl`, a tree of entries that ends with the current leaf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mdmem.capture.agentlogs.deeds import Deed
from mdmem.capture.agentlogs.sessionlog import SessionLog, items
from mdmem.capture.turns import SPOKEN, Conversation, JsonRecord, Turn, mapping, string, text_of
from mdmem.text import moments

_ENTRIES = (
    *("message", "model_change", "thinking_level_change", "compaction", "branch_summary", "custom"),
    *("custom_message", "label", "session_info"),
)
_SPEAKERS = {"user": "user", "assistant": "assistant", "toolResult": "tool", "bashExecution": "tool"}


def is_pi(data: Any) -> bool:
    """Whether an object is an entry of a session of pi."""
    if data.get("type") == "session":
        return isinstance(data.get("cwd"), str)
    return data.get("type") in _ENTRIES and "parentId" in data


def pi(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """The one conversation of a file, along the branch with which it ends."""
    log = SessionLog()
    for record in _branch(records):
        data = record.data
        if data.get("type") == "session":
            log.id = string(data.get("id"))
            log.folder = string(data.get("cwd"))
        elif data.get("type") == "session_info":
            log.title = string(data.get("name"))
        elif data.get("type") == "message":
            _read(log, record, mapping(data.get("message")))
        elif data.get("type") == "custom_message":
            log.say(_turn(record, data.get("content"), "system"))
    return (log.conversation(),)


def _branch(records: Sequence[JsonRecord]) -> Sequence[JsonRecord]:
    """The entries from the root to the last one; all entries if that path has a gap."""
    by_id = {string(record.data.get("id")): record for record in records if "parentId" in record.data}
    on_the_way: set[str] = set()
    at = next(reversed(by_id), "")
    while at in by_id and at not in on_the_way:
        on_the_way.add(at)
        at = string(by_id[at].data.get("parentId"))
    if at:
        return records
    return [
        record
        for record in records
        if "parentId" not in record.data or string(record.data.get("id")) in on_the_way
    ]


def _turn(record: JsonRecord, content: object, speaker: str, name: str = "") -> Turn:
    when = moments.normal(record.data.get("timestamp"))
    return Turn(speaker, text_of(content, SPOKEN), record.line, string(record.data.get("id")), when, name)


def _read(log: SessionLog, record: JsonRecord, message: Mapping[str, Any]) -> None:
    role = string(message.get("role"))
    content = message.get("content")
    turn = _turn(
        record, content if content is not None else message.get("output"), _SPEAKERS.get(role, "system"), role
    )
    log.wrote(mapping(message.get("usage")).get("output"))
    if role == "toolResult":
        log.came_of(string(message.get("toolCallId")), message.get("isError") is True, result=turn.text)
    log.say(turn)
    for block in items(content):
        if block.get("type") == "thinking":
            log.think(string(block.get("thinking")))
        elif block.get("type") == "toolCall":
            given = mapping(block.get("arguments"))
            log.call(string(block.get("id")), Deed(string(block.get("name")), given, record.line, when=turn.when))

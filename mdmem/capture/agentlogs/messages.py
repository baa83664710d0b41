"""Messages of role and content, as many programs write them: one per line, or in a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mdmem.capture.turns import (
    SPOKEN,
    Conversation,
    JsonRecord,
    Turn,
    grouped,
    line_of,
    speaker_of,
    string,
    text_of,
)
from mdmem.note import moments

_ROLE_KEYS = "role speaker from sender author name".split()
_TEXT_KEYS = "content text value message body parts".split()
_WHEN_KEYS = "timestamp created_at create_time time date ts when".split()
_LIST_KEYS = "messages conversations conversation turns dialog history".split()
_GROUP_KEYS = "conversation_id session_id thread_id chat_id".split()


def is_message(data: Any) -> bool:
    """Whether an object says who said what, or holds a list of such objects."""
    return bool(_role(data) and _content(data) is not None) or _messages(data) is not None


def generic(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """One conversation per list of messages. Single messages are grouped by their conversation's id, if any."""
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
    text = text_of(content, SPOKEN)
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

"""The `conversations.json` in exports of ChatGPT and Claude.ai.

Both keep discarded answers beside those that stayed; only the branch that was shown last is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mdmem.capture.turns import (
    Conversation,
    JsonRecord,
    Turn,
    line_of,
    mapping,
    speaker_of,
    string,
    text_of,
)
from mdmem.errors import Problem
from mdmem.note import moments

_INNER = ("thoughts", "reasoning_recap", "user_editable_context", "model_editable_context")
_TEXT = frozenset(("text",))


def is_chatgpt(data: Any) -> bool:
    """Whether an object is a conversation of ChatGPT's export."""
    return isinstance(data.get("mapping"), dict)


def is_claude_ai(data: Any) -> bool:
    """Whether an object is a conversation of Claude.ai's export."""
    return isinstance(data.get("chat_messages"), list)


def chatgpt(records: Sequence[JsonRecord], source: str) -> tuple[tuple[Conversation, ...], list[Problem]]:
    """The conversations, and warnings about those that do not name their last message."""
    found: list[Conversation] = []
    problems: list[Problem] = []
    for record in records:
        data = record.data
        nodes: Mapping[str, Any] = data["mapping"]
        leaf = string(data.get("current_node"))
        if leaf not in nodes and nodes:
            message = f"'{string(data.get('title'))}' does not say which of its branches is the last"
            fix = "the newest one was read"
            problems.append(Problem("transcript", source, record.line, message, fix, "warning"))
            leaf = _newest(nodes)
        turns = [turn for key in _branch(nodes, leaf) for turn in _chatgpt_turn(nodes[key], record.line)]
        key = string(data.get("conversation_id")) or string(data.get("id"))
        found.append(Conversation(key, string(data.get("title")), tuple(turns)))
    return tuple(found), problems


def _newest(nodes: Mapping[str, Any]) -> str:
    """The message that was written last; if none has a time, the one at the end."""

    def written(key: str) -> float:
        time = mapping(mapping(nodes[key]).get("message")).get("create_time")
        return float(time) if isinstance(time, int | float) else 0.0

    return max(reversed(list(nodes)), key=written)


def _branch(nodes: Mapping[str, Any], leaf: str, parent: str = "parent") -> list[str]:
    """The keys from the root to a leaf. A cycle is followed only once."""
    path: dict[str, None] = {}
    while leaf in nodes and leaf not in path:
        path[leaf] = None
        leaf = string(mapping(nodes[leaf]).get(parent))
    return [*reversed(path)]


def _chatgpt_turn(node: object, line: int) -> Iterator[Turn]:
    message = mapping(mapping(node).get("message"))
    author, content = mapping(message.get("author")), mapping(message.get("content"))
    kind = string(content.get("content_type"))
    hidden = mapping(message.get("metadata")).get("is_visually_hidden_from_conversation") is True
    weight = message.get("weight")
    if hidden or kind in _INNER or (isinstance(weight, int | float) and weight == 0):
        return
    name = string(author.get("role"))
    said = content.get("parts") or content.get("text")
    text = text_of(said)
    speaker = speaker_of(name)
    if speaker == "assistant" and message.get("recipient") not in (None, "", "all"):
        speaker = "tool"  # it speaks to a tool, not to the user
    if name and text.strip():
        stamp = moments.normal(message.get("create_time"))
        yield Turn(speaker, text, line_of(said, line), string(message.get("id")), stamp, name)


def claude_ai(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """The conversations. An attached file is a turn of a tool with the name of the file, not one of the user."""
    found = []
    for record in records:
        data = record.data
        messages = [message for message in data["chat_messages"] if isinstance(message, dict)]
        by_id = {string(message.get("uuid")): message for message in messages}
        leaf = string(data.get("current_leaf_message_uuid"))
        if leaf in by_id:
            messages = [by_id[key] for key in _branch(by_id, leaf, "parent_message_uuid")]
        turns = tuple(turn for message in messages for turn in _claude_turns(message, record.line))
        project = string(mapping(data.get("project")).get("name"))
        found.append(Conversation(string(data.get("uuid")), string(data.get("name")), turns, project))
    return tuple(found)


def _claude_turns(message: Mapping[str, Any], line: int) -> Iterator[Turn]:
    rest = (string(message.get("uuid")), moments.normal(message.get("created_at")))
    content = message.get("content")
    said = content if isinstance(content, list) and text_of(content, _TEXT) else message.get("text")
    text, name = text_of(said, _TEXT), string(message.get("sender"))
    if name and text.strip():
        yield Turn(speaker_of(name), text, line_of(said, line), *rest, name)
    attached = message.get("attachments")
    for file in attached if isinstance(attached, list) else ():
        inside = mapping(file).get("extracted_content")
        if isinstance(inside, str) and inside.strip():
            yield Turn("tool", str(inside), line_of(inside, line), *rest, string(file.get("file_name")))

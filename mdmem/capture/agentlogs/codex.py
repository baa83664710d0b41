"""Sessions of Codex: `~/.codex/sessions/Y/M/D/rollout-*.jsonl`, and what `codex exec --json` streams.

A rollout has most things twice: as items sent to the model, and as events shown to a person. For what was said,
the events are preferred; tool calls are read from the items, and completed from their events.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mdmem.capture.agentlogs.deeds import CREATE, DELETE, EDIT, Deed
from mdmem.capture.agentlogs.sessionlog import SessionLog, count, failed_by_exit, items
from mdmem.capture.turns import (
    SPOKEN,
    Conversation,
    JsonRecord,
    Turn,
    line_of,
    mapping,
    speaker_of,
    string,
    text_of,
)
from mdmem.text import moments

_TYPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
_EVENTS = {"user_message": "user", "agent_message": "assistant"}
_CALLS = ("function_call", "custom_tool_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")
_COMMANDS = ("CommandExecution", "exec_command_end", "command_execution")
_PATCHES = ("FileChange", "patch_apply_end", "file_change")
_CHANGES = {"add": CREATE, "update": EDIT, "delete": DELETE}
_REQUEST = "## My request for Codex:"  # an editor puts its context above this line
_AGENTS = "# AGENTS.md instructions"


def is_codex(data: Any) -> bool:
    """Whether an object is a line of Codex: of a rollout, old or new, or of what `codex exec` streams."""
    if data.get("type") in _TYPES:
        return isinstance(data.get("payload"), dict)
    if data.get("record_type") == "state" or isinstance(data.get("thread_id"), str):
        return True
    if data.get("type") == "message" and isinstance(data.get("content"), list):
        kinds = [mapping(block).get("type") for block in data["content"]]
        return "input_text" in kinds or "output_text" in kinds
    kind = data.get("type")
    return (isinstance(kind, str) and kind.startswith(("item.", "turn."))) or kind == "function_call_output"


def codex(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """The one conversation of a log. What the events say is preferred to the items sent to the model."""
    log = _opened(records)
    events = {_event_speaker(record.data) for record in records}
    for record in records:
        if turn := _turn(record, events):
            log.say(turn)
        _read_deed(log, record)
    return (log.conversation(),)


def _opened(records: Sequence[JsonRecord]) -> SessionLog:
    """An empty log with the id, the folder and the parent of the session."""
    log = SessionLog()
    for record in records:
        meta = mapping(record.data.get("payload")) if record.data.get("type") == "session_meta" else record.data
        if not log.id and (meta is not record.data or "type" not in meta):
            log.id = string(meta.get("id"))
            log.parent = _parent(mapping(meta.get("source")))
        log.id = log.id or string(record.data.get("thread_id"))
        log.folder = log.folder or string(meta.get("cwd"))
    return log


def _parent(source: Mapping[str, Any]) -> str:
    """The thread that started a subagent; "" for an agent that a person started."""
    return string(mapping(mapping(source.get("subagent")).get("thread_spawn")).get("parent_thread_id"))


# -- what was said -------------------------------------------------------------------------------------------


def _event_speaker(data: Any) -> str:
    kind = mapping(data.get("payload")).get("type") if data.get("type") == "event_msg" else None
    return _EVENTS.get(string(kind), "")


def _turn(record: JsonRecord, events: set[str]) -> Turn | None:
    data = record.data
    item = _item(data)
    content: object = item.get("content")
    kind = string(item.get("type"))
    name = string(item.get("role"))
    speaker = _event_speaker(data)
    if speaker:
        content, name = item.get("message"), "user" if speaker == "user" else "codex"
    elif kind == "agent_message" and data.get("type") == "item.completed":
        content, speaker, name = item.get("text"), "assistant", "codex"
    elif kind in _OUTPUTS:
        content, speaker, name = _output(item), "tool", kind
    elif kind == "message" and name and data.get("type") in ("response_item", "message"):
        speaker = speaker_of(name)
        if speaker in events:
            return None
    text = text_of(content, SPOKEN) if speaker else ""
    text = _words(text) if speaker == "user" else text
    when = moments.normal(data.get("timestamp"))
    return Turn(speaker, text, line_of(content, record.line), string(item.get("id")), when, name) if text else None


def _words(text: str) -> str:
    return "" if text.lstrip().startswith(_AGENTS) else text.rpartition(_REQUEST)[2]


def _item(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The item on a line; for an event about an item, that item."""
    item = mapping(data.get("payload") or data.get("item") or data)
    return mapping(item.get("item")) if item.get("type") == "item_completed" else item


def _output(item: Mapping[str, Any]) -> object:
    output = item.get("output")
    return mapping(output).get("content", output)


# -- what was done -------------------------------------------------------------------------------------------


def _read_deed(log: SessionLog, record: JsonRecord) -> None:
    """Read the tool call or thought on a line, or what the line says about a call."""
    item = _item(record.data)
    kind = string(item.get("type"))
    id = string(item.get("call_id")) or string(item.get("id"))
    when = moments.normal(record.data.get("timestamp"))
    if kind in _CALLS:
        log.call(id, Deed(string(item.get("name")), _arguments(item), record.line, when=when))
    elif kind in _OUTPUTS:
        text = text_of(_output(item), SPOKEN)
        log.came_of(id, _failed(item, text), result=_plain(text))
    elif kind in _COMMANDS:
        log.call(id, Deed("exec_command", {"cmd": _command(item.get("command"))}, record.line, when=when))
        log.came_of(id, _failed_command(item), result=_output_of(item), milliseconds=_milliseconds(item))
    elif kind in _PATCHES:
        log.call(id, Deed("apply_patch", {}, record.line, when=when))
        log.came_of(id, _failed_patch(item), changed=tuple(_changed(item.get("changes"))))
    elif kind == "reasoning":
        log.think(text_of(item.get("summary")) or string(item.get("text")))
    elif kind == "token_count":
        used = mapping(mapping(item.get("info")).get("total_token_usage"))
        if "output_tokens" in used:
            log.wrote(used["output_tokens"], "all")


def _arguments(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments of a call, from its JSON; for a tool that takes free text, that text as `input`."""
    given = item.get("arguments")
    if isinstance(given, str):
        try:
            return mapping(json.loads(given))
        except (ValueError, RecursionError):
            return {}
    return {"input": string(item.get("input"))} if "input" in item else {}


def _failed(item: Mapping[str, Any], text: str) -> bool | None:
    """Whether a call failed, by its output; None if the output does not tell."""
    if mapping(item.get("output")).get("success") is False or text.startswith("unsupported call"):
        return True
    told = _metadata(text)
    if "exit_code" in told:
        return told.get("exit_code") != 0
    return failed_by_exit(text.partition("\nOutput:\n")[0]) if "\nOutput:\n" in text else None


def _metadata(text: str) -> Mapping[str, Any]:
    """The metadata in the output of an older Codex, which is JSON with the text and the metadata."""
    return mapping(_old_output(text).get("metadata"))


def _old_output(text: str) -> Mapping[str, Any]:
    if not text.startswith('{"output"'):
        return {}
    try:
        return mapping(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _plain(text: str) -> str:
    """An output without what Codex puts around it."""
    old = _old_output(text)
    return string(old.get("output")) if old else text.rpartition("\nOutput:\n")[2]


def _command(command: object) -> str:
    """The command line of a call; if it starts a shell, the one that the shell was given."""
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        return words[2] if len(words) == 3 and words[1] in ("-lc", "-c") else " ".join(words)
    return string(command)


def _failed_command(item: Mapping[str, Any]) -> bool | None:
    code = item.get("exit_code")
    return code != 0 if isinstance(code, int) else None


def _output_of(item: Mapping[str, Any]) -> str:
    return string(item.get("aggregated_output")) or string(item.get("stdout")) or string(item.get("stderr"))


def _milliseconds(item: Mapping[str, Any]) -> int:
    took = mapping(item.get("duration"))
    return count(took.get("secs")) * 1000 + count(took.get("nanos")) // 1_000_000


def _failed_patch(item: Mapping[str, Any]) -> bool | None:
    if isinstance(item.get("success"), bool):
        return item["success"] is False
    return item.get("status") != "completed" if "status" in item else None


def _changed(changes: object) -> Iterator[tuple[str, str]]:
    """(path, what was done) for each file of a patch, in the form of a rollout or of `codex exec`."""
    if isinstance(changes, dict):
        for path, change in changes.items():
            told = mapping(change)
            kind = string(told.get("type")) or next(iter(told), "")
            yield string(told.get("move_path")) or path, _CHANGES.get(kind, EDIT)
    for change in items(changes):
        yield string(change.get("path")), _CHANGES.get(string(change.get("kind")), EDIT)

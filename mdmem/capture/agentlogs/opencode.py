"""Sessions of OpenCode, as printed by `opencode export ID`; those in its database have the same form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mdmem.capture.agentlogs.deeds import CREATE, EDIT, Deed
from mdmem.capture.agentlogs.sessionlog import SessionLog, count, items
from mdmem.capture.turns import Conversation, JsonRecord, Turn, line_of, mapping, string
from mdmem.text import moments


def is_opencode(data: Any) -> bool:
    """Whether an object is a session of OpenCode."""
    info = data.get("info")
    return isinstance(info, dict) and "directory" in info and isinstance(data.get("messages"), list)


def opencode(records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """The sessions, in the order of the source."""
    return tuple(_session(record) for record in records if is_opencode(record.data))


def _session(record: JsonRecord) -> Conversation:
    info = mapping(record.data.get("info"))
    log = SessionLog(string(info.get("id")), string(info.get("parentID")))
    log.title = string(info.get("title"))
    log.folder = string(info.get("directory"))
    for message in items(record.data.get("messages")):
        told = mapping(message.get("info"))
        log.wrote(mapping(told.get("tokens")).get("output"))
        for part in items(message.get("parts")):
            _read(log, part, told, record.line)
    return log.conversation()


def _read(log: SessionLog, part: Mapping[str, Any], message: Mapping[str, Any], line: int) -> None:
    kind = part.get("type")
    role = string(message.get("role"))
    text = string(part.get("text"))
    when = moments.normal(mapping(message.get("time")).get("created"))
    line = line_of(part.get("text") or part.get("callID"), line)
    if kind == "text":
        is_machines = part.get("synthetic") is True or message.get("summary") is True
        said = _unquoted(text) if role == "user" else text
        speaker = "system" if is_machines else role
        log.say(Turn(speaker, said, line, string(part.get("id")), when, role))
    elif kind == "reasoning":
        log.think(text)
    elif kind == "tool":
        deed = _deed(part, line)
        log.call(string(part.get("callID")), deed)
        log.say(Turn("tool", deed.result, line, string(part.get("id")), deed.when, deed.tool))


def _unquoted(text: str) -> str:
    """A prompt without the quotation marks that `opencode run` puts around it."""
    inner = text[1:-1]
    return inner if text == f'"{inner}"' and '"' not in inner else text


def _deed(part: Mapping[str, Any], line: int) -> Deed:
    state = mapping(part.get("state"))
    time = mapping(state.get("time"))
    start, end = count(time.get("start")), count(time.get("end"))
    return Deed(
        tool=string(part.get("tool")),
        arguments=mapping(state.get("input")),
        line=line,
        when=moments.normal(start) if start else "",
        result=string(state.get("output")) or string(state.get("error")),
        failed=_failed(state),
        changed=tuple(_changed(part)),
        milliseconds=max(end - start, 0) if start else 0,
    )


def _failed(state: Mapping[str, Any]) -> bool | None:
    """Whether a tool failed. A command that ran and failed counts as completed for the client, but not here."""
    code = mapping(state.get("metadata")).get("exit")
    if isinstance(code, int) and code != 0:
        return True
    return {"error": True, "completed": False}.get(string(state.get("status")))


def _changed(part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    state = mapping(part.get("state"))
    told = mapping(state.get("metadata"))
    path = string(told.get("filepath"))
    if part.get("tool") == "write" and path:
        yield path, EDIT if told.get("exists") is True else CREATE

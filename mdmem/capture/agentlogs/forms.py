"""What no path of `data/clients.toml` can say: how lines are put in order, and how odd values are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from mdmem.capture.agentlogs.sessionlog import count, failed_by_exit, items
from mdmem.capture.turns import SPOKEN, JsonRecord, mapping, speaker_of, string, text_of

_REQUEST = "## My request for Codex:"  # an editor puts its context above this line
_AGENTS = "# AGENTS.md instructions"
_GEMINI = ("user", "gemini", "info", "error", "warning")

# -- the lines of a log ----------------------------------------------------------------------------------------


def _with(record: JsonRecord, **log: Any) -> JsonRecord:
    return JsonRecord(record.line, {**record.data, "log": log})


def _claude(records: Sequence[JsonRecord]) -> Iterator[JsonRecord]:
    """Each line once. A subagent has a session of its own; in older logs it has no id, and is left out."""
    seen: set[tuple[str, str]] = set()
    for record in records:
        data = record.data
        session = string(data.get("sessionId")) or string(data.get("session_id"))
        is_inner = data.get("isSidechain") is True
        id = f"agent-{string(data.get('agentId'))}" if is_inner else session
        key = id, string(data.get("uuid"))
        if not ((key[1] and key in seen) or (is_inner and not data.get("agentId"))):
            seen.add(key)
            yield _with(record, id=id, parent=session if is_inner else "")


def _codex(records: Sequence[JsonRecord]) -> Iterator[JsonRecord]:
    """Without messages to the model of speakers whom the events have, and without other threads' metadata."""
    told = [mapping(record.data.get("payload")).get("type") for record in records]
    speakers = {"user": "user_message" in told, "assistant": "agent_message" in told}
    has_meta = False
    for record in records:
        item = mapping(record.data.get("payload") or record.data)
        is_meta = record.data.get("type") == "session_meta"
        is_twice = item.get("type") == "message" and speakers.get(speaker_of(string(item.get("role"))))
        if not (is_twice or (is_meta and has_meta)):
            yield record
        has_meta |= is_meta


def _copilot(records: Sequence[JsonRecord]) -> Iterator[JsonRecord]:
    """A subagent's session is named after the call that started it."""
    id = folder = ""
    for record in records:
        told = mapping(record.data.get("data"))
        if record.data.get("type") in ("session.start", "session.resume"):
            id = id or string(told.get("sessionId"))
            folder = folder or string(mapping(told.get("context")).get("cwd"))
        call = string(told.get("parentToolCallId"))
        yield _with(record, id=f"{id}-{call}" if call else id, parent=id if call else "", folder=folder)


def _gemini(records: Sequence[JsonRecord]) -> Iterator[JsonRecord]:
    """The messages. One replaces an earlier one with its id, and may be taken back (`$rewindTo`).

    What `$set` leaves out, as a compression does, was said nevertheless. A subagent does not name its parent, but
    its log lies in a folder with the parent's id: `chats/PARENT/SESSION.jsonl`.
    """
    log: Mapping[str, Any] = {}
    messages: dict[str, JsonRecord] = {}
    for record in records:
        data = record.data
        if "projectHash" in data:
            yield from messages.values()
            log, messages = data, {}
        ids = list(messages)
        if (back := string(data.get("$rewindTo"))) in messages:
            messages = {id: messages[id] for id in ids[: ids.index(back)]}
        listed = mapping(data.get("$set")).get("messages", data.get("messages"))
        for message in items(listed) if listed is not None else [data]:
            if message.get("type") in _GEMINI:
                id = string(message.get("id")) or f"#{len(messages)}"
                messages[id] = JsonRecord(record.line, {**message, "log": log})
    yield from messages.values()


def _pi(records: Sequence[JsonRecord]) -> Sequence[JsonRecord]:
    """The entries from the root to the last one; all entries if that path has a gap."""
    by_id = {string(one.data.get("id")): one.data for one in records if "parentId" in one.data}
    way = _branch(by_id, next(reversed(by_id), ""), "parentId")
    if way and string(by_id[way[0]].get("parentId")):
        return records
    left_out = by_id.keys() - {*way}
    return [one for one in records if "parentId" not in one.data or string(one.data.get("id")) not in left_out]


def _chatgpt(records: Sequence[JsonRecord]) -> Iterator[JsonRecord]:
    """The messages of each chat from the root to the last one; the newest if a chat does not say which that is."""
    for record in records:
        data, nodes = record.data, mapping(record.data.get("mapping"))
        log = {"id": string(data.get("conversation_id")) or string(data.get("id")), "title": data.get("title")}
        leaf = string(data.get("current_node"))
        for key in _branch(nodes, leaf if leaf in nodes else _newest(nodes), "parent"):
            yield JsonRecord(record.line, {**mapping(mapping(nodes[key]).get("message")), "log": log})


def _newest(nodes: Mapping[str, Any]) -> str:
    """The message that was written last; if none has a time, the one at the end."""

    def written(key: str) -> float:
        time = mapping(mapping(nodes[key]).get("message")).get("create_time")
        return float(time) if isinstance(time, int | float) else 0.0

    return max(reversed(list(nodes)), key=written, default="")


def _branch(nodes: Mapping[str, Any], leaf: str, parent: str) -> list[str]:
    """The keys from the root to a leaf. A cycle is followed only once."""
    path: dict[str, None] = {}
    while leaf in nodes and leaf not in path:
        path[leaf] = None
        leaf = string(mapping(nodes[leaf]).get(parent))
    return [*reversed(path)]


def _claude_ai(records: Sequence[JsonRecord]) -> Iterator[JsonRecord]:
    """The messages of each chat, if it names the last one only those that lead to it."""
    for record in records:
        data, messages = record.data, items(record.data.get("chat_messages"))
        log = {
            "id": data.get("uuid"),
            "title": data.get("name"),
            "project": mapping(data.get("project")).get("name"),
        }
        by_id = {string(message.get("uuid")): message for message in messages}
        kept = _branch(by_id, string(data.get("current_leaf_message_uuid")), "parent_message_uuid")
        for message in map(by_id.__getitem__, kept) if kept else messages:
            yield JsonRecord(record.line, {**message, "log": log})


PREPARE: dict[str, Callable[[Sequence[JsonRecord]], Iterable[JsonRecord]]] = {
    "chatgpt": _chatgpt,
    "claude": _claude,
    "claude_ai": _claude_ai,
    "codex": _codex,
    "copilot": _copilot,
    "gemini": _gemini,
    "pi": _pi,
}

# -- values ----------------------------------------------------------------------------------------------------


def _by_claude(data: Any) -> bool:
    """Whether the program wrote a line: a hook's output, a summary after compaction, an event, an error."""
    if data.get("type") == "assistant":
        return data.get("isApiErrorMessage") is True or mapping(data.get("message")).get("model") == "<synthetic>"
    flags = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
    kind = mapping(data.get("origin")).get("kind", "human")
    return any(data.get(flag) is True for flag in flags) or kind != "human" or data.get("promptSource") == "system"


def _request(content: object) -> str:
    text = text_of(content, SPOKEN)
    return "" if text.lstrip().startswith(_AGENTS) else text.rpartition(_REQUEST)[2]


def _json(text: str) -> Mapping[str, Any]:
    try:
        return mapping(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _arguments(item: Any) -> Mapping[str, Any]:
    """The arguments of a call, from its JSON; for a tool that takes free text, that text as `input`."""
    given = item.get("arguments")
    if isinstance(given, str):
        return _json(given)
    return {"input": string(item.get("input"))} if "input" in item else {}


def _old_output(text: str) -> Mapping[str, Any]:
    """The output of an older Codex, which is JSON with the text and the metadata."""
    return _json(text) if text.startswith('{"output"') else {}


def _output_failed(output: object) -> bool | None:
    """Whether a call failed, by its output; None if the output does not tell."""
    text = text_of(mapping(output).get("content", output), SPOKEN)
    if mapping(output).get("success") is False or text.startswith("unsupported call"):
        return True
    told = mapping(_old_output(text).get("metadata"))
    if "exit_code" in told:
        return bool(told["exit_code"] != 0)
    return failed_by_exit(text.partition("\nOutput:\n")[0]) if "\nOutput:\n" in text else None


def _plain(output: object) -> str:
    """An output without what Codex puts around it."""
    text = text_of(output, SPOKEN)
    old = _old_output(text)
    return string(old.get("output")) if old else text.rpartition("\nOutput:\n")[2]


def command_line(command: object) -> str:
    """The command line of a call; if it starts a shell, the one that the shell was given."""
    if not isinstance(command, list):
        return string(command)
    words = [word for word in command if isinstance(word, str)]
    return words[2] if len(words) == 3 and words[1] in ("-lc", "-c") else " ".join(words)


def _took(time: object) -> int:
    """Milliseconds, from `start` and `end` in milliseconds, or from `secs` and `nanos`."""
    told = {key: count(value) for key, value in mapping(time).items()}
    between = max(told.get("end", 0) - told["start"], 0) if told.get("start") else 0
    return between + told.get("secs", 0) * 1000 + told.get("nanos", 0) // 1_000_000


def _changes(changes: object) -> object:
    """The files of a patch as a list, in the form of `codex exec`, also from that of a rollout."""
    if not isinstance(changes, dict):
        return changes
    told = [(path, mapping(change)) for path, change in changes.items()]
    return [
        {"path": string(one.get("move_path")) or path, "kind": string(one.get("type")) or next(iter(one), "")}
        for path, one in told
    ]


def _responses(given: Any) -> str:
    """The results of a tool, in the form in which Gemini and its forks log them."""
    told = [
        mapping(mapping(part.get("functionResponse")).get("response"))
        for part in items(given if isinstance(given, list) else [given])
    ]
    return "\n".join(filter(None, (string(one.get("output")) or string(one.get("error")) for one in told)))


def _unquoted(text: object) -> str:
    """A prompt without the quotation marks that `opencode run` puts around it."""
    text = string(text)
    inner = text[1:-1]
    return inner if text == f'"{inner}"' and '"' not in inner else text


FORMS: dict[str, Callable[[Any], Any]] = {
    "arguments": _arguments,
    "by_claude": _by_claude,
    "changes": _changes,
    "first": lambda listed: listed[0] if isinstance(listed, list) and listed else "",
    "kinds": lambda blocks: " ".join(string(block.get("type")) for block in items(blocks)),
    "output_failed": _output_failed,
    "plain": _plain,
    "request": _request,
    "responses": _responses,
    "responses_failed": lambda given: failed_by_exit(_responses(given)),
    "shell": lambda command: {"cmd": command_line(command)},
    "spoken": lambda content: text_of(content, SPOKEN),
    "speaker": lambda name: speaker_of(string(name)) if string(name) else "",
    "text": text_of,
    "thought": lambda one: ": ".join(filter(None, (string(one.get(key)) for key in ("subject", "description")))),
    "took": _took,
    "unquoted": _unquoted,
}

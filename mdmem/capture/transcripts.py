"""Transcripts of chats. The format of a text is recognised from the text itself.

claude-code, codex, copilot, gemini-cli, qwen-code, opencode, pi, cursor, cursor-text, aider: sessions of agents
chatgpt, claude-ai: their `conversations.json`
jsonl: lines or lists of role and content
markdown, text: copied chats
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from json import scanner
from typing import Any

from mdmem.capture import dialogue
from mdmem.capture.agentlogs import aider, cursor, messages, reader
from mdmem.capture.turns import Conversation, JsonRecord, Located, Transcript, mapping, string
from mdmem.errors import Problem, UsageError

_HINT = (
    "give a session of an agent (mdmem guide capture lists them), JSONL of role and content, conversations.json of"
    " ChatGPT or Claude.ai, or a chat as Markdown or text with lines such as 'User:' and 'Assistant:'"
)
# what is wrong with a line, what to do, and how grave it is if it is no error
_CUT_OFF = "the last line is cut off", "it was left out; read the file again when it is complete", "warning"
_BROKEN = "the line is not valid JSON", "it was left out; fix or delete the line"
_NO_OBJECT = "the line is not a JSON object", "it was left out"
_ASKED = 1000  # objects of which the format is found out
_SCANNER: Any = vars(scanner)["py_make_scanner"]  # the one in C does not give positions
_Read = Callable[[Any], tuple[Conversation, ...]]
_READERS: dict[str, _Read] = {name: partial(reader.read, name) for name in reader.clients()}  # narrow ones first
_READERS["jsonl"] = messages.generic
_RECOGNISED: dict[str, Callable[[Any], bool]] = {
    **{name: partial(reader.fits, name) for name in reader.clients()},
    "jsonl": messages.is_message,
}
_TEXTS: dict[str, tuple[Callable[[str], bool], _Read]] = {
    "aider": (aider.is_aider, aider.aider),
    "cursor-text": (cursor.is_cursor_text, cursor.cursor_text),
}
JSON_FORMATS = tuple(_RECOGNISED)
FORMATS = (*JSON_FORMATS, *_TEXTS, "markdown", "text")


def parse(text: str, source: str) -> Transcript:
    """The conversations of a transcript; `source` names it in problems. Raises UsageError if it is not one.

    A line that cannot be read becomes a problem, and the others are read. Conversations without turns are left
    out.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    records, problems = _records(text, source)
    if kind := _format(records):
        return _of_kind(kind, records, problems, source)
    found = _read_text(text)
    if found is None:
        raise UsageError(f"{source} is not a transcript that can be read{_why_not(text)}", _HINT)
    kind, conversations = found
    return Transcript(kind, tuple(chat for chat in conversations if chat.turns), ())


def of_records(records: list[JsonRecord], problems: list[Problem], source: str) -> Transcript:
    """The conversations in JSON objects, with `problems` found before. Raises UsageError like `parse`."""
    kind = _format(records)
    if not kind:
        raise UsageError(f"{source} is not a transcript that can be read: it holds no messages", _HINT)
    return _of_kind(kind, records, problems, source)


def _of_kind(kind: str, records: list[JsonRecord], problems: list[Problem], source: str) -> Transcript:
    unsure = [record for record in records if kind == "chatgpt" and not _names_its_last(record)]
    for record in unsure:
        message = f"'{string(record.data.get('title'))}' does not say which of its branches is the last"
        problems.append(Problem("transcript", source, record.line, message, "the newest one was read", "warning"))
    chats = tuple(chat for chat in _READERS[kind](records) if chat.turns)
    return Transcript(kind, chats, tuple(problems))


def _names_its_last(record: JsonRecord) -> bool:
    """Whether a chat of ChatGPT, if it has messages, names the last of them."""
    nodes = mapping(record.data.get("mapping"))
    return not nodes or string(record.data.get("current_node")) in nodes


def _read_text(text: str) -> tuple[str, tuple[Conversation, ...]] | None:
    """(format, conversations) of a text that is not JSON; None if it is not a chat."""
    for name, (fits, read) in _TEXTS.items():
        if fits(text):
            return name, read(text)
    return dialogue.read(text)


def _format(records: list[JsonRecord]) -> str:
    """The format of most of the objects, of many by a part of them; "" if none has any."""
    for asked in (records[:: 1 + len(records) // _ASKED], records):
        kinds = (next((kind for kind, fits in _RECOGNISED.items() if fits(one.data)), "") for one in asked)
        counts = Counter(filter(None, kinds))
        if counts:
            return max(_RECOGNISED, key=counts.__getitem__)
    return ""


# -- JSON --------------------------------------------------------------------------------------------------


def _records(text: str, source: str) -> tuple[list[JsonRecord], list[Problem]]:
    """The objects of a JSON file, or of a file with one per line; none if it is neither."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            return _listed(_located(text) if "\n" in text.strip() else whole), []
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if 2 * sum(line.lstrip().startswith("{") for _, line in lines) < len(lines):
        return [], []
    return _by_line(lines, source)


def _by_line(lines: list[tuple[int, str]], source: str) -> tuple[list[JsonRecord], list[Problem]]:
    found: list[JsonRecord] = []
    problems: list[Problem] = []
    for number, line in lines:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            told = _CUT_OFF if number == lines[-1][0] else _BROKEN
            problems.append(Problem("transcript", source, number, *told))
            continue
        if isinstance(value, dict):
            found.append(JsonRecord(number, value))
        else:
            problems.append(Problem("transcript", source, number, *_NO_OBJECT))
    return found, problems


def _listed(value: object) -> list[JsonRecord]:
    """The objects in a JSON value or list; for an export with a wrapper, those inside it."""
    if isinstance(value, dict):
        inner = value.get("conversations")
        wrapped = isinstance(inner, list) and any(_is_chat(item) for item in inner)
        return _listed(inner) if wrapped else [JsonRecord(1, value)]
    items = value if isinstance(value, list) else []
    nested = [part for item in items for part in (item if isinstance(item, list) else [item])]
    return [JsonRecord(1, item) for item in nested if isinstance(item, dict)]


def _is_chat(item: object) -> bool:
    return isinstance(item, dict) and (
        "messages" in item or reader.fits("chatgpt", item) or reader.fits("claude-ai", item)
    )


def _located(text: str) -> object:
    """The value of a JSON text of several lines, in which every string has its line."""
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    decoder: Any = json.JSONDecoder()
    plain = decoder.parse_string

    def located(source: str, at: int, strict: bool) -> tuple[Located, int]:
        value, end = plain(source, at, strict)
        found = Located(value)
        found.line = bisect_right(starts, at - 1)
        return found, end

    decoder.parse_string = located
    decoder.scan_once = _SCANNER(decoder)
    try:
        return decoder.decode(text)
    except RecursionError:  # json.loads can read deeper nesting than this decoder
        return json.loads(text)


def _why_not(text: str) -> str:
    if not text.strip():
        return ": it is empty"
    if text.lstrip()[:1] in ("{", "["):
        try:
            json.loads(text)
        except RecursionError:
            return ": its JSON is nested too deep"
        except json.JSONDecodeError as error:
            return f": as JSON it is broken in line {error.lineno}"
        except ValueError:
            return ": its JSON holds a number that is too long"
        return ": its JSON holds no messages"
    return ""

"""A chat as its turns, what an agent did meanwhile, and what the readers of all formats share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from mdmem.errors import Problem
from mdmem.note import tsv

SPOKEN = frozenset(("text", "input_text", "output_text"))  # types of the blocks that are said
EDIT, CREATE, DELETE = "edit", "create", "delete"  # what may be done to a file


class Deed(NamedTuple):
    """A tool call: the `tool` and its `arguments` in the client's terms, and its result.

    `line` is the line of the call (1-based), `turn` the number of turns before it, `when` RFC 3339 UTC or "".
    `failed` is None if the log does not tell. `changed` is what the client itself says about files: (path, one of
    EDIT, CREATE, DELETE). `milliseconds` is 0 if it is not known.
    """

    tool: str
    arguments: Mapping[str, Any]
    line: int = 0
    turn: int = 0
    when: str = ""
    result: str = ""
    failed: bool | None = None
    changed: tuple[tuple[str, str], ...] = ()
    milliseconds: int = 0


class Thought(NamedTuple):
    """What an agent thought, after so many turns (`turn`) and tool calls (`deed`) of its session."""

    text: str
    turn: int = 0
    deed: int = 0


class AgentRun(NamedTuple):
    """What an agent did in a session, in order.

    `folder` is where it worked (an absolute path), "" if it is not known. `parent` is the session of the agent
    that it worked for, "" if it worked for a person.
    """

    folder: str = ""
    deeds: tuple[Deed, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    parent: str = ""


class Turn(NamedTuple):
    """What one speaker said at one time.

    `speaker` is "user", "assistant", "tool" or "system". `line` is the 1-based line of the source where the text
    begins. `when` is RFC 3339 UTC or ""; `name` is the speaker's name in the source.
    """

    speaker: str
    text: str
    line: int
    id: str = ""
    when: str = ""
    name: str = ""


class Conversation(NamedTuple):
    """Turns in the order in which they were said. `project` is where, such as the name of the folder, or "".

    `run` is what the agent did meanwhile; it is empty for a chat without tools.
    """

    id: str
    title: str
    turns: tuple[Turn, ...]
    project: str = ""
    run: AgentRun = AgentRun()


class Transcript(NamedTuple):
    """The conversations of a source; `format` is one of capture.transcripts.FORMATS."""

    format: str
    conversations: tuple[Conversation, ...]
    problems: tuple[Problem, ...]


class JsonRecord(NamedTuple):
    """One JSON object of a source, and the 1-based line where it begins."""

    line: int
    data: Mapping[str, Any]


class Located(str):
    """A string from a JSON file of several lines, with the line where it stands."""

    __slots__ = ("line",)
    line: int


_ASSISTANT = re.compile(
    r"(?:assistant|ai|bot|chatbot|model|llm|claude|chatgpt|gpt|gemini|bard|copilot|codex|grok|llama|mistral"
    r"|deepseek|perplexity)(?![^\W\d_]).*",
    re.I | re.S,
)


@cache
def _known() -> dict[str, str]:
    """Name in lower case -> the speaker that it means in any chat."""
    rows = tsv.rows(__file__, "speakers.tsv", 2)
    return {name: speaker for speaker, names in rows for name in names.split()}


def known_speaker(name: str) -> str:
    """The speaker that a role or name means in any chat; "" if it could be anybody's name."""
    name = name.strip()
    return _known().get(name.lower()) or ("assistant" if _ASSISTANT.fullmatch(name) else "")


def speaker_of(name: str) -> str:
    """The speaker that a role or name means: a user, unless it is the assistant, a tool or the system."""
    return known_speaker(name) or "user"


def text_of(content: object, kinds: frozenset[str] = frozenset()) -> str:
    """The text of a message's content: a string, blocks, or parts. Typed blocks count only if of `kinds`."""
    return "\n\n".join(text for text in _texts(content, kinds) if text.strip())


def _texts(content: object, kinds: frozenset[str]) -> Iterator[str]:
    if isinstance(content, str):
        yield str(content)
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, str):
                yield str(part)
            elif isinstance(part, dict) and isinstance(part.get("text"), str):
                kind = part.get("type")
                if not kinds or kind is None or (isinstance(kind, str) and kind in kinds):
                    yield str(part["text"])
    elif isinstance(content, dict):
        yield from _texts(content.get("text", content.get("parts")), kinds)


def line_of(content: object, default: int) -> int:
    """The line of the first text in a message's content; `default` if it is not known."""
    if isinstance(content, Located):
        return content.line
    inner: Iterable[object] = ()
    if isinstance(content, dict):
        inner = content.values() if "type" not in content else (content.get("text"),)
    elif isinstance(content, list):
        inner = content
    for value in inner:
        if isinstance(value, Located | dict) and (line := line_of(value, 0)):
            return line
    return default


def string(value: object) -> str:
    """A string as it is, an integer as a string, "" for anything else."""
    if isinstance(value, str):
        return str(value)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def mapping(value: object) -> Mapping[str, Any]:
    """A JSON object as it is; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def last_part(path: object) -> str:
    """The name of the folder at the end of a path of any operating system."""
    return re.split(r"[\\/]", string(path).rstrip("\\/"))[-1]


def grouped(turns: Iterable[tuple[str, Turn]]) -> dict[str, tuple[Turn, ...]]:
    """Turns grouped by the id of their conversation, in the order of the source."""
    found: dict[str, list[Turn]] = {}
    for key, turn in turns:
        found.setdefault(key, []).append(turn)
    return {key: tuple(said) for key, said in found.items()}

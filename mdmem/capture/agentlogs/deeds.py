"""What an agent did in a session besides talking: its tool calls, their results, and its thoughts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

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
    that it worked for, "" if it worked for a person. `output_tokens` is how much the model wrote, 0 if it is not
    known.
    """

    folder: str = ""
    deeds: tuple[Deed, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    output_tokens: int = 0
    parent: str = ""

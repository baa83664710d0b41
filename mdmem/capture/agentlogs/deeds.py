"""What an agent did in a session besides talking: its tool calls with what came of them, and its thoughts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mdmem.values import NamedTuple

EDIT, CREATE, DELETE = "edit", "create", "delete"  # what may be done to a file


class Deed(NamedTuple):
    """A tool call: the `tool` and its `arguments` as the client names them, and what came of it.

    `line` is where the call stands (1-based), `turn` how many turns were said before it, `when` RFC 3339 UTC or
    "". `failed` is None where the log does not tell. `changed` is what the client itself says of files: (path, one
    of EDIT, CREATE, DELETE). `milliseconds` is 0 where it is not known.
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
    """What an agent thought, after so many turns (`turn`) and deeds (`deed`) of its session."""

    text: str
    turn: int = 0
    deed: int = 0


class AgentRun(NamedTuple):
    """What an agent did in a session, in its order.

    `folder` is where it worked (an absolute path), "" if it is not told. `parent` is the session of the agent it
    worked for, "" if it worked for a person. `output_tokens` is what the model wrote, 0 if it is not told.
    """

    folder: str = ""
    deeds: tuple[Deed, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    output_tokens: int = 0
    parent: str = ""

"""A session while its log is being read: what was said, done and thought, whichever client wrote the log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from mdmem.capture.turns import AgentRun, Conversation, Deed, Thought, Turn, last_part
from mdmem.note import tsv

TASK = "task"  # name of a turn in which one agent tells another what to do
_EXIT_CODE = re.compile(r"^(?:Process exited with code|Command exited with code|Exit [Cc]ode:?) (-?\d+)\s*$", re.M)


class SessionLog:
    """One session, filled in the order of its log. The user of a subagent is another agent, not a person."""

    def __init__(self, id: str = "", parent: str = "", is_subagent: bool = False) -> None:
        self.id = id
        self.parent = parent
        self._is_subagent = is_subagent
        self.title = ""
        self.folder = self.project = ""
        self._turns: list[Turn] = []
        self._deeds: dict[str, Deed] = {}
        self._thoughts: list[Thought] = []

    def say(self, turn: Turn) -> None:
        """Add a turn, unless it is empty. A user's turn keeps only what a person said."""
        if turn.speaker == "user":
            turn = turn._replace(text=users_words(turn.text))
            if self.parent or self._is_subagent:
                turn = turn._replace(speaker="system", name=TASK)
        if turn.text.strip():
            self._turns.append(turn)

    def think(self, text: str) -> None:
        """Add a thought, unless it is empty."""
        if text.strip():
            self._thoughts.append(Thought(text.strip(), len(self._turns), len(self._deeds)))

    def call(self, id: str, deed: Deed) -> str:
        """Add a tool call, and give the id under which it stays. If its id is known, the first call stays."""
        key = id or f"#{len(self._deeds)}"
        self._deeds.setdefault(key, deed._replace(turn=len(self._turns)))
        return key

    def came_of(self, id: str, failed: bool | None, **told: Any) -> None:
        """Add what the log says later about a known call: `failed`, and other fields of its Deed.

        The first line that says whether the call failed counts.
        """
        deed = self._deeds.get(id)
        if deed is None:
            return
        failed = failed if deed.failed is None else deed.failed
        self._deeds[id] = deed._replace(failed=failed, **{name: value for name, value in told.items() if value})

    @property
    def has_turns(self) -> bool:
        """Whether anything was said."""
        return bool(self._turns)

    def conversation(self) -> Conversation:
        """The conversation with everything that was read."""
        deeds = tuple(self._deeds.values())
        run = AgentRun(self.folder, deeds, tuple(self._thoughts), self.parent)
        return Conversation(self.id, self.title, tuple(self._turns), self.project or last_part(self.folder), run)


def failed_by_exit(output: str) -> bool | None:
    """Whether a command failed, by the last exit code in its output; None if there is none."""
    codes = _EXIT_CODE.findall(output)
    return codes[-1] != "0" if codes else None


def count(value: object) -> int:
    """A number of milliseconds as an integer; 0 for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if 0 <= value < 1e15 else 0


def items(value: object) -> Iterable[Mapping[str, Any]]:
    """The objects in a JSON list; none for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def users_words(text: str) -> str:
    """The text of a user's turn without what the agent's program added to it."""
    if "<" in text:
        for whose, tag in _tags():
            marks = f"<{tag}>", f"</{tag}>"
            text = (
                _without(text, *marks) if whose == "machine" else text.replace(marks[0], "").replace(marks[1], "")
            )
    text = text.strip()
    return "" if text.startswith("[Request interrupted by user") else text


@cache
def _tags() -> list[list[str]]:
    """(whose words stand within it, tag) of each tag that programs put into a turn."""
    return list(tsv.rows(__file__, "tags.tsv", 2))


def _without(text: str, opening: str, closing: str) -> str:
    """The text without each part from `opening` to the next `closing`. A lone opening is ordinary text."""
    kept, at = [], 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(closing)
    return "".join([*kept, text[at:]])

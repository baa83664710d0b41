"""Sessions of aider: `.aider.chat.history.md`, one below the other.

    # aider chat started at 2026-03-01 10:00:00
    > Added src/list.py to the chat.          what the program says
    #### Sort the numbers                     what the user says
    I changed the order.                      what the model says
    > Applied edit to src/list.py

Its times have no time zone: they only tell sessions apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from mdmem.capture.agentlogs.sessionlog import SessionLog
from mdmem.capture.turns import EDIT, Conversation, Deed, Turn

_START = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)\s*")
_LINE = re.compile(rf"{_START.pattern}|####(?: (?P<user>.*)|\s*)|> ?(?P<tool>.*)", re.S)
_COMMAND = re.compile(r"/(?!(?:ask|code|architect) )[a-z-]+\b.*")
_MODE = re.compile(r"/(?:ask|code|architect) ")
_EDITED = re.compile(r"Applied edit to (.+)")
_ADDED = re.compile(r"Added (.+?) to the chat\.?")
_RAN = re.compile(r"Running (.+)")


def is_aider(text: str) -> bool:
    """Whether a text is a chat history of aider."""
    return any(_START.fullmatch(line) for line in text.split("\n", 400)[:400])


def aider(text: str) -> tuple[Conversation, ...]:
    """One conversation for each start of aider; its id has the time of the start."""
    logs: list[SessionLog] = []
    lines = [(number, *_read(line)) for number, line in enumerate(text.split("\n"), 1)]
    for kind, group in groupby(lines, lambda one: one[1]):
        block = [(number, said) for number, _, said in group]
        if kind == "start":
            logs += [SessionLog(f"aider-{said}") for _, said in block]
        elif logs:
            _tell(logs[-1], kind, block)
    return tuple(log.conversation() for log in logs)


def _read(line: str) -> tuple[str, str]:
    """(who speaks, what is said) on a line; of a start, when that was."""
    found = _LINE.fullmatch(line)
    if not found:
        return "assistant", line
    if found[1]:
        return "start", f"{found[1]}T{found[2]}"
    kind = "tool" if found["tool"] is not None else "user"
    return kind, (found[kind] or "").rstrip()


def _tell(log: SessionLog, kind: str, block: Sequence[tuple[int, str]]) -> None:
    text = "\n".join(said for _, said in block).strip("\n")
    first = next((number for number, said in block if said.strip()), block[0][0])
    if kind == "user":
        kind, text = "system" if _COMMAND.fullmatch(text) else kind, _MODE.sub("", text, count=1)
    log.say(Turn(kind, text, first, name=kind))
    for number, said in block if kind == "tool" else ():
        for deed in _deeds(number, said):
            log.call("", deed)


def _deeds(number: int, line: str) -> Iterator[Deed]:
    if edited := _EDITED.fullmatch(line):
        yield Deed("edit", {"path": edited[1]}, number, failed=False, changed=((edited[1], EDIT),))
    elif added := _ADDED.fullmatch(line):
        yield Deed("read", {"path": added[1]}, number, failed=False)
    elif ran := _RAN.fullmatch(line):
        yield Deed("run", {"command": ran[1]}, number)

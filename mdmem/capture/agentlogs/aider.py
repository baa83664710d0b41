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

from mdmem.capture.agentlogs.deeds import EDIT, Deed
from mdmem.capture.agentlogs.sessionlog import SessionLog
from mdmem.capture.turns import Conversation, Turn

_START = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)\s*")
_USER, _PROGRAM = "#### ", ">"
_COMMAND = re.compile(r"/(?!(?:ask|code|architect) )[a-z-]+\b.*")
_MODE = re.compile(r"/(?:ask|code|architect) ")
_EDITED = re.compile(r"Applied edit to (.+)")
_ADDED = re.compile(r"Added (.+?) to the chat\.?")
_RAN = re.compile(r"Running (.+)")
_WROTE = re.compile(r"Tokens: .*?(\d[\d,]*(?:\.\d+)?)(k?) received")


def is_aider(text: str) -> bool:
    """Whether a text is a chat history of aider."""
    return any(_START.fullmatch(line) for line in text.split("\n", 400)[:400])


def aider(text: str) -> tuple[Conversation, ...]:
    """One conversation for each start of aider; its id has the time of the start."""
    logs: list[SessionLog] = []
    lines = list(enumerate(text.split("\n"), 1))
    for kind, group in groupby(lines, lambda numbered: _kind(numbered[1])):
        block = list(group)
        if kind == "start":
            logs += [_opened(line) for _, line in block]
        elif logs:
            _read(logs[-1], kind, block)
    return tuple(log.conversation() for log in logs)


def _kind(line: str) -> str:
    if _START.fullmatch(line):
        return "start"
    if line.startswith(_USER) or line.rstrip() == _USER.rstrip():
        return "user"
    return "tool" if line.startswith(_PROGRAM) else "assistant"


def _opened(line: str) -> SessionLog:
    match = _START.fullmatch(line)
    return SessionLog(f"aider-{match[1]}T{match[2]}" if match else "")


def _read(log: SessionLog, kind: str, block: Sequence[tuple[int, str]]) -> None:
    mark = {"user": _USER, "tool": f"{_PROGRAM} "}.get(kind, "")
    bare = [line.removeprefix(mark).rstrip() if mark else line for _, line in block]
    text = "\n".join(bare).strip("\n")
    first = next((number for number, line in block if line.strip()), block[0][0])
    if kind == "user" and _COMMAND.fullmatch(text):
        kind = "system"
    log.say(Turn(kind, _MODE.sub("", text, count=1) if kind == "user" else text, first, name=kind))
    if kind == "tool":
        for (number, _), line in zip(block, bare, strict=True):
            _read_program(log, number, line)


def _read_program(log: SessionLog, number: int, line: str) -> None:
    for deed in _deeds(number, line):
        log.call("", deed)
    if wrote := _WROTE.match(line):
        log.wrote(float(wrote[1].replace(",", "")) * (1000 if wrote[2] else 1))


def _deeds(number: int, line: str) -> Iterator[Deed]:
    if edited := _EDITED.fullmatch(line):
        yield Deed("edit", {"path": edited[1]}, number, failed=False, changed=((edited[1], EDIT),))
    elif added := _ADDED.fullmatch(line):
        yield Deed("read", {"path": added[1]}, number, failed=False)
    elif ran := _RAN.fullmatch(line):
        yield Deed("run", {"command": ran[1]}, number)

"""Derives a work's actions from the tool calls of a session: each file once, each command once per result."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import NamedTuple

from mdmem.capture.turns import Deed
from mdmem.note.sentences import split
from mdmem.systems.rum import work
from mdmem.systems.rum.drafting import tools
from mdmem.systems.rum.drafting.tools import COMMAND, QUERY, READ, SEARCH, Touch, touches
from mdmem.systems.rum.schema import Record

MOST = 40  # most actions of a draft, since a person reads it
_LONGEST = 300  # characters of a command, an error or a summary
CHANGES = (tools.EDIT, tools.CREATE, tools.DELETE)


class DraftedActions(NamedTuple):
    """The actions, and the number of reads, searches and commands left out because there are too many."""

    actions: list[Record]
    left_out: int


def changes(deed: Deed) -> bool:
    """Whether a tool call changed a file."""
    return deed.failed is not True and any(touch.type in CHANGES for touch in touches(deed))


def drafted(deeds: Sequence[Deed], folder: str) -> DraftedActions:
    """The actions of tool calls, in order; paths within the project's `folder` are relative to it.

    A file that was changed is not listed as read as well. Of several attempts one that succeeded counts.
    """
    found: dict[tuple[str, ...], Record] = {}
    for deed in deeds:
        for touch in touches(deed):
            action = _action(touch, deed, folder)
            key = _key(touch, action)
            if key not in found or _outweighs(action, found[key]):
                found[key] = action
    changed = {_path(action) for action in found.values() if action["type"] in CHANGES and _succeeded(action)}
    told = [action for action in found.values() if action["type"] != READ or _path(action) not in changed]
    return _within(told)


def _succeeded(action: Record) -> bool:
    return action["result"].get("success") is not False


def _outweighs(action: Record, known: Record) -> bool:
    """Whether a later action replaces an earlier one with its key: it succeeded at last, or deleted the file."""
    return _succeeded(action) and (not _succeeded(known) or action["type"] == tools.DELETE != known["type"])


def _path(action: Record) -> str:
    return str(action["details"].get("file_path", ""))


def _key(touch: Touch, action: Record) -> tuple[str, ...]:
    """The key of an action: one for all changes of a file, one for each result of a command."""
    if touch.type in CHANGES:
        return "change", _path(action)
    if touch.type == COMMAND:
        return touch.type, touch.about, str(action["result"].get("success"))
    return touch.type, _path(action) or touch.about, touch.scope


def _action(touch: Touch, deed: Deed, folder: str) -> Record:
    action: Record = {"type": touch.type, "details": _details(touch, folder), "result": {}}
    if deed.when:
        action["timestamp"] = work.seconds_of(deed.when)
    if deed.failed is not None:
        action["result"]["success"] = not deed.failed
    if deed.failed and (error := first_error(deed.result)):
        action["result"]["error"] = error
    if deed.milliseconds:
        action["result"]["duration_ms"] = deed.milliseconds
    return {name: action[name] for name in ("type", "timestamp", "details", "result") if name in action}


def _details(touch: Touch, folder: str) -> Record:
    if touch.type == COMMAND:
        return {"command": shortened(touch.about)}
    if touch.type in (SEARCH, QUERY):
        scope = {"scope": relative(touch.scope, folder)} if touch.scope else {}
        return {"query": shortened(touch.about), **scope}
    return {"file_path": relative(touch.about, folder)}


def relative(path: str, folder: str) -> str:
    """A path relative to the project's folder; unchanged if it is outside."""
    plain = path.replace("\\", "/") if "\\" in folder else path
    root = folder.replace("\\", "/").rstrip("/")
    if root and plain.rstrip("/") == root:
        return "."
    inside = plain.removeprefix(f"{root}/") if root else plain
    return posixpath.normpath(inside) if inside else path


def shortened(text: str) -> str:
    """The first line of a text, cut if it is long."""
    line = text.strip().split("\n", 1)[0].rstrip()
    cut = line[:_LONGEST].rstrip()
    return f"{cut} …" if cut != text.strip() else cut


def beginning(text: str) -> str:
    """The first sentences of a text, as many as are not too long together."""
    kept = ""
    for sentence in split(" ".join(text.split())):
        if kept and len(kept) + len(sentence) > _LONGEST:
            break
        kept = f"{kept} {sentence}".strip()
    return shortened(kept)


def first_error(result: str) -> str:
    """The most telling line of a failed call's result: the last one that names an error, else the last one."""
    lines = [line.strip() for line in result.split("\n") if line.strip()]
    telling = [line for line in lines if any(word in line.lower() for word in ("error", "fail", "not found"))]
    return shortened((telling or lines or [""])[-1])


def _within(actions: list[Record]) -> DraftedActions:
    """At most MOST actions: searches go first, then reads, queries and commands, of each the earliest."""
    extra = len(actions) - MOST
    left_out: set[int] = set()
    for type in (SEARCH, READ, QUERY, COMMAND):
        places = [at for at, action in enumerate(actions) if action["type"] == type]
        left_out |= set(places[: max(extra - len(left_out), 0)])
    kept = [action for at, action in enumerate(actions) if at not in left_out]
    return DraftedActions(kept, len(left_out))

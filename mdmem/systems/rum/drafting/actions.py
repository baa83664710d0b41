"""Derives a work's actions from the tool calls of a session: each file once, each command once per result.

The calls are classified whatever a client names its tools: reading, editing, running, searching ...
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.capture.turns import Deed
from mdmem.note import tsv
from mdmem.note.sentences import split
from mdmem.systems.rum import work
from mdmem.systems.rum.schema import Record

READ, EDIT, CREATE, DELETE = "file_read", "file_edit", "file_create", "file_delete"
COMMAND, SEARCH, QUERY = "command_run", "search", "external_query"

_TYPES = {name: type for type, names in tsv.rows(__file__, "tools.tsv", 2) for name in names.split()}
_PATHS = ("file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file", "filename")
_PATTERNS = ("query", "pattern", "glob_pattern", "url", "prompt")
_SCOPES = ("path", "dir_path", "include", "glob")
_OPERATIONS = {"edit": EDIT, "create": CREATE, "delete": DELETE}
_PATCHED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+?)\s*$", re.M)
_OF_PATCH = {"Add": CREATE, "Update": EDIT, "Delete": DELETE}
# Agents without such tools read and search by shell commands: those of a single program, without a pipe.
_READING = re.compile(
    r"(?:cat|head|tail|nl|sed -n)(?: -\S+| '[^']*'| \d+(?:,\d+)?p?)* (?P<path>[^\s|;&<>'\"-][^\s|;&<>'\"]*)"
)
_SEARCHING = re.compile(r"(?:rg|grep|find|ls|fd|git grep)(?: [^|;&<>]*)?")
_UPDATED = re.compile(r"\b(?:updated|overwr\w+|overwrote)\b", re.I)


class Touch(NamedTuple):
    """One thing that a tool call did: the `type` of action, and the file, command or query it is about."""

    type: str
    about: str
    scope: str = ""


def touches(deed: Deed) -> Iterator[Touch]:
    """What a tool call did; nothing for a tool that only manages the agent's own state, such as a task list."""
    patched = list(_patched(deed))
    type = _TYPES.get(re.sub(r"[^a-z]", "", deed.tool.lower()), "")
    if patched:
        yield from patched
    elif type == COMMAND:
        yield from _of_command(command_of(deed.arguments))
    elif type in (SEARCH, QUERY):
        yield from _asked(type, deed.arguments)
    elif type and (path := _first(deed.arguments, _PATHS)):
        is_there = type == CREATE and _UPDATED.search(deed.result[:200])
        yield Touch(EDIT if is_there else type, path)


def command_of(arguments: Mapping[str, Any]) -> str:
    """The command line that a tool was given, "" if there is none."""
    given = arguments.get("command", arguments.get("cmd"))
    if isinstance(given, list):
        words = [word for word in given if isinstance(word, str)]
        return words[2] if len(words) == 3 and words[1] in ("-c", "-lc") else " ".join(words)
    return given if isinstance(given, str) else ""


def _patched(deed: Deed) -> Iterator[Touch]:
    """The files that a tool changed, according to the client, or else to the patch."""
    if deed.changed:
        yield from (Touch(_OPERATIONS.get(operation, EDIT), path) for path, operation in deed.changed)
        return
    patch = deed.arguments.get("input", deed.arguments.get("patch"))
    text = patch if isinstance(patch, str) else command_of(deed.arguments)
    if "*** Begin Patch" in text:
        yield from (Touch(_OF_PATCH[kind], path) for kind, path in _PATCHED.findall(text))


def _of_command(command: str) -> Iterator[Touch]:
    command = command.strip()
    if match := _READING.fullmatch(command):
        yield Touch(READ, match["path"])
    elif _SEARCHING.fullmatch(command):
        yield Touch(SEARCH, command)
    elif command:
        yield Touch(COMMAND, command)


def _asked(type: str, arguments: Mapping[str, Any]) -> Iterator[Touch]:
    if asked := _first(arguments, _PATTERNS):
        yield Touch(type, asked, _first(arguments, _SCOPES) if type == SEARCH else "")


def _first(arguments: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """The first string that is not blank among the arguments with these names."""
    given = (arguments.get(name) for name in names)
    return next((value for value in given if isinstance(value, str) and value.strip()), "")


# -- as actions of a work ------------------------------------------------------------------------------------

MOST = 40  # most actions of a draft, since a person reads it
_LONGEST = 300  # characters of a command, an error or a summary
CHANGES = (EDIT, CREATE, DELETE)


def changes(deed: Deed) -> bool:
    """Whether a tool call changed a file."""
    return deed.failed is not True and any(touch.type in CHANGES for touch in touches(deed))


def drafted(deeds: Sequence[Deed], folder: str) -> tuple[list[Record], int]:
    """The actions of tool calls, in order, and how many were left out; paths within `folder` are relative to it.

    A file that was changed is not listed as read as well. Of several attempts one that succeeded counts. Of too
    many actions reads, searches and commands are left out.
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
    return _succeeded(action) and (not _succeeded(known) or action["type"] == DELETE != known["type"])


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


def _within(actions: list[Record]) -> tuple[list[Record], int]:
    """At most MOST actions: searches go first, then reads, queries and commands, of each the earliest."""
    extra = len(actions) - MOST
    left_out: set[int] = set()
    for type in (SEARCH, READ, QUERY, COMMAND):
        places = [at for at, action in enumerate(actions) if action["type"] == type]
        left_out |= set(places[: max(extra - len(left_out), 0)])
    kept = [action for at, action in enumerate(actions) if at not in left_out]
    return kept, len(left_out)

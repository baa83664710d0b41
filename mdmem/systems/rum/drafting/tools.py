"""Classifies the tool calls of agents, whatever a client names them: reading, editing, running, searching ..."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from mdmem.capture.turns import Deed
from mdmem.note import tsv

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

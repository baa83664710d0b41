"""RUM's records: works, chapters, wisdom and agents. Their fields are in `data/records.schema.json`.

They follow RUM's page "Memory Schema" and, as to which fields are optional, its public implementation: a
work needs a goal, a task type, whether it succeeded, and a summary. Times are Unix seconds; a number from 1e11 up
is read as milliseconds. An action may be nested as on that page, or flat as in the implementation:

    {"type": "file_edit", "details": {"file_path": "a.ts"}, "result": {"success": true}}
    {"type": "file_edit", "file_path": "a.ts", "success": true}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from mdmem.errors import UsageError
from mdmem.note.structured.shapes import Shape, defined, objections

Record = dict[str, Any]

MANY_LINKS = ("caused_by", "led_to", "related_to")
ONE_LINK = ("supersedes", "blocked_by")
LINK_TYPES = (*MANY_LINKS, *ONE_LINK)
# type of an action -> what it does to its file
OPERATIONS = {"file_read": "read", "file_edit": "edit", "file_create": "create", "file_delete": "delete"}
RELEVANT = "relevant"  # what was done to a file that was looked at, or that another action names
_STRENGTH = {name: rank for rank, name in enumerate((RELEVANT, "read", "edit", "create", "delete"))}
IMPORTANCE = 0.5  # of a work that states none
UNSAID: Record = {"agent_id": "", "project_id": "", "session_id": "", "tags": [], "importance": IMPORTANCE}
LAYERS = ("intent", "perception", "reasoning", "actions", "outcome")

TIMES = ("_at", "_ts", "last_accessed", "timestamp")  # how the names of times end
_MILLISECONDS = 1e11  # times from here on are in milliseconds


with open(f"{__file__.removesuffix('schema.py')}data/records.schema.json", encoding="utf-8") as _file:
    SHAPES: Mapping[str, Shape] = defined(json.load(_file))
WORK, ACTION = SHAPES["work"], SHAPES["action"]
TASK_TYPES = SHAPES["intent"].fields["task_type"].choices


def parsed_json(text: str, where: str, fix: str) -> Any:
    """The JSON value of a text, with a byte order mark or without. Raises UsageError that begins with `where`."""
    try:
        return json.loads(text.lstrip("\ufeff"))
    except json.JSONDecodeError as error:
        raise UsageError(f"{where}line {error.lineno}: not JSON: {error.msg}", fix) from None
    except (ValueError, RecursionError) as error:
        why = "is nested too deep" if isinstance(error, RecursionError) else f"cannot be read: {error}"
        raise UsageError(f"{where}this JSON {why}", fix) from None


def checked(value: Any, line_of: Callable[[str], int] = lambda _: 0) -> Record:
    """A work that was handed in, in its normal form. Raises UsageError that names every invalid field.

    `line_of` returns the line (1-based) that a field was read from, 0 if it is unknown.
    """
    work = normal(value)
    told = []
    for fault in objections(work, WORK):
        place = f"line {line}: " if (line := line_of(fault.field)) else ""
        told.append(f"{place}{fault.field or 'the work'} {fault.message}: {fault.fix}")
    if told:
        raise UsageError("this is not a work: " + "; ".join(told), "mdmem guide work shows one with every field")
    assert isinstance(work, dict)
    return work


def normal(value: Any) -> Any:
    """A work with all layers, nested actions, and times in seconds; invalid parts are left as they are."""
    if not isinstance(value, Mapping):
        return value
    work = plain(value)
    actions = work.get("actions", [])
    work["actions"] = [nested_action(action) for action in actions] if isinstance(actions, list) else actions
    work["links"] = _normal_links(work.get("links", {}))
    for name in ("perception", "reasoning"):
        work.setdefault(name, {})
    return {name: work[name] for name in (*WORK.fields, *work) if name in work}


def plain(value: Mapping[str, Any]) -> Record:
    """A record without nulls, and with its times in seconds."""
    said = {name: item for name, item in value.items() if item is not None}
    return {name: seconds(item) if name.endswith(TIMES) else item for name, item in said.items()}


def seconds(value: Any) -> Any:
    """A time in Unix seconds, to the millisecond; anything but a number is left as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        return value
    exact = round(value / 1000 if value >= _MILLISECONDS else value, 3)
    return int(exact) if exact == int(exact) else exact


def nested_action(value: Any) -> Any:
    """An action with nested `details` and `result`, whichever of the two forms it is given in."""
    if not isinstance(value, Mapping):
        return value
    action = plain(value)
    for part in ("details", "result"):
        flat = {name: action[name] for name in ACTION.of(part).fields if name in action}
        inner = action.get(part, {})
        if flat and isinstance(inner, Mapping) and not flat.keys() & inner.keys():
            action = {name: item for name, item in action.items() if name not in flat}
            action[part] = {**inner, **flat}
    return action


def flat_action(action: Mapping[str, Any]) -> Record:
    """A nested action in the flat form of the public implementation: its details are beside its type."""
    outer = {name: item for name, item in action.items() if name != "details"}
    return {**outer, **action.get("details", {})}


def _normal_links(value: Any) -> Any:
    """Links with a list for types that allow several, and one id for those that allow one."""
    if not isinstance(value, Mapping):
        return value
    links = {name: ids for name, ids in value.items() if ids is not None}
    for name, ids in links.items():
        if name in MANY_LINKS and isinstance(ids, str):
            links[name] = [ids]
        if name in ONE_LINK and isinstance(ids, list) and len(ids) == 1:
            links[name] = ids[0]
    return links


def subject(work: Mapping[str, Any]) -> str:
    """The text to name a valid work by if its goal is too short: its summary, then its task type."""
    return f"{work['outcome']['summary']}\n{work['intent']['task_type']}"


def files_of(work: Mapping[str, Any]) -> dict[str, str]:
    """path -> what a work did to that file; of several operations the strongest. What is not valid is left out.

    The strongest is delete, then create, edit, read, and last RELEVANT.
    """
    touched = [
        (named(named(action, "details"), "file_path"), OPERATIONS.get(str(named(action, "type")), RELEVANT))
        for action in listed(work.get("actions"))
    ]
    looked_at = listed(named(work.get("perception"), "relevant_files"))
    touched += [(named(file, "path"), RELEVANT) for file in looked_at]
    files: dict[str, str] = {}
    for path, operation in touched:
        is_path = isinstance(path, str) and path
        if is_path and _STRENGTH[operation] >= _STRENGTH[files.get(path, RELEVANT)]:
            files[path] = operation
    return files


def named(value: Any, name: str) -> Any:
    """A field of a mapping, None if it is not one."""
    return value.get(name) if isinstance(value, Mapping) else None


def listed(value: Any) -> list[Any]:
    """A list itself, an empty one for anything else."""
    return value if isinstance(value, list) else []

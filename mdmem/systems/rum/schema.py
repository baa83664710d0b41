"""The fields of RUM's records, as tables: works, chapters, wisdom and agents.

The tables follow RUM's page "Memory Schema" and, as to which fields are optional, its public implementation: a
work needs a goal, a task type, whether it succeeded, and a summary. Times are Unix seconds; a number from 1e11 up
is read as milliseconds. An action may be nested as on that page, or flat as in the implementation:

    {"type": "file_edit", "details": {"file_path": "a.ts"}, "result": {"success": true}}
    {"type": "file_edit", "file_path": "a.ts", "success": true}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mdmem.errors import UsageError
from mdmem.note.structured.shapes import (
    ANY,
    UUID,
    Objection,
    Shape,
    choice,
    flag,
    formed,
    integer,
    listed,
    number,
    objections,
    record,
    text,
    words,
)

Record = dict[str, Any]

TASK_TYPES = (
    *("bug_fix", "feature_add", "refactor", "investigation", "test_write", "documentation", "optimization"),
    *("security_fix", "dependency_update", "configuration", "other"),
)
ACTION_TYPES = (
    *("file_read", "file_edit", "file_create", "file_delete", "command_run", "search", "external_query"),
)
FAILURE_CATEGORIES = (
    *("incorrect_assumption", "unexpected_side_effect", "missing_dependency", "race_condition", "type_error"),
    *("test_failure", "build_failure", "runtime_error", "logic_error", "other"),
)
VERIFICATIONS = ("test", "build", "manual", "lint", "typecheck")
AGENT_TYPES = ("main", "subagent")
ORIGINS = ("manual", "auto")
MANY_LINKS = ("caused_by", "led_to", "related_to")
ONE_LINK = ("supersedes", "blocked_by")
LINK_TYPES = (*MANY_LINKS, *ONE_LINK)
# type of an action -> what it does to its file
OPERATIONS = {"file_read": "read", "file_edit": "edit", "file_create": "create", "file_delete": "delete"}
RELEVANT = "relevant"  # what was done to a file that was looked at, or that another action names
_STRENGTH = {name: rank for rank, name in enumerate((RELEVANT, "read", "edit", "create", "delete"))}
IMPORTANCE = 0.5  # of a work that states none
LAYERS = ("intent", "perception", "reasoning", "actions", "outcome")

_NAME = text(1)
_TEXTS = listed(text())
_LINES = formed(r"^[0-9]+(-[0-9]+)?(, ?[0-9]+(-[0-9]+)?)*$(?!\n)", "line numbers such as 45 or 45-67")
_TIME = number(0, 99_999_999_999.999)  # greater numbers are milliseconds
_MILLISECONDS = 1e11  # times from here on are in milliseconds


def _id(prefix: str) -> Shape:
    """An id: a UUID behind that prefix, or alone."""
    return formed(rf"^({prefix})?{UUID}$(?!\n)", f"{prefix} and a UUID")


INTENT = record(
    {"goal": words(), "task_type": choice(*TASK_TYPES), "context": text(), "constraints": _TEXTS},
    required="goal task_type",
)
PERCEPTION = record(
    {
        "observations": listed(record({"what": _NAME, "where": text(), "significance": text()}, required="what")),
        "relevant_files": listed(
            record({"path": _NAME, "relevance": text(), "state_summary": text()}, required="path")
        ),
        "patterns_noticed": _TEXTS,
        "anomalies": _TEXTS,
    }
)
REASONING = record(
    {
        "approach_chosen": text(),
        "why_chosen": text(),
        "alternatives_considered": listed(
            record({"approach": _NAME, "why_rejected": text()}, required="approach")
        ),
        "assumptions": _TEXTS,
        "risks_identified": _TEXTS,
    }
)
DETAILS = record(
    {
        "file_path": text(),
        "lines_affected": _LINES,
        "diff_hash": text(),
        "diff_summary": text(),
        "command": text(),
        "working_directory": text(),
        "query": text(),
        "scope": text(),
    }
)
RESULT = record({"success": flag(), "output_summary": text(), "error": text(), "duration_ms": number(0)})


def action_shape(timestamp: Shape) -> Shape:
    """The shape of an action with that kind of timestamp: a number in JSON, a date and time in a note."""
    fields = {"type": choice(*ACTION_TYPES), "timestamp": timestamp, "details": DETAILS, "result": RESULT}
    return record(fields, required="type")


OUTCOME = record(
    {
        "success": flag(),
        "summary": words(),
        "learnings": _TEXTS,
        "failure_reason": text(),
        "failure_category": choice(*FAILURE_CATEGORIES),
        "verified_by": record(
            {"type": choice(*VERIFICATIONS), "command": text(), "result": text()}, required="type"
        ),
        "follow_up_needed": _TEXTS,
    },
    required="success summary",
)
LINKS = record({**dict.fromkeys(MANY_LINKS, listed(_NAME)), **dict.fromkeys(ONE_LINK, _NAME)})
WORK = record(
    {
        "id": _id("mem_"),
        "agent_id": text(),
        "project_id": text(),
        "session_id": text(),
        "created_at": _TIME,
        "intent": INTENT,
        "perception": PERCEPTION,
        "reasoning": REASONING,
        "actions": listed(action_shape(_TIME)),
        "outcome": OUTCOME,
        "links": LINKS,
        "tags": _TEXTS,
        "importance": number(0, 1),
        "access_count": integer(0),
        "last_accessed": _TIME,
    },
    required="intent outcome",
)
CHAPTER = record(
    {
        "id": _id("chapter_"),
        "project_id": text(),
        "created_at": _TIME,
        "updated_at": _TIME,
        "title": text(),
        "summary": text(),
        "learnings": _TEXTS,
        "start_ts": _TIME,
        "end_ts": _TIME,
        "tags": _TEXTS,
        "topics": _TEXTS,
        "origin": choice(*ORIGINS),
    },
    required="summary start_ts end_ts origin",
)
WISDOM = record(
    {
        "id": _id("wisdom_"),
        "project_id": text(),
        "created_at": _TIME,
        "updated_at": _TIME,
        "summary": text(),
        "insights": _TEXTS,
        "patterns": _TEXTS,
        "best_practices": _TEXTS,
        "tags": _TEXTS,
        "start_ts": _TIME,
        "end_ts": _TIME,
    },
    required="summary start_ts end_ts",
)
AGENT = record(
    {
        "id": _NAME,
        "type": choice(*AGENT_TYPES),
        "parent_id": text(),
        "project_id": text(),
        "created_at": _TIME,
        "metadata": ANY,
    },
    required="id type",
)


def checked(value: Any, line_of: Callable[[str], int] = lambda _: 0) -> Record:
    """A work that was handed in, in its normal form. Raises UsageError that names every invalid field.

    `line_of` returns the line (1-based) that a field was read from, 0 if it is unknown.
    """
    work = normal(value)
    told = [_fault_line(fault, line_of(fault.field)) for fault in faults(work)]
    if told:
        raise UsageError("this is not a work: " + "; ".join(told), "mdmem guide work shows one with every field")
    assert isinstance(work, dict)
    return work


def _fault_line(fault: Objection, line: int) -> str:
    place = f"line {line}: " if line else ""
    return f"{place}{fault.field or 'the work'} {fault.message}: {fault.fix}"


def faults(work: Any) -> Iterator[Objection]:
    """Everything that keeps a value from being a work, each with the field and what is allowed."""
    return objections(work, WORK)


def normal(value: Any) -> Any:
    """A work with all layers, nested actions, and times in seconds; invalid parts are left as they are."""
    if not isinstance(value, Mapping):
        return value
    work = {name: item for name, item in value.items() if item is not None}
    for name in ("created_at", "last_accessed"):
        if name in work:
            work[name] = seconds(work[name])
    actions = work.get("actions", [])
    work["actions"] = [nested_action(action) for action in actions] if isinstance(actions, list) else actions
    work["links"] = _normal_links(work.get("links", {}))
    for name in ("perception", "reasoning"):
        work.setdefault(name, {})
    return {name: work[name] for name in (*WORK.fields, *work) if name in work}


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
    action = {name: item for name, item in value.items() if item is not None}
    if "timestamp" in action:
        action["timestamp"] = seconds(action["timestamp"])
    for part, shape in (("details", DETAILS), ("result", RESULT)):
        flat = {name: action[name] for name in shape.fields if name in action}
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
    return {name: _normal_link(name, ids) for name, ids in value.items() if ids is not None}


def _normal_link(name: str, ids: Any) -> Any:
    if name in MANY_LINKS and isinstance(ids, str):
        return [ids]
    is_single = name in ONE_LINK and isinstance(ids, list) and len(ids) == 1
    return ids[0] if is_single else ids


def subject(work: Mapping[str, Any]) -> str:
    """The text to name a valid work by if its goal is too short: its summary, then its task type."""
    return f"{work['outcome']['summary']}\n{work['intent']['task_type']}"


def files_of(work: Mapping[str, Any]) -> dict[str, str]:
    """path -> what a valid work did to that file; of several operations the strongest.

    The strongest is delete, then create, edit, read, and last RELEVANT.
    """
    touched = [
        (action["details"]["file_path"], OPERATIONS.get(action["type"], RELEVANT))
        for action in work["actions"]
        if action.get("details", {}).get("file_path")
    ]
    touched += [(file["path"], RELEVANT) for file in work["perception"].get("relevant_files", ())]
    files: dict[str, str] = {}
    for path, operation in touched:
        if path not in files or _STRENGTH[operation] > _STRENGTH[files[path]]:
            files[path] = operation
    return files

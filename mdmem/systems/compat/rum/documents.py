"""The JSON documents of RUM's public implementation: the arguments of its calls, and their results.

Times are milliseconds since 1970, actions are flat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from posixpath import basename
from typing import Any

from mdmem.errors import UsageError
from mdmem.systems.rum import depth, schema
from mdmem.systems.rum.chapters.pages import CHAPTER, PageKind
from mdmem.systems.rum.recall import WorkQuery
from mdmem.systems.rum.reminding import FileReminder, Reminders
from mdmem.systems.rum.schema import Record
from mdmem.systems.rum.telling import reminder_lines

TOKENS = {**depth.BUDGETS, "complete": 500}  # estimated, for a work at each depth


# -- what is given -------------------------------------------------------------------------------------------


def given_of(given: Mapping[str, Any], *known: str) -> Record:
    """A call's arguments without nulls. Raises UsageError for an unknown one."""
    said = {name: value for name, value in given.items() if value is not None}
    for name in said.keys() - {*known}:
        raise UsageError(f"this call does not take '{name}'", f"it takes {', '.join(known)}")
    return said


def query_of(given: Mapping[str, Any]) -> WorkQuery:
    """The query for a call's arguments. Raises UsageError if they ask for both successes and failures only."""
    if given.get("success_only") and given.get("failures_only"):
        raise UsageError("success_only and failures_only leave nothing", "ask for one of them")
    success = True if given.get("success_only") else False if given.get("failures_only") else None
    return WorkQuery(
        words=" ".join(filter(None, (given.get("query"), given.get("intent")))),
        files=(given["file"],) if given.get("file") else (),
        agents=(given["agent_id"],) if given.get("agent_id") else (),
        session=given.get("session_id", ""),
        since=moment(given.get("since")),
        before=moment(given.get("before"), 1),
        task_types=(given["task_type"],) if given.get("task_type") else (),
        success=success,
        tags=tuple(given.get("tags", ())),
    )


def require_limit(limit: int) -> None:
    """Raise UsageError if a call asks for fewer than one result."""
    if limit < 1:
        raise UsageError(f"limit is {limit}", "ask for 1 or more")


def require_one(given: str, noun: str, allowed: Sequence[str]) -> None:
    """Raise UsageError if an argument is none of those that are allowed."""
    if given not in allowed:
        raise UsageError(f"'{given}' is not {noun}", f"use one of {', '.join(allowed)}")


def moment(value: float | None, later: int = 0) -> datetime | None:
    """A time in milliseconds or seconds, told apart by its size, plus `later` milliseconds.

    Raises UsageError if it is not a time, or too far from now for a datetime.
    """
    if value is None:
        return None
    try:
        return datetime.fromtimestamp(schema.seconds(value) + later / 1000, UTC)
    except (ValueError, OverflowError, OSError, TypeError):
        raise UsageError(f"{value!r} is not a time", "give Unix milliseconds, such as 1705432800000") from None


def is_within(given: Mapping[str, Any], seconds: float) -> bool:
    """Whether a time (Unix seconds) lies between `since` and `before`, both included."""
    since, before = (schema.seconds(given[name]) if name in given else None for name in ("since", "before"))
    return (since is None or seconds >= since) and (before is None or seconds <= before)


def merged(value: Mapping[str, Any], changes: Mapping[str, Any]) -> Record:
    """A work with changes: objects are merged, everything else is replaced."""
    result = dict(value)
    for name, item in changes.items():
        now = result.get(name)
        is_both = isinstance(now, Mapping) and isinstance(item, Mapping)
        result[name] = merged(now, item) if is_both and now is not None else item
    return result


# -- what is answered ----------------------------------------------------------------------------------------


def retrieved(work: Record, level: str) -> Record:
    """A work at a depth, as recall and trace return it."""
    told = _flat(depth.at_depth(work, level))
    return {**told, "confidence": 1.0}


def memory(work: Record) -> Record:
    """A work with all its fields; empty links are left out."""
    return _flat({name: value for name, value in work.items() if name != "links" or value})


def _flat(work: Mapping[str, Any]) -> Record:
    told = in_milliseconds(work)
    if "actions" in told:
        told["actions"] = [in_milliseconds(schema.flat_action(action)) for action in told["actions"]]
    return told


def row(work: Record) -> Record:
    """A work as `list` returns it."""
    return {
        "id": work["id"],
        "created_at": milliseconds(work["created_at"]),
        "intent_goal": work["intent"]["goal"],
        "outcome_success": work["outcome"]["success"],
        "outcome_summary": work["outcome"]["summary"],
        "importance": work["importance"],
        "access_count": work["access_count"],
    }


def agent(registered: Record, works: Sequence[Record]) -> Record:
    """An agent with figures on its works; `success_rate` is 0-1."""
    succeeded = sum(work["outcome"]["success"] for work in works)
    latest = max([registered.get("created_at", 0), *(work["created_at"] for work in works)])
    return {
        "agent_id": registered["id"],
        "type": registered["type"],
        "created_at": milliseconds(registered.get("created_at", 0)),
        "memory_count": len(works),
        "last_active": milliseconds(latest),
        "session_count": max(1, len({work["session_id"] for work in works})),
        "success_rate": succeeded / len(works) if works else 0,
    }


def page(value: Record, kind: PageKind) -> Record:
    """A chapter with its number of works, or wisdom."""
    hidden = {"project_id", kind.joined}
    told = in_milliseconds({name: item for name, item in value.items() if name not in hidden})
    lists = [name for name, shape in kind.shape.fields.items() if shape.items]
    told |= {name: told.get(name, []) for name in lists}
    return {**told, "memory_count": len(value[kind.joined])} if kind is CHAPTER else told


def notification(about: FileReminder) -> Record:
    """The works known for a file, in the form of RUM's file trigger."""
    message, *_ = reminder_lines(Reminders((about._replace(file=basename(about.file)),)))
    memories = [
        {
            "id": work.id,
            "agent_id": work.agent,
            "age_description": work.age,
            "intent_goal": work.goal,
            "outcome_success": work.success,
            "outcome_summary": work.summary,
        }
        for work in about.works
    ]
    hint = f'recall({{ file: "{about.file}", depth: "reasoning" }})'
    return {"type": "memory_available", "message": message, "memories": memories, "recall_hint": hint}


def in_milliseconds(value: Mapping[str, Any]) -> Record:
    """A record with its times in milliseconds."""
    return {name: milliseconds(item) if _is_time(name, item) else item for name, item in value.items()}


def _is_time(name: str, item: Any) -> bool:
    return name.endswith(("_at", "_ts", "last_accessed", "timestamp")) and isinstance(item, int | float)


def milliseconds(seconds: float) -> int:
    """A time in Unix seconds as whole milliseconds."""
    return round(seconds * 1000)

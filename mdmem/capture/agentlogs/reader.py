"""Reads the JSON logs of agents by the table `data/clients.toml`, which says how.

A step looks at places of a line, and tells a session what it finds there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mdmem.capture.agentlogs.forms import FORMS, PREPARE
from mdmem.capture.agentlogs.sessionlog import SessionLog, items
from mdmem.capture.turns import SPOKEN, Conversation, Deed, JsonRecord, Turn, line_of, mapping, string, text_of
from mdmem.note import moments

_OF_SESSION = ("session", "parent", "folder", "title", "project", "subagent")
_ABSENT = ()  # what a path gives that leads nowhere
_Place = tuple[Any, ...]  # the objects around and including the one at hand, which is the last
_Table = Mapping[str, Any]


@cache
def clients() -> Mapping[str, Mapping[str, Any]]:
    """The table of clients, narrow formats first."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name("data").joinpath("clients.toml").read_text("utf-8"))


def fits(client: str, data: Any) -> bool:
    """Whether an object is a line of a client's log, or a log as a whole."""
    return any(_holds(conditions, (data,)) for conditions in clients()[client]["fits"])


def read(name: str, records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """The sessions in a log of a client, in the order of the log."""
    table = clients()[name]
    prepare = PREPARE.get(table.get("prepare", ""), list)
    logs: dict[str, SessionLog] = {}
    told = [(record, _log_of(table, (record.data,), logs)) for record in prepare(records)]
    for record, log in told:
        for step in table["steps"]:
            _tell(step, table, log, record.line, (record.data,))
    said = [log for log in logs.values() if log.has_turns]
    if len(said) == 1:  # a title of Claude Code names a leaf of a session, not the session
        titles = (log.title for log in (*said, *logs.values()))
        said[0].title = next(filter(None, titles), "")
    return tuple(log.conversation() for log in logs.values())


def _log_of(table: _Table, place: _Place, logs: dict[str, SessionLog]) -> SessionLog:
    """The log to which a line belongs, with what the line says of the session as a whole."""
    *texts, is_subagent = (_value(table.get(key, "="), place) for key in _OF_SESSION)
    id, parent, folder, title, project = map(string, texts)
    log = logs.setdefault("" if table.get("is_one") else id, SessionLog(id, parent, is_subagent is True))
    log.id, log.parent = log.id or id, log.parent or parent
    log.folder, log.title, log.project = log.folder or folder, title or log.title, project
    return log


# -- what a step tells -------------------------------------------------------------------------------------


def _tell(step: _Table, table: _Table, log: SessionLog, line: int, outer: _Place) -> None:
    """Tell a session what a step, and those within it, find on a line, each where it looks."""
    for place in _places(step, outer):
        if "think" in step:
            log.think(string(_value(step["think"], place)))
        if "deed" in step:
            _do(step["deed"], table, log, line, place)
        if "say" in step:
            _say(step["say"], table, log, line, place)
        for inner in step.get("steps", ()):
            _tell(inner, table, log, line, place)


def _do(deed: _Table, table: _Table, log: SessionLog, at: int, place: _Place) -> None:
    told = {key: _value(of, place) for key, of in deed.items() if key not in ("changed", "time")}
    id = string(told["id"])
    if "tool" in told:
        line, arguments = line_of(told["id"], at), mapping(told.get("arguments"))
        id = log.call(id, Deed(string(told["tool"]), arguments, line, when=_when(deed, table, place)))
    changed = tuple(
        (string(_value(each["path"], file)), string(_value(each["kind"], file)))
        for each in deed.get("changed", ())
        for file in _places(each, place)
    )
    failed = told.get("failed")
    log.came_of(
        id,
        failed if isinstance(failed, bool) else None,
        result=text_of(told.get("result"), SPOKEN),
        changed=changed,
        milliseconds=told.get("milliseconds", 0),
    )


def _say(say: _Table, table: _Table, log: SessionLog, line: int, place: _Place) -> None:
    if said := text_of(_value(say["text"], place), SPOKEN):
        whose = (table.get("turn", "="), say["speaker"], say.get("name", "="))
        id, speaker, name = (string(_value(of, place)) for of in whose)
        line = line_of(_value(say.get("line", say["text"]), place), line)
        log.say(Turn(speaker, said, line, id, _when(say, table, place), name))


def _when(act: _Table, table: _Table, place: _Place) -> str:
    return moments.normal(_value(act.get("time", table.get("time", "=")), place))


# -- places and values -------------------------------------------------------------------------------------


def _places(step: _Table, outer: _Place) -> Iterator[_Place]:
    """Where a step looks: at the object that is at hand, or at each one at its `at`."""
    inner = [outer]
    if "at" in step:
        value = _value(step["at"], outer)
        found = [value] if isinstance(value, dict) else [{"#": n, **item} for n, item in enumerate(items(value))]
        inner = [(*outer, item) for item in found]
    return (place for place in inner if _holds(step.get("if", {}), place))


def _holds(conditions: Mapping[str, str], place: _Place) -> bool:
    return all(_matches(pattern, _value(path, place)) for path, pattern in conditions.items())


def _matches(pattern: str, value: object) -> bool:
    """Whether a value, written as the table says, matches a pattern."""
    if isinstance(value, str):
        text = value or '""'
    elif isinstance(value, dict | list):
        text = "{}" if isinstance(value, dict) else "[]"
    else:
        text = "" if value is _ABSENT else "null" if value is None else str(value).lower()
    return pattern == text or _compiled(pattern).fullmatch(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.S)


def _value(spec: Any, place: _Place) -> Any:
    """The value that the table means, at a place."""
    if isinstance(spec, str):
        return _at(spec, place) if spec[0] != "=" else spec[1:]
    if isinstance(spec, list):
        values = (_value(one, place) for one in spec)
        return next((found for found in values if found not in (None, "", _ABSENT)), _ABSENT)
    if isinstance(spec, dict):
        told = _value(spec["of"], place)
        fitting = (then for pattern, then in spec.items() if pattern != "of" and _matches(pattern, told))
        then = next(fitting, None)
        return _ABSENT if then is None else _value(then, place)
    return spec


def _at(spec: str, place: _Place) -> Any:
    """The value at a path: it begins with an object of a place, and its form may be another."""
    at, keys, form = _path(spec)
    value = place[at]
    for key in keys:
        value = value.get(key, _ABSENT) if isinstance(value, dict) else _ABSENT
    return form(value) if form else value


@cache
def _path(spec: str) -> tuple[int, Sequence[str], Callable[[Any], Any] | None]:
    """(place of the object from which a path leads, its keys, the form that its value gets)."""
    path, _, form = spec.partition("!")
    bare = path.lstrip("^/")
    at = 0 if path.startswith("/") else len(bare) - len(path) - 1
    return at, bare.split(".") if bare != "." else (), FORMS.get(form)

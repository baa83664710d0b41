"""Reads the JSON logs of agents by the table `data/clients.toml`, which says how."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from mdmem.capture.agentlogs.deeds import Deed
from mdmem.capture.agentlogs.forms import FORMS, PREPARE
from mdmem.capture.agentlogs.sessionlog import SessionLog, items
from mdmem.capture.turns import SPOKEN, Conversation, JsonRecord, Turn, line_of, mapping, string, text_of
from mdmem.note import moments

_OF_SESSION = ("session", "parent", "folder", "title", "subagent")
_ABSENT = ()  # what a path gives that leads nowhere
_Place = tuple[Any, ...]  # the objects around and including the one at hand, which is the last


@cache
def clients() -> Mapping[str, Mapping[str, Any]]:
    """The table of clients, narrow formats first."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name("data").joinpath("clients.toml").read_text("utf-8"))


def fits(client: str, data: Any) -> bool:
    """Whether an object is a line of a client's log, or a log as a whole."""
    return any(_holds(conditions, (data,)) for conditions in clients()[client]["fits"])


def read(client: str, records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """The sessions in a log of a client, in the order of the log."""
    table = clients()[client]
    logs: dict[str, SessionLog] = {}
    told = [
        (record, _log_of(table, record.data, logs))
        for record in PREPARE.get(table.get("prepare", ""), list)(records)
    ]
    for record, log in told:
        for step in table["steps"]:
            _Teller(table, log, record.line).tell(step, (record.data,))
    said = [log for log in logs.values() if log.has_turns]
    if len(said) == 1:  # a title of Claude Code names a leaf of a session, not the session
        titles = (log.title for log in (*said, *logs.values()))
        said[0].title = next(filter(None, titles), "")
    return tuple(log.conversation() for log in logs.values())


def _log_of(table: Mapping[str, Any], data: Any, logs: dict[str, SessionLog]) -> SessionLog:
    """The log to which a line belongs, with what the line says of the session as a whole."""
    told = {key: _found(table.get(key, "="), (data,)) for key in _OF_SESSION}
    id, parent, folder, title = (string(told[key]) for key in _OF_SESSION[:4])
    log = logs.setdefault("" if table.get("is_one") else id, SessionLog(id, parent, told["subagent"] is True))
    log.id, log.parent = log.id or id, log.parent or parent
    log.folder, log.title = log.folder or folder, title or log.title
    return log


class _Teller:
    """Tells a session what the steps of a client's table find on a line."""

    def __init__(self, table: Mapping[str, Any], log: SessionLog, line: int) -> None:
        self._table = table
        self._log = log
        self._line = line

    def tell(self, step: Mapping[str, Any], outer: _Place) -> None:
        """Tell what a step and those within it find."""
        for place in _places(step, outer):
            if wrote := step.get("wrote"):
                self._log.wrote(_found(wrote["tokens"], place), string(_found(wrote.get("answer", "="), place)))
            if "think" in step:
                self._log.think(string(_found(step["think"], place)))
            if "deed" in step:
                self._do(step["deed"], place)
            if "say" in step:
                self._say(step["say"], place)
            for inner in step.get("steps", ()):
                self.tell(inner, place)

    def _when(self, act: Mapping[str, Any], place: _Place) -> str:
        return moments.normal(_found(act.get("time", self._table.get("time", "=")), place))

    def _do(self, deed: Mapping[str, Any], place: _Place) -> None:
        told = {key: _found(spec, place) for key, spec in deed.items() if key not in ("changed", "time")}
        id = string(told["id"])
        if "tool" in deed:
            line, when = line_of(told["id"], self._line), self._when(deed, place)
            id = self._log.call(id, Deed(string(told["tool"]), mapping(told.get("arguments")), line, when=when))
        changed = tuple(
            (string(_found(change["path"], file)), string(_found(change["kind"], file)))
            for change in deed.get("changed", ())
            for file in _places(change, place)
        )
        failed = told.get("failed")
        self._log.came_of(
            id,
            failed if isinstance(failed, bool) else None,
            result=text_of(told.get("result"), SPOKEN),
            changed=changed,
            milliseconds=told.get("milliseconds", 0),
        )

    def _say(self, say: Mapping[str, Any], place: _Place) -> None:
        content = _found(say["text"], place)
        line = line_of(_found(say["line"], place) if "line" in say else content, self._line)
        id, speaker, name = (
            string(_found(spec, place))
            for spec in (self._table.get("turn", "="), say["speaker"], say.get("name", "="))
        )
        self._log.say(Turn(speaker, text_of(content, SPOKEN), line, id, self._when(say, place), name))


def _places(step: Mapping[str, Any], outer: _Place) -> Iterator[_Place]:
    """Where a step looks: at the object that is at hand, or at each one at its `at`."""
    places = [outer]
    if "at" in step:
        value = _found(step["at"], outer)
        inner = [value] if isinstance(value, dict) else [{"#": n, **item} for n, item in enumerate(items(value))]
        places = [(*outer, item) for item in inner]
    return (place for place in places if _holds(step.get("if", {}), place))


def _holds(conditions: Mapping[str, str], place: _Place) -> bool:
    for path, pattern in conditions.items():  # noqa: SIM110 - asked for each line of a log, and twice as fast
        if not _matches(pattern, _found(path, place)):
            return False
    return True


def _matches(pattern: str, value: object) -> bool:
    if isinstance(value, str):
        text = str(value) or '""'
    elif isinstance(value, dict | list):
        text = "{}" if isinstance(value, dict) else "[]"
    else:
        text = "" if value is _ABSENT else "null" if value is None else str(value).lower()
    return pattern == text or _compiled(pattern).fullmatch(text) is not None


_compiled = cache(partial(re.compile, flags=re.S))


def _found(spec: Any, place: _Place) -> Any:
    """The value that the table means, at a place."""
    if isinstance(spec, str):
        if spec[0] == "=":
            return spec[1:]
        at, keys, form = _way(spec)
        value = place[at]
        for key in keys:
            value = value.get(key, _ABSENT) if isinstance(value, dict) else _ABSENT
        return FORMS[form](value) if form else value
    if isinstance(spec, list):
        values = (_found(one, place) for one in spec)
        return next((value for value in values if value not in (None, "", _ABSENT)), _ABSENT)
    if isinstance(spec, dict):
        told = _found(spec["of"], place)
        chosen = (then for pattern, then in spec.items() if pattern != "of" and _matches(pattern, told))
        return _found(next(chosen, _ABSENT), place)
    return spec


@cache
def _way(spec: str) -> tuple[int, Sequence[str], str]:
    """(which object of a place a path begins with, its keys, the form of its value)."""
    path, _, form = spec.partition("!")
    bare = path.lstrip("^/")
    return 0 if path.startswith("/") else len(bare) - len(path) - 1, bare.split(".") if bare != "." else (), form

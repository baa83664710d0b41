"""Reads the JSON logs of agents by the table `data/clients.toml`, which says how.

Each entry of the table is made a function once: a value of a place, a test of one, or what a step tells a session.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.capture.agentlogs.deeds import Deed
from mdmem.capture.agentlogs.forms import FORMS, PREPARE
from mdmem.capture.agentlogs.sessionlog import SessionLog, items
from mdmem.capture.turns import SPOKEN, Conversation, JsonRecord, Turn, line_of, mapping, string, text_of
from mdmem.note import moments

_OF_SESSION = ("session", "parent", "folder", "title", "subagent")
_ABSENT = ()  # what a path gives that leads nowhere
_Place = tuple[Any, ...]  # the objects around and including the one at hand, which is the last
_Value = Callable[[_Place], Any]
_Test = Callable[[_Place], bool]
_Step = Callable[[SessionLog, int, _Place], None]  # tells a session what it finds on a line, at a place


class _Client(NamedTuple):
    """What the table says of a client: how its lines are known and put in order, and what they tell."""

    fits: Sequence[_Test]
    prepare: Callable[[Sequence[JsonRecord]], Any]
    of_session: Sequence[_Value]
    is_one: bool
    steps: Sequence[_Step]


@cache
def clients() -> Mapping[str, Mapping[str, Any]]:
    """The table of clients, narrow formats first."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name("data").joinpath("clients.toml").read_text("utf-8"))


@cache
def _client(name: str) -> _Client:
    table = clients()[name]
    return _Client(
        [_test(conditions) for conditions in table["fits"]],
        PREPARE.get(table.get("prepare", ""), list),
        [_value(table.get(key, "=")) for key in _OF_SESSION],
        table.get("is_one", False),
        [_step(step, table) for step in table["steps"]],
    )


def fits(client: str, data: Any) -> bool:
    """Whether an object is a line of a client's log, or a log as a whole."""
    return any(holds((data,)) for holds in _client(client).fits)


def read(name: str, records: Sequence[JsonRecord]) -> tuple[Conversation, ...]:
    """The sessions in a log of a client, in the order of the log."""
    client = _client(name)
    logs: dict[str, SessionLog] = {}
    told = [(record, _log_of(client, (record.data,), logs)) for record in client.prepare(records)]
    for record, log in told:
        for step in client.steps:
            step(log, record.line, (record.data,))
    said = [log for log in logs.values() if log.has_turns]
    if len(said) == 1:  # a title of Claude Code names a leaf of a session, not the session
        titles = (log.title for log in (*said, *logs.values()))
        said[0].title = next(filter(None, titles), "")
    return tuple(log.conversation() for log in logs.values())


def _log_of(client: _Client, place: _Place, logs: dict[str, SessionLog]) -> SessionLog:
    """The log to which a line belongs, with what the line says of the session as a whole."""
    *texts, is_subagent = (value(place) for value in client.of_session)
    id, parent, folder, title = map(string, texts)
    log = logs.setdefault("" if client.is_one else id, SessionLog(id, parent, is_subagent is True))
    log.id, log.parent = log.id or id, log.parent or parent
    log.folder, log.title = log.folder or folder, title or log.title
    return log


# -- what a step tells -------------------------------------------------------------------------------------


def _step(spec: Mapping[str, Any], table: Mapping[str, Any]) -> _Step:
    """What a step and those within it tell, each where it looks."""
    makers = {"wrote": _wrote, "think": _think, "deed": _deed, "say": _say}
    acts = [make(spec[key], table) for key, make in makers.items() if key in spec]
    acts += [_step(inner, table) for inner in spec.get("steps", ())]
    places = _places(spec)

    def tell(log: SessionLog, line: int, outer: _Place) -> None:
        for place in places(outer):
            for act in acts:
                act(log, line, place)

    return tell


def _wrote(spec: Mapping[str, Any], _: Mapping[str, Any]) -> _Step:
    tokens, answer = _value(spec["tokens"]), _value(spec.get("answer", "="))
    return lambda log, _line, place: log.wrote(tokens(place), string(answer(place)))


def _think(spec: Any, _: Mapping[str, Any]) -> _Step:
    thought = _value(spec)
    return lambda log, _line, place: log.think(string(thought(place)))


def _deed(spec: Mapping[str, Any], table: Mapping[str, Any]) -> _Step:
    values = {key: _value(of) for key, of in spec.items() if key not in ("changed", "time")}
    changes = [(_places(each), _value(each["path"]), _value(each["kind"])) for each in spec.get("changed", ())]
    when = _when(spec, table)

    def do(log: SessionLog, at: int, place: _Place) -> None:
        told = {key: value(place) for key, value in values.items()}
        id = string(told["id"])
        if "tool" in told:
            line, arguments = line_of(told["id"], at), mapping(told.get("arguments"))
            id = log.call(id, Deed(string(told["tool"]), arguments, line, when=when(place)))
        changed = tuple(
            (string(path(file)), string(kind(file))) for files, path, kind in changes for file in files(place)
        )
        failed = told.get("failed")
        log.came_of(
            id,
            failed if isinstance(failed, bool) else None,
            result=text_of(told.get("result"), SPOKEN),
            changed=changed,
            milliseconds=told.get("milliseconds", 0),
        )

    return do


def _say(spec: Mapping[str, Any], table: Mapping[str, Any]) -> _Step:
    text, when = _value(spec["text"]), _when(spec, table)
    begins = _value(spec["line"]) if "line" in spec else text
    whose = [_value(of) for of in (table.get("turn", "="), spec["speaker"], spec.get("name", "="))]

    def say(log: SessionLog, line: int, place: _Place) -> None:
        if said := text_of(text(place), SPOKEN):
            id, speaker, name = (string(value(place)) for value in whose)
            log.say(Turn(speaker, said, line_of(begins(place), line), id, when(place), name))

    return say


def _when(act: Mapping[str, Any], table: Mapping[str, Any]) -> _Value:
    time = _value(act.get("time", table.get("time", "=")))
    return lambda place: moments.normal(time(place))


# -- places and values -------------------------------------------------------------------------------------


def _places(spec: Mapping[str, Any]) -> Callable[[_Place], Iterator[_Place]]:
    """Where a step looks: at the object that is at hand, or at each one at its `at`."""
    at = _value(spec["at"]) if "at" in spec else None
    holds = _test(spec.get("if", {}))

    def places(outer: _Place) -> Iterator[_Place]:
        if at is None:
            return filter(holds, (outer,))
        value = at(outer)
        inner = [value] if isinstance(value, dict) else [{"#": n, **item} for n, item in enumerate(items(value))]
        return filter(holds, [(*outer, item) for item in inner])

    return places


def _test(conditions: Mapping[str, str]) -> _Test:
    tests = [(_value(path), _matcher(pattern)) for path, pattern in conditions.items()]

    def holds(place: _Place) -> bool:
        for value, matches in tests:  # noqa: SIM110 - asked for each line of a log, and twice as fast
            if not matches(value(place)):
                return False
        return True

    return holds


def _matcher(pattern: str) -> Callable[[object], bool]:
    """Whether a value, written as the table says, matches a pattern."""
    fullmatch = re.compile(pattern, re.S).fullmatch

    def matches(value: object) -> bool:
        if isinstance(value, str):
            text = value or '""'
        elif isinstance(value, dict | list):
            text = "{}" if isinstance(value, dict) else "[]"
        else:
            text = "" if value is _ABSENT else "null" if value is None else str(value).lower()
        return pattern == text or fullmatch(text) is not None

    return matches


def _value(spec: Any) -> _Value:
    """The value that the table means, at a place."""
    if isinstance(spec, str):
        return _path(spec) if spec[0] != "=" else lambda _: spec[1:]
    if isinstance(spec, list):
        values = [_value(one) for one in spec]
        return lambda place: next(
            (found for value in values if (found := value(place)) not in (None, "", _ABSENT)), _ABSENT
        )
    if isinstance(spec, dict):
        of = _value(spec["of"])
        cases = [(_matcher(pattern), _value(then)) for pattern, then in spec.items() if pattern != "of"]

        def chosen(place: _Place) -> Any:
            told = of(place)
            return next((then(place) for matches, then in cases if matches(told)), _ABSENT)

        return chosen
    return lambda _: spec


def _path(spec: str) -> _Value:
    """The value at a path: it begins with an object of a place, and its form may be another."""
    path, _, form = spec.partition("!")
    bare = path.lstrip("^/")
    at = 0 if path.startswith("/") else len(bare) - len(path) - 1
    keys = bare.split(".") if bare != "." else ()

    def follow(place: _Place) -> Any:
        value = place[at]
        for key in keys:
            value = value.get(key, _ABSENT) if isinstance(value, dict) else _ABSENT
        return value

    formed = FORMS.get(form)
    return follow if formed is None else lambda place: formed(follow(place))

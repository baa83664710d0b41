"""Tests whether a connection works: the server is really started and asked for its tools, a hook is really run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import NamedTuple

from mdmem.connect import filling, programs
from mdmem.connect.connecting import holds, intact, is_registered, read_record
from mdmem.connect.filling import LAUNCHER
from mdmem.connect.plan import CLIENTS, LlmClient
from mdmem.connect.record import ConnectionRecord
from mdmem.connect.target import Target, target
from mdmem.errors import MdmemError
from mdmem.store.local.files import bytes_of
from mdmem.store.progress import Progress

_SERVER, _HOOK = 30.0, 10.0  # seconds that they may take
_LOOKING = "UserPromptSubmit"
_EVENTS = (_LOOKING, "SessionStart", "PreToolUse", "PreCompact", "SessionEnd")


class ClientState(NamedTuple):
    """A client on this machine. `path` and `version` are "" if it is not installed.

    `vault` is the one that it is connected to for this user, `project_vault` in the project, "" for none.
    `tools` are those that the server offers; `problems` has a sentence for everything that does not work,
    `untried` for what only the client can tell.
    """

    name: str
    title: str
    path: str
    version: str
    vault: str
    project_vault: str
    tools: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    untried: tuple[str, ...] = ()


def states(project: str, environment: Mapping[str, str], report: Progress) -> Sequence[ClientState]:
    """The state of each client, including a test of its connections. `report` gets (done, total)."""
    from concurrent.futures import ThreadPoolExecutor

    paths = {name: programs.find(client.program, environment) for name, client in CLIENTS.items()}
    found = []
    with ThreadPoolExecutor() as threads:  # some take seconds to report their version
        versions = threads.map(lambda path: programs.version(path, environment) if path else "", paths.values())
        for client in CLIENTS.values():
            found.append(_state(client, project, environment)._replace(path=paths[client.name]))
            report(len(found), len(CLIENTS))
        return [state._replace(version=version) for state, version in zip(found, versions, strict=True)]


def _hooks(launcher: str, environment: Mapping[str, str]) -> Iterator[str]:
    """The problems with running hooks: one with an empty prompt looks into the vault, the others do not."""
    for event in _EVENTS:
        quiet = {} if event == _LOOKING else {"MDMEM_HOOK": "1"}  # as if mdmem itself ran it
        line, given = [*filling.started(launcher), "hook", event], json.dumps({"cwd": os.getcwd()})
        try:
            answer = programs.lines_of(line, given, {**environment, **quiet}, _HOOK, close=True)
            if said := json.loads("".join(answer)):
                yield f"the hook {event} says {said}"
        except (MdmemError, ValueError) as error:
            yield f"the hook {event} does not run: {error}"


def _state(client: LlmClient, project: str, environment: Mapping[str, str]) -> ClientState:
    """The state of a client here. A record in a project may have come with a clone: only this mdmem is run."""
    state = ClientState(client.name, client.title, "", "", "", "")
    for base in dict.fromkeys(("", project if client.project_folder else "")):
        aim, problems = target(client, base, environment), list[str]()
        try:
            record = read_record(aim)
            if record is None:
                continue
            state = state._replace(project_vault=record.vault) if base else state._replace(vault=record.vault)
            problems += damage(aim, record)
            if base and not _is_ours(aim, record):
                problems.append(f"{record.program} was not tried, for it is not this mdmem: {_again(aim)}")
            elif os.path.isfile(record.program) and os.path.isdir(record.vault):
                problems += _hooks(aim.launcher, environment)
                tools = _tools_of([*filling.started(aim.launcher), "mcp"], environment) or state.tools
                state = state._replace(tools=tools, untried=aim.plan.advice)
        except MdmemError as error:
            problems.append(error.line)
        state = state._replace(problems=(*state.problems, *problems))
    return state


def _is_ours(aim: Target, record: ConnectionRecord) -> bool:
    """Whether the launcher in a project is what this mdmem writes, and nothing that came with a clone."""
    names = aim.names(programs.of_mdmem(aim.environment), record.vault)
    launcher = filling.text_of(LAUNCHER, names).encode()
    return record.program == names.program and bytes_of(aim.launcher) == launcher


def damage(aim: Target, record: ConnectionRecord) -> list[str]:
    """A sentence for everything that was written and is no longer there."""
    again = _again(aim)
    settings = {aim.located(stored): change for stored, change in record.settings.items()}
    lacking = [path for path, is_ours in intact(aim, record).items() if not is_ours]
    lacking += [path for path, change in settings.items() if not holds(path, change)]
    found = [f"{path} is not as mdmem wrote it: {again}" for path in lacking]
    registration = aim.plan.registration
    if registration and not is_registered(registration):
        found.append(f"{aim.client.title} does not know the plugin any more: {again}")
    if not os.path.isfile(record.program):
        found.append(f"{record.program} is gone: {again}")
    if not os.path.isdir(record.vault):
        found.append(f"the vault {record.vault} is gone: {again} --vault DIR")
    return found


def _again(aim: Target) -> str:
    """The command that repairs a connection."""
    return f"mdmem connect {aim.client.name}" + (" --project" if aim.base else "")


def _tools_of(line: list[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the tools of an MCP server. Raises MdmemError if it does not answer as one."""
    text = resources.files("mdmem.connect").joinpath("data", "asking.jsonl").read_text("utf-8")
    for answer in programs.lines_of(line, text, environment, _SERVER):
        try:
            message = json.loads(answer)
        except ValueError:
            raise MdmemError(f"the server printed {answer[:60]!r}") from None
        if message.get("id") == 2:  # the last one that asks
            return tuple(tool["name"] for tool in message["result"]["tools"])
    raise MdmemError("the server ended without an answer")

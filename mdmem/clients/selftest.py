"""Whether a connection works: the server is really started and asked for its tools, and a hook is really run."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import NamedTuple

from mdmem.clients import programs
from mdmem.clients.connecting import read_record
from mdmem.clients.plan import LlmClient
from mdmem.clients.record import ConnectionRecord, SettingsChange, digest
from mdmem.clients.target import Target, target
from mdmem.clients.writing import bytes_of, text_of
from mdmem.errors import MdmemError

_SERVER, _HOOK = 30.0, 10.0  # seconds that they may take
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "mdmem-connect", "version": "1"},
}


class ClientState(NamedTuple):
    """A client on this machine. `path` and `version` are "" if it is not here.

    `vault` is the one it is connected to for this user, `project_vault` in the project, "" for none. `tools` are
    those that the server offers; `problems` says what does not work, a sentence each.
    """

    name: str
    title: str
    path: str
    version: str
    vault: str
    project_vault: str
    tools: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def state(client: LlmClient, project: str, environment: Mapping[str, str]) -> ClientState:
    """What there is of a client, and whether its connections work."""
    path = programs.find(client.program, environment)
    vaults = {"": "", project: ""}
    tools: tuple[str, ...] = ()
    problems: list[str] = []
    for base in dict.fromkeys(("", project)):
        aim = target(client, base, environment)
        try:
            record = read_record(aim)
            if record is None:
                continue
            vaults[base] = record.vault
            problems += damage(aim, record)
            tools, trouble = trial(record, environment)
            problems += trouble
        except MdmemError as error:
            problems.append(f"{error.message} ({error.hint})")
    version = programs.version(path, environment) if path else ""
    return ClientState(
        client.name,
        client.title,
        path,
        version,
        vaults[""],
        vaults[project],
        tools,
        tuple(dict.fromkeys(problems)),
    )


def damage(aim: Target, record: ConnectionRecord) -> list[str]:
    """What was written and is not there any more."""
    again = f"mdmem connect {aim.client.name}" + (" --project" if aim.base else "")
    lacking = [
        aim.located(stored) for stored, known in record.files.items() if not _is_as(aim.located(stored), known)
    ]
    lacking += [
        aim.located(stored)
        for stored, change in record.settings.items()
        if not _holds(aim.located(stored), change)
    ]
    found = [f"{path} is not as mdmem wrote it: {again}" for path in lacking]
    registration = aim.plan.registration
    if registration and registration.mark not in (text_of(registration.kept_in) or ""):
        found.append(f"{aim.client.title} does not know the plugin any more: {again}")
    if not os.path.isfile(record.program):
        found.append(f"{record.program} is gone: {again}")
    if not os.path.isdir(record.vault):
        found.append(f"the vault {record.vault} is gone: {again} --vault DIR")
    return found


def trial(record: ConnectionRecord, environment: Mapping[str, str]) -> tuple[tuple[str, ...], list[str]]:
    """The tools that the server of a connection offers, and what does not work of server and hooks."""
    if not (os.path.isfile(record.program) and os.path.isdir(record.vault)):
        return (), []
    problems = []
    vault = ("--vault", record.vault)
    try:
        tools = _tools([record.program, "mcp", *vault], environment)
    except MdmemError as error:
        tools = ()
        problems.append(f"the server does not start: {error.message}")
    try:
        words = ("hook", "Stop", "--client", record.client, *vault)
        json.loads(programs.answer([record.program, *words], '{"hook_event_name": "Stop"}', environment, _HOOK))
    except (MdmemError, ValueError) as error:
        problems.append(f"hooks do not run: {error}")
    return tools, problems


def _tools(line: list[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the tools of an MCP server. Raises MdmemError if it does not answer as one."""
    calls = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    text = "".join(json.dumps(call) + "\n" for call in calls)
    for answer in programs.lines_of(line, text, environment, _SERVER):
        try:
            message = json.loads(answer)
        except ValueError:
            raise MdmemError(f"it printed {answer[:60]!r}") from None
        if message.get("id") == 2:
            return tuple(tool["name"] for tool in message["result"]["tools"])
    raise MdmemError("it ended without an answer")


def _is_as(path: str, known: str) -> bool:
    data = bytes_of(path)
    return data is not None and digest(data) == known


def _holds(path: str, change: SettingsChange) -> bool:
    text = text_of(path)
    return text is not None and all(insertion.text.strip(" ,\n\r\t") in text for insertion in change.insertions)

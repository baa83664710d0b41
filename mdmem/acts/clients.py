"""Connecting LLM clients to a vault."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Annotated

from mdmem.acts.face import Face
from mdmem.acts.style import Lines, Style
from mdmem.acts.telling import Told
from mdmem.connect import connecting, selftest
from mdmem.connect.connecting import Connected, Preview
from mdmem.connect.plan import CLIENTS
from mdmem.connect.selftest import ClientState
from mdmem.connect.target import Target, target
from mdmem.errors import UsageError
from mdmem.note.plural import counted
from mdmem.note.terminal import safe, safe_line
from mdmem.store.local import place
from mdmem.store.progress import Watch

GENERIC = "generic"
_NAMES = (*CLIENTS, GENERIC)


def connect(
    face: Face,
    watch: Watch,
    client: Annotated[str, _NAMES] = "",
    *,
    for_user: bool = False,
    in_project: bool = False,
    only_print: bool = False,
    all_clients: bool = False,
) -> Told:
    """Connect an LLM client to the vault: MCP server, hooks, the skill `memory` and slash commands.

    CLIENT is claude-code, codex, copilot, gemini, opencode, qwen, pi; cursor, vscode, windsurf, cline, zed and
    claude-desktop, which have the server and rules, and hooks only in Cursor; `generic` prints what to paste into
    any other. Nothing runs in between: the client starts mdmem when it needs it. Of files that are yours only our
    own lines change, and `mdmem disconnect CLIENT` takes them back. Doing it again brings it up to date.

    \b
    Examples:
      mdmem connect claude-code
      mdmem connect codex --project --vault ~/notes
      mdmem connect gemini --print
      mdmem connect --list
    """
    if all_clients:
        with watch("trying") as report:
            clients = selftest.states(place.project_at(os.getcwd()), os.environ, report)
        return Told(clients, partial(client_lines, clients))
    if not client:
        raise UsageError("which client?", f"one of {', '.join(_NAMES)}; mdmem connect --list shows what is here")
    vault = os.path.abspath(place.locate(face.vault))
    if client == GENERIC:
        shown = connecting.generic(vault, os.environ)
    elif only_print:
        shown = connecting.preview(_target(client, in_project, for_user), vault)
    else:
        done = connecting.connect(_target(client, in_project, for_user), vault)
        return Told(done, connected_lines(done))
    return Told(shown, partial(preview_lines, shown))


def disconnect(
    client: Annotated[str, tuple(CLIENTS)],
    *,
    for_user: bool = False,
    in_project: bool = False,
) -> Told:
    """Take back what `mdmem connect CLIENT` wrote. The vault and its memories stay.

    \b
    Examples:
      mdmem disconnect claude-code
      mdmem disconnect codex --project
    """
    done = connecting.disconnect(_target(client, in_project, for_user))
    return Told(done, disconnected_lines(done))


def _target(client: str, in_project: bool, for_user: bool) -> Target:
    """Where to write: for the user, or for the project around the current folder."""
    if in_project and for_user:
        raise UsageError("--project and --user exclude each other", "give one of them")
    return target(CLIENTS[client], place.project_at(os.getcwd()) if in_project else "", os.environ)


def connected_lines(done: Connected) -> Lines:
    """What was written, what is left for the person to do, and how to undo it."""
    if not (done.files or done.settings or done.commands):
        yield f"{done.client} is connected to {safe_line(done.vault)} already; nothing to change"
    else:
        yield f"connected {done.client} to {safe_line(done.vault)}"
        yield from _what("wrote", "added lines to", done)
    yield from map(safe_line, done.found)
    for sentence in done.advice:
        yield f"to do: {sentence}"
    yield f"to take it back: mdmem disconnect {done.client}{' --project' if done.project else ''}"


def disconnected_lines(done: Connected) -> Lines:
    """What was removed, and what was left."""
    yield f"disconnected {done.client} from {safe_line(done.vault)}, which stays as it is"
    yield from _what("deleted", "took our lines out of", done)
    for path in done.left:
        yield f"left, because it was changed: {safe_line(path)}"


def _what(files: str, settings: str, done: Connected) -> Lines:
    for path in done.files:
        yield f"  {files} {safe_line(path)}"
    for path in done.settings:
        yield f"  {settings} {safe_line(path)}"
    for command in done.commands:
        yield f"  ran {safe_line(command)}"


def preview_lines(shown: Preview, style: Style) -> Lines:
    """Each file with its text, as it would be written."""
    for path, text in shown.files.items():
        yield style(f"# {safe_line(path)}", "bold")
        yield safe(text)
    for path, text in shown.settings.items():
        added = "" if shown.client == "generic" else " (these lines are added)"
        yield style(f"# {safe_line(path)}{added}", "bold")
        yield safe(text)
    for command in shown.commands:
        yield f"$ {safe_line(command)}"
    for sentence in shown.advice:
        yield f"to do: {sentence}"


def client_lines(states: Sequence[ClientState], style: Style) -> Lines:
    """A line for each client, and one for each problem."""
    wide = max((len(state.name) for state in states), default=0)
    for state in states:
        here = state.version or "here" if state.path else "not here"
        yield f"{state.name:{wide}} {here:12} {_connection(state)}"
        for problem in state.problems:
            yield style(f"{'':{wide}} {safe_line(problem)}", "red")
        for sentence in state.untried:
            yield f"{'':{wide}} not tried: {sentence}"


def _connection(state: ClientState) -> str:
    vaults = [safe_line(state.vault)] if state.vault else []
    if state.project_vault and state.project_vault != state.vault:
        vaults.append(f"{safe_line(state.project_vault)} in this project")
    if not vaults:
        return "not connected" if not state.path else f"not connected: mdmem connect {state.name}"
    works = "does not work" if state.problems else f"works, {counted(len(state.tools), 'tool')}"
    return f"{' and '.join(vaults)}: {works}"

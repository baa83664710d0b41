"""Connecting LLM clients to a vault."""

from __future__ import annotations

import os
from functools import partial
from typing import Annotated

from mdmem.acts.face import Face
from mdmem.acts.signature import Arg, Opt
from mdmem.acts.telling import Told
from mdmem.acts.text.clients import client_lines, connected_lines, disconnected_lines, preview_lines
from mdmem.connect.plan import CLIENTS
from mdmem.connect.target import Target, target
from mdmem.errors import UsageError
from mdmem.store.local import place
from mdmem.store.progress import Watch

GENERIC = "generic"
_NAMES = (*CLIENTS, GENERIC)
ForUser = Annotated[bool, Opt("In all projects of this user. The default.", flags="--user")]
InProject = Annotated[bool, Opt("Only in this project, and write nothing outside of it.", flags="--project")]


def connect(
    face: Face,
    watch: Watch,
    client: Annotated[str, Arg(metavar="[CLIENT]", choices=_NAMES)] = "",
    *,
    for_user: ForUser = False,
    in_project: InProject = False,
    only_print: Annotated[bool, Opt("Print what would be written; write nothing.", flags="--print")] = False,
    all_clients: Annotated[
        bool, Opt("List the clients here, and whether their connection works.", flags="--list")
    ] = False,
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
        from mdmem.connect.selftest import states

        with watch("trying") as report:
            clients = states(place.project_at(os.getcwd()), os.environ, report)
        return Told(clients, partial(client_lines, clients))
    if not client:
        raise UsageError("which client?", f"one of {', '.join(_NAMES)}; mdmem connect --list shows what is here")
    vault = os.path.abspath(place.locate(face.vault))
    if not only_print and client != GENERIC:
        from mdmem.connect.connecting import connect as connecting

        done = connecting(_target(client, in_project, for_user), vault)
        return Told(done, connected_lines(done))
    from mdmem.connect import preview

    if client == GENERIC:
        shown = preview.generic(vault, os.environ)
    else:
        shown = preview.preview(_target(client, in_project, for_user), vault)
    return Told(shown, partial(preview_lines, shown))


def disconnect(
    client: Annotated[str, Arg(metavar="CLIENT", choices=tuple(CLIENTS))],
    *,
    for_user: ForUser = False,
    in_project: InProject = False,
) -> Told:
    """Take back what `mdmem connect CLIENT` wrote. The vault and its memories stay.

    \b
    Examples:
      mdmem disconnect claude-code
      mdmem disconnect codex --project
    """
    from mdmem.connect.disconnecting import disconnect as disconnecting

    done = disconnecting(_target(client, in_project, for_user))
    return Told(done, disconnected_lines(done))


def _target(client: str, in_project: bool, for_user: bool) -> Target:
    """Where to write: for the user, or for the project around the current folder."""
    if in_project and for_user:
        raise UsageError("--project and --user exclude each other", "give one of them")
    return target(CLIENTS[client], place.project_at(os.getcwd()) if in_project else "", os.environ)

"""The commands `connect` and `disconnect`."""

from __future__ import annotations

import os

import click

from mdmem.cli.options import Command, print_json, print_lines, progress, style
from mdmem.cli.shared import command
from mdmem.connect.plan import CLIENTS
from mdmem.errors import UsageError

GENERIC = "generic"
_NAMES = (*CLIENTS, GENERIC)


def where_options(command: Command) -> Command:
    """The options `--user` and `--project`."""
    project = click.option(
        "--project", "in_project", is_flag=True, help="Only in this project, and write nothing outside of it."
    )
    user = click.option("--user", "for_user", is_flag=True, help="In all projects of this user. The default.")
    return user(project(command))


@command("connect")
@click.argument("client", type=click.Choice(_NAMES), metavar="[CLIENT]", required=False)
@where_options
@click.option("--print", "only_print", is_flag=True, help="Print what would be written; write nothing.")
@click.option(
    "--list", "list_all", is_flag=True, help="List the clients here, and whether their connection works."
)
def connect_command(
    client: str | None,
    in_project: bool,
    for_user: bool,
    only_print: bool,
    list_all: bool,
    vault: str | None,
    as_json: bool,
) -> None:
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
    if list_all:
        _list(as_json)
    elif client is None:
        raise UsageError("which client?", f"one of {', '.join(_NAMES)}; mdmem connect --list shows what is here")
    elif only_print or client == GENERIC:
        _print(client, _project(in_project, for_user), _vault(vault), as_json)
    else:
        _connect(client, _project(in_project, for_user), _vault(vault), as_json)


@command("disconnect", vault=False)
@click.argument("client", type=click.Choice(tuple(CLIENTS)), metavar="CLIENT")
@where_options
def disconnect_command(client: str, in_project: bool, for_user: bool, as_json: bool) -> None:
    """Take back what `mdmem connect CLIENT` wrote. The vault and its memories stay.

    \b
    Examples:
      mdmem disconnect claude-code
      mdmem disconnect codex --project
    """
    from mdmem.acts.text.clients import disconnected_lines
    from mdmem.connect.disconnecting import disconnect
    from mdmem.connect.target import target

    done = disconnect(target(CLIENTS[client], _project(in_project, for_user), os.environ))
    if as_json:
        print_json(done)
    else:
        print_lines(disconnected_lines(done))


def _connect(client: str, project: str, vault: str, as_json: bool) -> None:
    from mdmem.acts.text.clients import connected_lines
    from mdmem.connect.connecting import connect
    from mdmem.connect.target import target

    done = connect(target(CLIENTS[client], project, os.environ), vault)
    if as_json:
        print_json(done)
    else:
        print_lines(connected_lines(done))


def _print(client: str, project: str, vault: str, as_json: bool) -> None:
    from mdmem.acts.text.clients import preview_lines
    from mdmem.connect import preview
    from mdmem.connect.target import target

    if client == GENERIC:
        shown = preview.generic(vault, os.environ)
    else:
        shown = preview.preview(target(CLIENTS[client], project, os.environ), vault)
    if as_json:
        print_json(shown)
    else:
        print_lines(preview_lines(shown, style()))


def _list(as_json: bool) -> None:
    from mdmem.acts.text.clients import client_lines
    from mdmem.connect.selftest import states

    with progress("trying") as report:
        clients = states(_here(), os.environ, report)
    if as_json:
        print_json(clients)
    else:
        print_lines(client_lines(clients, style()))


def _vault(given: str | None) -> str:
    from mdmem.store.local import place

    outer = click.get_current_context().find_root().obj or {}
    return os.path.abspath(place.locate(given or outer.get("vault")))


def _project(in_project: bool, for_user: bool) -> str:
    """The project to connect; "" to connect for the user."""
    if in_project and for_user:
        raise UsageError("--project and --user exclude each other", "give one of them")
    return _here() if in_project else ""


def _here() -> str:
    """The project around the current folder: its repository, else the folder itself."""
    from mdmem.store.local import place

    return place.project_at(os.getcwd())

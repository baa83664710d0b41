"""The command `work before`, for editors and hooks of agents."""

from __future__ import annotations

import json
from typing import Any

import click

from mdmem.cli.options import now, opened, print_json, print_lines, standard_input, tell
from mdmem.cli.shared import command
from mdmem.errors import MdmemError
from mdmem.systems.rum import reminding
from mdmem.systems.rum.reminding import Reminders
from mdmem.systems.rum.telling import reminder_lines


@command("before")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--command", default="", metavar="TEXT", help="The command that is to run, or what is to be done.")
@click.option("--hook", is_flag=True, help="Read what a hook of Claude Code gets, and print what it answers.")
@click.option("--always", "is_always", is_flag=True, help="Repeat what was mentioned a moment ago.")
def before_command(
    files: tuple[str, ...], command: str, hook: bool, is_always: bool, vault: str | None, as_json: bool
) -> None:
    """Say what is remembered of files before they are touched: what was tried there, and what failed.

    Made for editors and hooks of agents: it prints nothing ({} with --json) where there is nothing to say, does
    not wait for other processes, and always exits with 0; an error is a line on standard error. Each file is
    mentioned at most once in five minutes, and at most five files a minute. Failed work on a file of the command,
    with a similar goal, is mentioned each time. Works older than 30 days are left out.

    \b
    Examples:
      mdmem work before src/auth.ts
      mdmem work before --command 'rm src/auth.ts' --json
      mdmem work before --hook < event.json
    """
    found = Reminders()
    try:
        if hook:
            files, command = _of_event(standard_input())
        with opened(vault) as place:
            found = reminding.before(place, files, command, now(), is_always)
    except MdmemError as error:
        tell(error.message)
    if hook:
        _answer("\n".join(reminder_lines(found)))
    elif as_json:
        print_json(found if any(found) else {})
    else:
        print_lines(reminder_lines(found))


def _of_event(text: str) -> tuple[tuple[str, ...], str]:
    """(files, command) of the tool that is about to run; empty for an event that names neither."""
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        raise MdmemError("standard input is not the JSON of a hook") from None
    given: Any = event.get("tool_input") if isinstance(event, dict) else None
    if not isinstance(given, dict):
        return (), ""
    paths = (given.get(name) for name in ("file_path", "notebook_path"))
    command = given.get("command")
    return tuple(path for path in paths if isinstance(path, str)), command if isinstance(command, str) else ""


def _answer(text: str) -> None:
    said = {"hookEventName": "PreToolUse", "additionalContext": text}
    print_json({"hookSpecificOutput": said} if text else {})

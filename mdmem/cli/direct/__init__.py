"""`recall` and `remember`, which agents run all day, without click where that makes no difference: loading click
takes a fifth of the time of a recall.

`commands.json` holds their options as click declares them (`python -m tests.pages` writes it). Anything but the
plainest form is left to click: unusual forms, mistakes, requests for help, and everything at a terminal.
"""

from __future__ import annotations

import json
import os
from typing import Any

from mdmem.cli.direct import arguments as plain
from mdmem.cli.direct.line import CommandLine
from mdmem.cli.direct.output import is_watched, warnings

COMMANDS = ("recall", "remember")
OF_LINE = "line."  # prefix of parameters that are fields of CommandLine


def run(arguments: list[str]) -> bool:
    """Run a command line if it is in the plainest form; return whether it was. Raises what the command raises."""
    warnings.clear()  # those of an earlier command line in this process
    name = _command(arguments[0]) if arguments else ""
    if not name or is_watched() or os.environ.get("_MDMEM_COMPLETE"):
        return False
    try:
        options = plain.read(declared(name), arguments[1:], os.environ)
    except plain.NotPlainError:
        return False
    if name == "recall":
        from mdmem.cli.direct.recall import run as run_command
    else:
        from mdmem.cli.direct.remember import run as run_command
    run_command(line_of(options), options)
    return True


def _command(word: str) -> str:
    """The one of COMMANDS that a word runs, "" for none."""
    if word in COMMANDS:
        return word
    from mdmem.cli.aliases import ALIASES

    return ALIASES[word] if ALIASES.get(word) in COMMANDS else ""


def declared(name: str) -> plain.Command:
    """A command as click declares it, read from `commands.json`."""
    with open(os.path.join(os.path.dirname(__file__), "commands.json"), encoding="utf-8") as file:
        return plain.command_of(json.loads(file.read())[name])


def line_of(options: dict[str, Any]) -> CommandLine:
    """Move the options that do not belong to the command itself from `options` into a CommandLine."""
    kept = {name.removeprefix(OF_LINE): options.pop(name) for name in list(options) if name.startswith(OF_LINE)}
    return CommandLine(vault=options.pop("vault"), actor=options.get("actor", ""), **kept)

"""Commands that agents run all day, without click where that makes no difference: it is slow to load.

`commands.json` says what their options are, and is made of what click was told (`python -m tests.pages`). What it
does not say click reads: an unusual form, a mistake, a call for help; and what a person does at a terminal.
"""

from __future__ import annotations

import json
import os
from importlib import import_module

from mdmem.cli.aliases import ALIASES
from mdmem.cli.direct import arguments as plain
from mdmem.cli.direct.line import CommandLine
from mdmem.cli.direct.output import is_watched
from mdmem.values import Any

COMMANDS = ("recall", "remember")
OF_LINE = "line."  # begins the names of options that say a field of the line


def run(arguments: list[str]) -> bool:
    """Run a command line, if it is of the plainest form."""
    name = ALIASES.get(arguments[0], arguments[0]) if arguments else ""
    if name not in COMMANDS or is_watched() or os.environ.get("_MDMEM_COMPLETE"):
        return False
    try:
        options = plain.read(declared(name), arguments[1:], os.environ)
    except plain.NotPlainError:
        return False
    import_module(f"mdmem.cli.direct.{name}").run(line_of(options), options)
    return True


def declared(name: str) -> plain.Command:
    """What click was told of a command."""
    with open(os.path.join(os.path.dirname(__file__), "commands.json"), encoding="utf-8") as file:
        return plain.command_of(json.load(file)[name])


def line_of(options: dict[str, Any]) -> CommandLine:
    """What the options say beside those of the command itself."""
    kept = {name.removeprefix(OF_LINE): options.pop(name) for name in list(options) if name.startswith(OF_LINE)}
    return CommandLine(vault=options.pop("vault"), actor=options.get("actor", ""), **kept)

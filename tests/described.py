"""The table `mdmem/cli/direct/commands.json`, made of click's declarations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import mdmem
from mdmem.cli.direct import COMMANDS, OF_LINE
from mdmem.cli.direct.line import CommandLine
from mdmem.cli.group import cli

FILE = Path(mdmem.__file__).parent / "cli" / "direct" / "commands.json"

# What click leaves out of the arguments of the function is said to the line.
_FIELDS = {"max_sensitivity": "limit", "scope": "scopes", "allow_secret": "allow_secret"}
_FIELDS["parent_session"] = "parent_session"
_PERSONAL = {"edit", "ask"}  # options and choices that need a person, whom click asks


def text() -> str:
    """The whole file, a line for each option."""
    lines = json.dumps({name: _of_command(command(name)) for name in COMMANDS})
    return lines.replace(', {"words"', ',\n{"words"').replace('[{"words"', '[\n{"words"') + "\n"


def command(name: str) -> click.Command:
    """A command as click knows it."""
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def _of_command(command: click.Command) -> dict[str, Any]:
    options = [param for param in command.params if isinstance(param, click.Option)]
    defaults = command.make_context("it", [], resilient_parsing=True).params
    unsaid = {OF_LINE + name: value for name, value in CommandLine()._asdict().items()}
    return {
        "excludes": type(command).__name__ == "_QueryCommand",
        "defaults": {name: (defaults | unsaid)[name] for name in map(_name, options)},
        "options": [_of_option(option) for option in options if option.name not in _PERSONAL],
    }


def _name(option: click.Option) -> str:
    assert option.name is not None
    return option.name if option.expose_value else OF_LINE + _FIELDS[option.name]


def _of_option(option: click.Option) -> dict[str, Any]:
    assert option.nargs == 1
    assert not option.secondary_opts
    said = {"words": option.opts, "name": _name(option), **_kind(option)}
    if option.multiple:
        said["many"] = True
    if option.envvar:
        said["variable"] = option.envvar
    return said


def _kind(option: click.Option) -> dict[str, Any]:
    if option.is_flag:
        assert option.type.name == "boolean"
        return {"kind": "flag"}
    kind = option.type
    if isinstance(kind, click.Choice):
        return {"kind": "choice", "choices": [choice for choice in kind.choices if choice not in _PERSONAL]}
    if isinstance(kind, click.IntRange | click.FloatRange):
        assert (kind.min_open, kind.max_open, kind.clamp) == (False, False, False)
        name = "integer" if isinstance(kind, click.IntRange) else "number"
        return {"kind": name, "least": kind.min, "most": kind.max}
    assert kind.name == "text"
    return {"kind": "text"}

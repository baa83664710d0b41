"""The group `work`: its commands are imported only to run them."""

from __future__ import annotations

from importlib import import_module

import click

from mdmem.cli.options import FullHelpGroup

# command -> its module
_COMMANDS = {
    "add": "add",
    **dict.fromkeys(("show", "recall", "list"), "look"),
    **dict.fromkeys(("link", "trace"), "links"),
    **dict.fromkeys(("chapters", "wisdom", "archive"), "chapters"),
    "before": "before",
}


class _WorkGroup(FullHelpGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"mdmem.cli.work.{_COMMANDS[cmd_name]}")
        command = getattr(module, cmd_name + "_command")
        assert isinstance(command, click.Command)
        return command


@click.group("work", cls=_WorkGroup)
def work_command() -> None:
    """Remember work (RUM): what was tried, why, what was done, and what came of it.

    \b
    Examples:
      mdmem work add work.json
      mdmem work recall --file src/auth.ts --failure
      mdmem work trace stop_random_logouts --direction causes
      mdmem work chapters auto
      mdmem work before src/auth.ts

    Commands that print data take --json.
    """

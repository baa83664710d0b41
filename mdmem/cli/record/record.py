"""The group `record`: its commands are imported only to run them."""

from __future__ import annotations

from importlib import import_module

import click

from mdmem.cli.options import FullHelpGroup

# command -> its module
_COMMANDS = {
    **dict.fromkeys(("add", "show", "list", "check"), "look"),
    **dict.fromkeys(("revise", "supersede", "fork", "merge", "retract", "contest"), "revision"),
    "lineage": "lineage",
    **dict.fromkeys(("retrieve", "select"), "retrieve"),
    "verify": "verify",
    **dict.fromkeys(("reinforce", "penalize", "pin", "unpin", "prune"), "lifecycle"),
}


class _RecordGroup(FullHelpGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"mdmem.cli.record.{_COMMANDS[cmd_name]}")
        command = getattr(module, cmd_name + "_command")
        assert isinstance(command, click.Command)
        return command


@click.group("record", cls=_RecordGroup)
def record_command() -> None:
    """Work with typed records (Membrane): how present they are, how they are revised, where they come from.

    \b
    Examples:
      mdmem record add competence --edit
      mdmem record list --type semantic --min-salience 0.5
      mdmem record reinforce user_prefers_tables
      mdmem record prune --dry-run

    Commands that print data take --json.
    """

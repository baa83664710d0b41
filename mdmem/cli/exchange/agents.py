"""The command `agents refresh`."""

from __future__ import annotations

from mdmem.acts import upkeep
from mdmem.cli.making import made
from mdmem.cli.shared import group


@group("agents")
def agents_command() -> None:
    """Tell LLM sessions about the memories, in AGENTS.md and the like.

    \b
    Example:
      mdmem agents refresh --json
    """


agents_command.add_command(made("refresh", upkeep.refresh))

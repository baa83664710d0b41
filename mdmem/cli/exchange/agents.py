"""The command `agents refresh`."""

from __future__ import annotations

import os
from typing import Any

import click

from mdmem.acts.json.write import written_json
from mdmem.cli.options import opened, print_json, writer
from mdmem.cli.shared import group
from mdmem.vault import starter


@group("agents")
def agents_command() -> None:
    """Tell LLM sessions about the memories, in AGENTS.md and the like.

    \b
    Example:
      mdmem agents refresh --json
    """


@agents_command.command("refresh", writes=True)
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False))
def refresh_agents(file: str | None, vault: str | None, as_json: bool, **options: Any) -> None:
    """Update the section on the memories in FILE, between its markers, or append one.

    Nothing else in FILE changes. Without FILE: AGENTS.md and CLAUDE.md of the vault. FILE may belong to a
    project elsewhere; the section then gives the path from there to the vault. Within the vault this
    makes one commit.

    \b
    Examples:
      mdmem agents refresh
      mdmem --vault ~/notes agents refresh ~/code/project/AGENTS.md
    """
    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        done = starter.refresh(found, os.path.abspath(file) if file else None, who, options["reason"])
    if as_json:
        print_json(written_json(done))
    elif done.paths:
        click.echo(f"refreshed {', '.join(done.paths)}" + (f"  ({done.commit[:8]})" if done.commit else ""))
    else:
        click.echo("nothing to change")

"""The command `layout`."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.json.write import moved_json
from mdmem.cli.options import opened, print_json, tell, writer
from mdmem.cli.shared import command
from mdmem.text.plural import counted
from mdmem.write import rename


@command("layout", writes=True)
@click.argument("kind", type=click.Choice(["flat", "month"]))
def layout_command(kind: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Keep memories in one folder (flat), or in folders by month (month), in one commit.

    Above about 5,000 memories `month` makes commits much smaller. Links by name keep working; those by path, to
    notes and to images, follow. An ambiguous link is left as it is and reported.

    \b
    Example:
      mdmem layout month
    """
    with opened(vault) as found:
        done = rename.relayout(found, kind, writer(found, options["actor"], options["session"]), options["reason"])
    for problem in done.left:
        tell(str(problem))
    if as_json:
        print_json(moved_json(done))
    else:
        click.echo(
            f"moved {counted(len(done.moves), 'memory')}" + (f"  ({done.commit[:8]})" if done.commit else "")
        )

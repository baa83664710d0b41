"""The command `facts keep`."""

from __future__ import annotations

from typing import Any

import click

from mdmem.cli.options import opened, print_json, writer
from mdmem.cli.shared import command
from mdmem.render.json.write import remembered_json


@command("keep", writes=True)
@click.argument("id")
@click.option("--name", default="", help="File name: 3 to 10 words joined by underscores. Default: from the fact.")
def keep_command(id: str, name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Make a memory of the fact ID, with its sentence and every place where it was told.

    The memory is yours to change; recall shows it in place of the fact, and names the places.

    \b
    Examples:
      mdmem facts keep 04bfc468b131e204
      mdmem facts keep 04bf --name ana_lives_in_lisbon
    """
    from mdmem.systems.layers import keeping

    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        done = keeping.keep(found, id, who, name, options["reason"])
    if as_json:
        print_json(remembered_json(done, []))
    else:
        click.echo(f"remembered {done.path}  ({done.commit[:8]})")

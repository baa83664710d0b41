"""The command `embed`."""

from __future__ import annotations

import click

from mdmem.cli.options import opened, print_json, progress
from mdmem.cli.shared import command


@command("embed")
def embed_command(vault: str | None, as_json: bool) -> None:
    """Compute the vectors that recall by meaning needs.

    It needs a model (mdmem guide meaning). Only new and changed texts go through it; recall computes a few of them
    by itself, and the end of a session has this done. If it is stopped, the next one goes on from there.

    \b
    Example:
      mdmem embed
    """
    from mdmem.acts.json.upkeep import vectors_json
    from mdmem.recall import meaning
    from mdmem.text.plural import counted

    with opened(vault) as found, progress("embedding") as report:
        made, dropped = meaning.embed(found, report)
    if as_json:
        print_json(vectors_json(made, dropped))
    else:
        click.echo(
            f"made the vectors of {counted(made, 'text')}" + (f", dropped those of {dropped}" if dropped else "")
        )

"""The command `embed`."""

from __future__ import annotations

import click

from mdmem.cli.options import opened, print_json, progress
from mdmem.cli.shared import command


@command("embed")
def embed_command(vault: str | None, as_json: bool) -> None:
    """Compute the vectors that recall by meaning needs.

    It needs a model, switched on in mdmem.toml with [semantic] and model = "local", or another one (mdmem guide
    meaning). Only new and changed memories go through it; recall and the end of a session compute a few of them by
    themselves. If it is stopped, the next one goes on from there.

    \b
    Example:
      mdmem embed
    """
    from mdmem.errors import UsageError
    from mdmem.recall import meaning
    from mdmem.render.json.upkeep import vectors_json

    with opened(vault) as found, progress("embedding") as report:
        if not found.config.semantic.model:
            raise UsageError("no model is configured", 'add to mdmem.toml: [semantic], then model = "local"')
        vectors = meaning.Meaning(meaning.model(found.config.semantic.model), found.root, found.index)
        made, dropped = vectors.embed(report), vectors.tidy()
    if as_json:
        print_json(vectors_json(made, dropped))
    else:
        click.echo(f"made {made} vectors" + (f", dropped {dropped} of deleted texts" if dropped else ""))

"""The command `facts`."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.json.layers import facts_json
from mdmem.acts.text.layers import facts_lines
from mdmem.cli.options import end_with, opened, print_json, print_lines, style
from mdmem.cli.shared import command
from mdmem.note.facts import TYPES
from mdmem.systems.layers.pages import knownfacts
from mdmem.systems.layers.pages.knownfacts import FactFilter
from mdmem.systems.layers.pages.tiers import TIERS


@command("facts")
@click.argument("topic", default="")
@click.option("--topic", "named", hidden=True, default="")
@click.option("--type", "kind", type=click.Choice(TYPES), default=None, help="Only facts of this type.")
@click.option("--tier", type=click.Choice(TIERS), default=None, help="Only facts of this tier.")
@click.option("--unscored", is_flag=True, help="Only facts that nobody has scored yet.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="At most this many.")
def facts_command(
    topic: str, kind: str | None, tier: str | None, limit: int, vault: str | None, as_json: bool, **more: Any
) -> None:
    """List the facts of a topic, or of all: what is known, where from, and what it is worth.

    Facts are drawn from the dialogs that `mdmem ingest` keeps, and from the Facts section of notes with a topic.
    Those of the tier core come first, then secondary. `mdmem judge ID 0-10` says what a fact is worth: below 5 it
    leaves every page, from 8 it is core. `mdmem judge ID keep` makes a memory of it.

    \b
    Examples:
      mdmem facts
      mdmem facts travel_plans --type preference
      mdmem facts --tier core --json
      mdmem judge 04bfc468b131e204 10
    """
    with opened(vault) as found:
        wanted = FactFilter(topic or more["named"], kind or "", tier or "", more["unscored"])
        facts, problems = knownfacts.find(found, wanted)
        shown = knownfacts.cited(found, facts[:limit])
    if as_json:
        print_json(facts_json(shown, len(facts), problems))
    else:
        print_lines(facts_lines(shown, len(facts), style()))
    end_with(problems, as_json)

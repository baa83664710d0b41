"""The command `trust`."""

from __future__ import annotations

import click

from mdmem.acts.json.upkeep import people_json
from mdmem.acts.text.upkeep import people_lines
from mdmem.cli.options import opened, print_json, print_lines
from mdmem.cli.shared import command
from mdmem.upkeep import people


@command("trust")
@click.argument("address", metavar="[EMAIL]", required=False)
def trust_command(address: str | None, vault: str | None, as_json: bool) -> None:
    """Treat what someone committed as a person's own words, not as data.

    A memory whose last version was committed by anyone else counts as `origin: import`: it is shown in a fence.
    You are trusted from your first write on. The addresses are kept as mdmem.people in this clone's git settings.
    Without EMAIL: who is trusted, and who else wrote memories.

    \b
    Examples:
      mdmem trust
      mdmem trust grace@example.org
    """
    with opened(vault) as found:
        added = people.trust(found, address) if address else False
        known = people.people(found)
    if as_json:
        print_json(people_json(known))
    elif address:
        click.echo(f"{'trusted from now on' if added else 'trusted already'}: {address}")
    else:
        print_lines(people_lines(known))

"""The command `lineage`."""

from __future__ import annotations

import click

from mdmem.acts.json.lineage import lineage_json
from mdmem.acts.text.lineage import lineage_dot, lineage_lines, lineage_mermaid
from mdmem.cli.options import (
    complete_name,
    graph_option,
    opened,
    print_json,
    print_lines,
    style,
)
from mdmem.cli.shared import command
from mdmem.history import lineage
from mdmem.history.lineage import BOTH, DIRECTIONS, Walk
from mdmem.recall import lookup


@command("lineage")
@click.argument("name", shell_complete=complete_name)
@click.option("--direction", type=click.Choice(DIRECTIONS), default=BOTH, show_default=True, help="Which way.")
@click.option("--max-depth", type=click.IntRange(1), help="At most this many links away. Default: no limit.")
@click.option(
    "--predicate",
    "predicates",
    multiple=True,
    metavar="NAME",
    help="Only along links such as supersedes or caused_by; may be repeated.",
)
@graph_option
def lineage_command(
    name: str,
    direction: str,
    max_depth: int | None,
    predicates: tuple[str, ...],
    form: str,
    vault: str | None,
    as_json: bool,
) -> None:
    """Show what a memory came of and what came of it, along the links between memories.

    Links count from whichever end they are written at: supersedes and superseded_by, caused_by and led_to,
    derived_from and source_of, contests and contested_by, blocked_by and blocks.

    \b
    Examples:
      mdmem lineage deploys_run_on_mondays
      mdmem lineage deploys_run_on_mondays --direction causes --max-depth 3
      mdmem lineage deploys_run_on_mondays --format mermaid
    """
    walk = Walk(direction, predicates or Walk().predicates, max_depth or 0)
    with opened(vault) as found:
        drawn = lineage.trace(found.index, lookup.find(found, name), walk)
    if as_json:
        print_json(lineage_json(drawn))
    elif form == "dot":
        click.echo(lineage_dot(drawn))
    elif form == "mermaid":
        click.echo(lineage_mermaid(drawn))
    else:
        print_lines(lineage_lines(drawn, style()))

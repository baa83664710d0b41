"""The commands `link` and `trace`: what led to what."""

from __future__ import annotations

import click

from mdmem.cli.options import (
    complete_name,
    graph_option,
    json_option,
    opened,
    print_json,
    print_lines,
    style,
    vault_option,
    writer,
    writing_options,
)
from mdmem.history import lineage
from mdmem.history.lineage import BOTH, DIRECTIONS, Walk
from mdmem.render.json.lineage import lineage_json
from mdmem.render.json.work import linked_json
from mdmem.render.text.lineage import lineage_dot, lineage_lines, lineage_mermaid
from mdmem.systems.rum import linking, schema
from mdmem.systems.rum.view import VaultWorks


@click.command("link")
@click.argument("source", metavar="WORK", shell_complete=complete_name)
@click.argument("link_type", metavar="TYPE", type=click.Choice(schema.LINK_TYPES))
@click.argument("target", metavar="OTHER", shell_complete=complete_name)
@writing_options
@vault_option
@json_option
def link_command(
    source: str, link_type: str, target: str, vault: str | None, as_json: bool, **options: str
) -> None:
    """Say what a work has to do with another: caused_by, led_to, related_to, supersedes or blocked_by it.

    The link is written into the first of the two. What it supersedes becomes deprecated. A link that is there
    already stays as it is. A work supersedes one other and is blocked by one: a new link of that type replaces the
    old one.

    \b
    Examples:
      mdmem work link stop_random_logouts caused_by longer_token_lifetime_refused
      mdmem work link mem_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11 blocked_by staging_server_is_down
    """
    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        done = linking.link(found, source, link_type, target, who, options["reason"])
    if as_json:
        print_json(linked_json(done))
    elif done.commit:
        click.echo(f"linked {done.source} {done.type} {done.target}  ({done.commit[:8]})")
    else:
        click.echo(f"already linked: {done.source} {done.type} {done.target}")


@click.command("trace")
@click.argument("name", shell_complete=complete_name)
@click.option("--direction", type=click.Choice(DIRECTIONS), default=BOTH, show_default=True, help="Which way.")
@click.option(
    "--max-depth", type=click.IntRange(1), default=3, show_default=True, help="At most this many links away."
)
@graph_option
@vault_option
@json_option
def trace_command(name: str, direction: str, max_depth: int, form: str, vault: str | None, as_json: bool) -> None:
    """Show what caused a work, and what it led to, along caused_by and led_to.

    A link counts from whichever work it is written in. Circles end. Tracing does not count as reading.
    mdmem record lineage follows the other links, too.

    \b
    Examples:
      mdmem work trace stop_random_logouts --direction causes
      mdmem work trace stop_random_logouts --max-depth 5 --format mermaid
    """
    with opened(vault) as found:
        start = VaultWorks(found).find(name)
        drawn = lineage.trace(found.index, start, Walk(direction, ("caused_by",), max_depth))
    if as_json:
        print_json(lineage_json(drawn))
    elif form == "dot":
        click.echo(lineage_dot(drawn))
    elif form == "mermaid":
        click.echo(lineage_mermaid(drawn))
    else:
        print_lines(lineage_lines(drawn, style()))

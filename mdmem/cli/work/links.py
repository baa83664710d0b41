"""The command `work link`."""

from __future__ import annotations

import click

from mdmem.acts.json.work import linked_json
from mdmem.cli.options import (
    complete_name,
    opened,
    print_json,
    writer,
)
from mdmem.cli.shared import command
from mdmem.systems.rum import linking, schema


@command("link", writes=True)
@click.argument("source", metavar="WORK", shell_complete=complete_name)
@click.argument("link_type", metavar="TYPE", type=click.Choice(schema.LINK_TYPES))
@click.argument("target", metavar="OTHER", shell_complete=complete_name)
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

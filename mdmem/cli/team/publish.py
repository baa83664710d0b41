"""The command `publish`."""

from __future__ import annotations

import click

from mdmem.cli.options import (
    asked_for,
    dry_run_option,
    opened,
    print_json,
    progress,
    tell,
)
from mdmem.cli.shared import command
from mdmem.note.plural import counted


@command("publish")
@click.option("--refill", is_flag=True, help="Write everything again, whatever is there.")
@click.option("--rewind", is_flag=True, help="Go back to this HEAD, if what is published is ahead of it.")
@dry_run_option
def publish_command(refill: bool, rewind: bool, dry_run: bool, vault: str | None, as_json: bool) -> None:
    """Bring the team's index in PostgreSQL up to this vault's HEAD.

    What is committed is published, and nothing else. The first time that is everything, later what git says has
    changed. Memories above `medium` are left out unless --max-sensitivity says otherwise.

    Where the server is comes from the environment: $MDMEM_TEAM_DSN, or PGHOST and the other variables of
    PostgreSQL. It needs the extra `postgres`; the guide `team` says when that is worth it.

    \b
    Examples:
      mdmem publish
      mdmem publish --dry-run --json
      mdmem publish --max-sensitivity low
    """
    from mdmem.team.publish import PublishRequest, publish
    from mdmem.team.server import Server

    request = PublishRequest(asked_for()[0], refill, rewind, dry_run)
    with opened(vault) as found, Server.open() as server, progress("publishing") as report:
        done = publish(found, server, request, report)
    if as_json:
        print_json(done)
        return
    if done.left_out:
        tell(f"left out {counted(done.left_out, 'row')} above '{done.max_sensitivity}'; see --max-sensitivity")
    would = "would publish" if dry_run else "published"
    change = f"{counted(done.written, 'row')} written, {done.removed} removed"
    change += f", {counted(done.vectors, 'vector')}" if done.vectors else ""
    click.echo(
        f"{done.name} is up to date in the team's index ({counted(done.notes, 'row')})"
        if done.how == "nothing"
        else f"{would} {done.name} at {done.head[:10] or 'no commit'}: {change}"
    )

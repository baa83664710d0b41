"""The command `mirror`."""

from __future__ import annotations

import click

from mdmem.acts.json.upkeep import mirrored_json, stale_json
from mdmem.cli.options import opened, print_json, progress
from mdmem.cli.shared import command
from mdmem.text.plural import counted

_SHOWN = 20  # stale files that a check lists


@command("mirror")
@click.option("--check", is_flag=True, help="Only list what is out of date; the exit code is 1 if anything is.")
@click.option("--rebuild", is_flag=True, help="Render everything again, even what is up to date.")
def mirror_command(check: bool, rebuild: bool, vault: str | None, as_json: bool) -> None:
    """Render the memories as JSON chunks, with indexes and an archive of the deleted, for other programs.

    They go to chunks/, index/ and archive/, which git ignores; what did not change is left alone. Nothing is
    read back from there: edit the notes. With [mirror] enabled = true the mirror follows each commit.

    \b
    Examples:
      mdmem mirror
      mdmem mirror --check
    """
    from mdmem.systems.rlm import mirror

    with opened(vault) as found, progress("rendering") as report:
        if check:
            _end_check(mirror.stale(found, report), as_json)
            return
        done = mirror.update(found, rebuild, report)
    if as_json:
        print_json(mirrored_json(done))
    else:
        held = f"{counted(done.chunks, 'chunk')}, {done.archived} archived"
        click.echo(f"{held}; {counted(done.written, 'file')} written, {done.removed} removed")


def _end_check(paths: list[str], as_json: bool) -> None:
    if as_json:
        print_json(stale_json(paths))
    else:
        for path in paths[:_SHOWN]:
            click.echo(path)
        more = f" (the first {_SHOWN})" if len(paths) > _SHOWN else ""
        click.echo(f"{counted(len(paths), 'file')} out of date{more}" if paths else "up to date")
    if paths:
        raise click.exceptions.Exit(1)

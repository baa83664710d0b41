"""The command `record verify`."""

from __future__ import annotations

import click

from mdmem.acts.json.retrieval import source_check_json
from mdmem.acts.text.retrieval import source_line
from mdmem.cli.options import complete_name, opened, print_json, style
from mdmem.cli.shared import command
from mdmem.recall import lookup
from mdmem.systems.membrane import sources
from mdmem.text.plural import counted


@command("verify")
@click.argument("names", nargs=-1, shell_complete=complete_name)
@click.option(
    "--transcripts",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="Look for files in this folder as well.",
)
def verify_command(names: tuple[str, ...], transcripts: str | None, vault: str | None, as_json: bool) -> None:
    """Check whether the sources of records are still what they were; of all records without NAMES.

    A source is a file, a file as of a commit (raw.md:12@1a2b3c4), or a git object. Its hash is computed again.
    Exits with 1 if a source has changed, moved or vanished.

    \b
    Examples:
      mdmem record verify
      mdmem record verify user_prefers_tables --transcripts ~/chats
    """
    with opened(vault) as found:
        records = [lookup.find(found, name) for name in names] if names else found.index.records()
        checks = sources.verify(found, records, transcripts or "")
    faults = [check for check in checks if check.state in sources.FAULTS]
    if as_json:
        print_json([source_check_json(check) for check in checks])
    else:
        for check in checks if names else faults:
            click.echo(source_line(check, style()))
        click.echo(f"{counted(len(checks), 'source')} checked, {len(faults)} no longer as recorded")
    if faults:
        raise click.exceptions.Exit(1)

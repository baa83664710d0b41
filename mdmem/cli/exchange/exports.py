"""The group `export`: memories as other systems have them."""

from __future__ import annotations

import os
from typing import Any

import click

from mdmem.cli.filtering import filter_options, filters_of
from mdmem.cli.options import (
    FullHelpGroup,
    clearance_options,
    echo_raw,
    end_with,
    is_limit_asked,
    now,
    opened,
    progress,
    tell,
    vault_option,
)
from mdmem.errors import UsageError
from mdmem.text.plural import counted


@click.group("export", cls=FullHelpGroup)
def export_command() -> None:
    """Write the memories as another system has them.

    \b
    Examples:
      mdmem export membrane -o records.json
      mdmem export rum works.sqlite
    """


@export_command.command("membrane")
@click.option("-o", "--output", metavar="FILE", help="Write to this file. Default: standard output.")
@click.option("--lines", is_flag=True, help="JSON Lines, one record a line. Default: one JSON array.")
@filter_options
@clearance_options
@vault_option
def export_membrane(output: str | None, lines: bool, vault: str | None, **options: Any) -> None:
    """Write every memory as a MemoryRecord of Membrane, schema-complete and oldest first.

    Salience is as it was last written, with the moment from which it decays. A note that is not a valid record is
    left out and reported; `mdmem record check` says the same. Records above `low` are left out unless
    --max-sensitivity allows them.

    \b
    Examples:
      mdmem export membrane -o records.json
      mdmem export membrane --type semantic --lines | head
    """
    from mdmem.recall import selection
    from mdmem.systems.membrane import exporting

    with opened(vault) as found:
        seen = found if is_limit_asked() else found.for_derived("export")
        conditions = selection.understood(seen.index, filters_of(options), now())
        wanted = {record.path for record in selection.listing(seen.index, conditions)}
        with progress("reading records") as report:
            done = exporting.records(seen, lambda note: note.path in wanted, report)
        left_out = found.index.count() - seen.index.count()
    if left_out:
        tell(f"left out {counted(left_out, 'memory')} above '{seen.clearance.limit}'; see --max-sensitivity")
    text = "".join(f"{row}\n" for row in exporting.as_text(done.records, lines))
    if output:
        _save(output, text)
        tell(f"{counted(len(done.records), 'record')} in {output}")
    else:
        echo_raw(text, nl=False)
    end_with(done.problems, as_json=False)


@export_command.command("rum")
@click.argument("output")
@clearance_options
@vault_option
def export_rum(output: str, vault: str | None) -> None:
    """Write works, chapters, wisdom and agents as RUM's SQLite database, or as JSON.

    OUTPUT is a file: one whose name ends in .json is JSON, any other a database; "-" is JSON on standard output. A
    file that is there is replaced. Works have an embedding where the vault recalls by meaning. A note that is not
    valid is left out and reported, as is a link to what is not exported. What is above `low` is left out unless
    --max-sensitivity allows it.

    \b
    Examples:
      mdmem export rum works.sqlite
      mdmem export rum - | jq '.memories | length'
    """
    from mdmem.systems.rum.exchange import exporting

    with opened(vault) as found:
        with progress("reading works") as report:
            seen = found if is_limit_asked() else found.for_derived("export")
            done = exporting.exported(seen, report)
        if output == "-":
            echo_raw(exporting.as_text_of(done.document))
        elif output.endswith(".json"):
            _save(output, exporting.as_text_of(done.document) + "\n")
        else:
            exporting.write(found, output, done.document)
    if output != "-":
        counts = counted(len(done.document.memories), "work"), counted(len(done.document.chapters), "chapter")
        tell(f"{', '.join(counts)}, {len(done.document.wisdom)} wisdom in {output}")
    end_with(done.problems, as_json=False)


def _save(output: str, text: str) -> None:
    """Put a text in a file, as a whole or not at all."""
    beside = f"{output}.part"
    try:
        with open(beside, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(beside, output)
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror}", "name another file with -o") from None

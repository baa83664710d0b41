"""The group `export`: memories as other systems have them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from mdmem.cli.direct.optionvalues import filters_of
from mdmem.cli.filtering import filter_options
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

if TYPE_CHECKING:
    from mdmem.importers.exports import ExportedFiles
    from mdmem.vault.vault import Vault


@click.group("export", cls=FullHelpGroup)
def export_command() -> None:
    """Write the memories as another system has them.

    \b
    Examples:
      mdmem export membrane -o records.json
      mdmem export rum works.sqlite
      mdmem export markdown ../notes
      mdmem export server-memory ../graph
    """


@export_command.command("markdown")
@click.argument("folder", type=click.Path(file_okay=False))
@filter_options
@clearance_options
@vault_option
def export_markdown(folder: str, vault: str | None, **options: Any) -> None:
    """Write every memory as a Markdown file into FOLDER, which must be new or empty.

    The files lie and link to each other as in the vault, each with frontmatter and its id, title and dates: any
    program that reads Markdown can take over. What is above `low` is left out, and its names are taken out of the
    other texts, unless --max-sensitivity allows it.

    \b
    Examples:
      mdmem export markdown ../notes
      mdmem export markdown ../decisions --type decision
    """
    from mdmem.importers import exports

    _export_folder(exports.markdown, folder, vault, options)


@export_command.command("server-memory")
@click.argument("folder", type=click.Path(file_okay=False))
@filter_options
@clearance_options
@vault_option
def export_server_memory(folder: str, vault: str | None, **options: Any) -> None:
    """Write every memory as an entity into memory.jsonl in FOLDER, which must be new or empty.

    It is the file of the MCP server `memory`: items or paragraphs of a text are the observations, links are
    relations. What is above `low` is left out unless --max-sensitivity allows it.

    \b
    Examples:
      mdmem export server-memory ../graph
      MEMORY_FILE_PATH=../graph/memory.jsonl npx @modelcontextprotocol/server-memory
    """
    from mdmem.importers import exports

    _export_folder(exports.graph, folder, vault, options)


def _export_folder(export: Callable[..., ExportedFiles], folder: str, vault: str | None, options: Any) -> None:
    from mdmem.importers import exports
    from mdmem.recall import selection

    with opened(vault) as found:
        seen = found if is_limit_asked() else found.for_derived("export")
        conditions = selection.understood(seen.index, filters_of(options), now())
        wanted = sorted(selection.listing(seen.index, conditions), key=lambda record: record.path)
        with progress("reading memories") as report:
            done = export(seen, wanted, report)
        exports.save(done, folder)
        _tell_left_out(found, seen)
    tell(f"{counted(len(wanted), 'memory')} in {folder}")
    end_with(done.problems, as_json=False)


def _tell_left_out(found: Vault, seen: Vault) -> None:
    left_out = found.index.count() - seen.index.count()
    if left_out:
        tell(f"left out {counted(left_out, 'memory')} above '{seen.clearance.limit}'; see --max-sensitivity")


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
        _tell_left_out(found, seen)
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
    """Write a text to a file, all of it or nothing."""
    beside = f"{output}.part"
    try:
        with open(beside, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(beside, output)
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror}", "name another file with -o") from None

"""The command `export`: memories as other systems have them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from mdmem.cli.making import filter_options, selected
from mdmem.cli.options import (
    echo_raw,
    end_with,
    is_limit_asked,
    line,
    now,
    opened,
    progress,
    tell,
    writer,
)
from mdmem.cli.shared import command
from mdmem.errors import UsageError
from mdmem.note.plural import counted

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault
    from mdmem.systems.importers.exports import ExportedFiles


FORMATS = ("markdown", "membrane", "rum", "server-memory")
AGENT_FILES = ("claude-memory", "codex", "agents-md", "cursor-rules", "gemini", "copilot")  # as session has them


@command("export", json=False)
@click.argument("format", type=click.Choice((*FORMATS, *AGENT_FILES)), metavar="FORMAT")
@click.argument("target", required=False, default="")
@click.option("-o", "--output", "target_option", metavar="FILE", help="The same as TARGET.")
@click.option("--lines", is_flag=True, help="Of membrane: JSON Lines, one record a line. Default: a JSON array.")
@click.option("--follow", is_flag=True, help="Of a file for agents: keep it current after each write from now on.")
@filter_options
def export_command(format: str, target: str, vault: str | None, **options: Any) -> None:
    """Write the memories as another system has them.

    What is above `low` is left out, and its names are taken out of the other texts, unless --max-sensitivity
    allows it. A note that is not valid in the format is left out and reported.

    \b
    markdown       every memory as a file with frontmatter in the folder TARGET, which must be new or empty;
                   they lie and link to each other as in the vault
    server-memory  memory.jsonl of the MCP server `memory` in the folder TARGET, each memory an entity
    membrane       every memory as a MemoryRecord, oldest first, in the file TARGET or on standard output;
                   salience is as it was last written, with the moment from which it decays
    rum            works, chapters, wisdom and agents in the file TARGET: JSON if its name ends in .json, else
                   RUM's SQLite database; "-" is JSON on standard output. A file that is there is replaced

    A file that an agent reads by itself gets the memories that matter to everybody and to the project: preferences
    and decisions first, each with its source, as much as its client reads. They stand between marks; other lines
    stay. Without TARGET it is where the client looks for it:

    \b
    claude-memory  MEMORY.md of the project in ~/.claude/projects, at most 200 lines and 25,000 bytes
    codex          ~/.codex/AGENTS.md, at most 32,768 bytes
    agents-md      AGENTS.md of the project, the same
    cursor-rules   .cursor/rules/memories.mdc of the project, at most 500 lines
    gemini         GEMINI.md of the project
    copilot        .github/copilot-instructions.md of the project, at most 4,000 characters

    \b
    Examples:
      mdmem export claude-memory --follow
      mdmem export markdown ../decisions --type decision
      mdmem export server-memory ../graph
      mdmem export membrane records.json
      mdmem export membrane --type semantic --lines | head
      mdmem export rum works.sqlite
    """
    target = options.pop("target_option") or target
    if format in AGENT_FILES:
        _export_agent_file(format, target, vault, options["follow"])
        return
    if not target and format != "membrane":
        raise UsageError(f"export {format} needs a target", f"mdmem export {format} PATH")
    if format == "membrane":
        _export_membrane(target, vault, options)
    elif format == "rum":
        _export_rum(target, vault)
    else:
        from mdmem.systems.importers import exports

        export = exports.markdown if format == "markdown" else exports.graph
        _export_folder(export, target, vault, options)


def _export_agent_file(format: str, target: str, vault: str | None, follows: bool) -> None:
    from mdmem.session import agentfiles

    with opened(vault) as found:
        seen = found if is_limit_asked() and not follows else found.for_derived("export")
        who = writer(found)._replace(folder=os.getcwd(), project=line().project(found))
        done = agentfiles.export(seen, format, target, who, follows)
    sizes = [f"{size:,} of {limit:,} {unit}" for unit, (size, limit) in done.sizes.items()]
    left = [f"{counted(done.left_out, 'memory')} left out"] if done.left_out else []
    tell(f"{counted(done.shown, 'memory')} in {done.path} ({', '.join([*sizes, *left])})")


def _export_folder(export: Callable[..., ExportedFiles], folder: str, vault: str | None, options: Any) -> None:
    from mdmem.recall import selection
    from mdmem.systems.importers import exports

    with opened(vault) as found:
        seen = found if is_limit_asked() else found.for_derived("export")
        conditions = selection.understood(seen.index, selected(options).conditions(), now())
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


def _export_membrane(output: str, vault: str | None, options: dict[str, Any]) -> None:
    from mdmem.recall import selection
    from mdmem.systems.membrane import exporting

    with opened(vault) as found:
        seen = found if is_limit_asked() else found.for_derived("export")
        conditions = selection.understood(seen.index, selected(options).conditions(), now())
        wanted = {record.path for record in selection.listing(seen.index, conditions)}
        with progress("reading records") as report:
            done = exporting.records(seen, lambda note: note.path in wanted, report)
        _tell_left_out(found, seen)
    text = "".join(f"{row}\n" for row in exporting.as_text(done.records, options["lines"]))
    if output not in ("", "-"):
        _save(output, text)
        tell(f"{counted(len(done.records), 'record')} in {output}")
    else:
        echo_raw(text, nl=False)
    end_with(done.problems, as_json=False)


def _export_rum(output: str, vault: str | None) -> None:
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
        raise UsageError(f"{output} cannot be written: {error.strerror}", "name another file") from None

"""The commands `import legacy` and `import rlm`."""

from __future__ import annotations

from typing import Any

import click

from mdmem.cli.options import (
    FullHelpGroup,
    caller,
    dry_run_option,
    end_with,
    json_option,
    opened,
    print_json,
    progress,
    vault_option,
    writer,
    writing_options,
)
from mdmem.note.memory import stem
from mdmem.render.json.capture import chunk_import_json, legacy_import_json
from mdmem.systems.legacy import importing as legacy
from mdmem.text.plural import counted


@click.group("import", cls=FullHelpGroup)
def import_command() -> None:
    """Import the memories of another system.

    \b
    Examples:
      mdmem import legacy ../old/brain --dry-run --json
      mdmem import rlm ../old/brain/memory
    """


@import_command.command("legacy")
@click.argument("path", type=click.Path(exists=True, file_okay=False))
@dry_run_option
@writing_options
@vault_option
@json_option
def import_legacy(path: str, dry_run: bool, vault: str | None, as_json: bool, **options: Any) -> None:
    """Copy the notes of an old memory tree into the vault, in one commit.

    PATH is brain/memory/allmemories, or a folder around it. **Created:** and the other fields become
    properties, texts keep their bytes. Names are adapted to the protocol, and links between the notes follow.
    What is already there is skipped: importing again changes nothing. Symbolic links are not followed.

    To work in such a tree without converting it: mdmem init --memories brain/memory/allmemories

    \b
    Examples:
      mdmem import legacy ~/rlm-mem/brain --dry-run
      mdmem import legacy ~/rlm-mem/brain/memory/allmemories
    """
    with opened(vault) as found:
        with progress("reading notes") as report:
            plan = legacy.plan(found, path, report, caller().allow_secret)
        commit = (
            ""
            if dry_run
            else legacy.write(found, plan, writer(found, options["actor"], options["session"]), options["reason"])
        )
    if as_json:
        print_json(legacy_import_json(plan, commit))
    else:
        for item in plan.items:
            if item.renamed:
                click.echo(f"{item.source} -> {stem(item.path)}")
        verb = "would import" if dry_run else "imported"
        known = f", {len(plan.known)} there already" if plan.known else ""
        click.echo(f"{verb} {counted(len(plan.items), 'memory')}{known}" + (f"  ({commit[:8]})" if commit else ""))
    end_with(plan.problems, as_json)


@import_command.command("rlm")
@click.argument("path", type=click.Path(exists=True, file_okay=False))
@dry_run_option
@writing_options
@vault_option
@json_option
def import_rlm(path: str, dry_run: bool, vault: str | None, as_json: bool, **options: Any) -> None:
    """Import the JSON chunks of an RLM-MEM tree: each becomes a memory, archived ones a deleted memory.

    PATH is brain/memory, or a folder around it. Ids, links, tags, confidence and counts are kept; the indexes
    are not needed. Other files are reported and skipped, and so is what is already there: importing again
    changes nothing. One commit adds the chunks, a second one deletes those of the archive, which `mdmem trash`
    then lists.

    \b
    Examples:
      mdmem import rlm ~/rlm-mem/brain/memory --dry-run
      mdmem import rlm ~/rlm-mem --json
    """
    from mdmem.systems.rlm import importing as rlm

    with opened(vault) as found:
        with progress("reading chunks") as report:
            plan = rlm.plan(found, path, report, caller().allow_secret)
        who = writer(found, options["actor"], options["session"])
        commit = "" if dry_run else rlm.write(found, plan, who, options["reason"])
    if as_json:
        print_json(chunk_import_json(plan, commit))
    else:
        verb = "would import" if dry_run else "imported"
        archived = f", {len(plan.archived)} of them archived" if plan.archived else ""
        known = f", {len(plan.known)} there already" if plan.known else ""
        told = f"{verb} {counted(len(plan.items), 'chunk')}{archived}{known}"
        click.echo(told + (f"  ({commit[:8]})" if commit else ""))
    end_with(plan.problems, as_json)

"""Commands that look for damage and repair what is derived: doctor, rebuild."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mdmem.cli.options import (
    end_with,
    json_option,
    opened,
    print_json,
    print_lines,
    progress,
    style,
    vault_option,
)
from mdmem.render.json.layers import rebuilt_json
from mdmem.render.json.notes import problem_json
from mdmem.render.json.upkeep import indexed_json
from mdmem.render.text.layers import rebuilt_line
from mdmem.render.text.notes import grouped_problems
from mdmem.text.plural import counted
from mdmem.upkeep import doctor
from mdmem.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.systems.layers.pages.tree import PagesReport

_FEW = {"error": 20, "warning": 5}  # problems of one kind that doctor prints unless asked for all


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Repair what is derived or local: the index, half-done changes.")
@click.option("--deep", is_flag=True, help="Also have git check its objects.")
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings, too, for continuous integration.")
@click.option("--all", "everything", is_flag=True, help="Print every problem, not the first few of each kind.")
@vault_option
@json_option
def doctor_command(
    fix: bool, deep: bool, strict: bool, everything: bool, vault: str | None, as_json: bool
) -> None:
    """Find what is wrong with a vault, with file, line and fix. Exit code 1 if there are errors.

    --fix never changes notes: those are yours.

    \b
    Examples:
      mdmem doctor
      mdmem doctor --fix --deep
      mdmem doctor --strict
    """
    with opened(vault) as found:
        if fix:
            with progress("reading notes") as report:
                doctor.fix(found, report)
        problems = doctor.examine(found, deep)
    errors = sum(problem.severity == "error" for problem in problems)
    if as_json:
        print_json([problem_json(problem) for problem in problems])
    else:
        most = dict.fromkeys(_FEW, len(problems)) if everything else _FEW
        print_lines(grouped_problems(problems, most, "mdmem doctor --all", style()))
        warnings = counted(len(problems) - errors, "warning")
        click.echo(f"{counted(errors, 'error')}, {warnings}" if problems else "no problems")
    click.get_current_context().exit(1 if errors or (strict and problems) else 0)


@click.command("rebuild")
@click.argument("what", type=click.Choice(("index", "topics", "global", "all")), default="index")
@click.option(
    "-y", "--yes", is_flag=True, help="Even if many memories are missing from the folder but not from git."
)
@vault_option
@json_option
def rebuild_command(what: str, yes: bool, vault: str | None, as_json: bool) -> None:
    """Delete what is derived and rebuild it from the notes and dialogs, which stay as they are.

    \b
    index    the search index (this is what is meant if you name nothing)
    topics   the pages of all topics, of their dialogs, scores and facts, and GLOBAL_MEMORY of them
    global   GLOBAL_MEMORY alone, of the topic_memory.json files as they are
    all      the index, the pages of topics and index/audit.log, the list of all writes

    \b
    Examples:
      mdmem rebuild
      mdmem rebuild topics
      mdmem rebuild all --json
    """
    with opened(vault) as found:
        if what in ("index", "all"):
            with progress("reading notes") as report:
                found.rebuild(report, yes)
        count = found.index.count()
        pages = _rebuilt_pages(found, what)
        if what == "all":
            _rebuild_audit_log(found)
    if as_json:
        indexed = {} if what in ("topics", "global") else indexed_json(count)
        print_json({**indexed, **(rebuilt_json(pages) if pages else {})})
    else:
        if what in ("index", "all"):
            click.echo(f"indexed {counted(count, 'memory')}")
        if pages:
            click.echo(rebuilt_line(pages))
    end_with(pages.problems if pages else (), as_json)


def _rebuild_audit_log(vault: Vault) -> None:
    """The list of writes, made again if it is wanted."""
    from mdmem import registry
    from mdmem.history import audit

    if any(isinstance(tree, audit.AuditLog) for tree in registry.trees(vault)):
        audit.update(vault, full=True)


def _rebuilt_pages(vault: Vault, what: str) -> PagesReport | None:
    """The pages of topics, made again if they are wanted."""
    from mdmem.systems.layers.pages import tree

    if what == "index":
        return None
    if what == "global":
        return tree.update_global(vault)
    with progress("reading topics") as report:
        return tree.update(vault, full=True, progress=report)

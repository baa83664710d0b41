"""Commands that look for damage and repair what is derived: doctor, rebuild."""

from __future__ import annotations

from collections import Counter

import click

from mdmem import render
from mdmem.cli.options import (
    json_option,
    opened,
    print_json,
    progress,
    vault_option,
)
from mdmem.errors import Problem
from mdmem.upkeep import doctor

_FEW = {"error": 20, "warning": 5}  # problems of one kind that doctor prints unless asked for all


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Mend what is derived or local: the index, half-done changes.")
@click.option("--deep", is_flag=True, help="Have git check its objects, too.")
@click.option("--all", "everything", is_flag=True, help="Print every problem, not the first few of each kind.")
@vault_option
@json_option
def doctor_command(fix: bool, deep: bool, everything: bool, vault: str | None, as_json: bool) -> None:
    """Find what is wrong with a vault, with file, line and fix. Exit code 1 if there are errors.

    --fix never touches notes: those are yours.

    \b
    Examples:
      mdmem doctor
      mdmem doctor --fix --deep
    """
    with opened(vault) as found:
        if fix:
            with progress("reading notes") as report:
                doctor.fix(found, report)
        problems = doctor.examine(found, deep)
    errors = sum(problem.severity == "error" for problem in problems)
    if as_json:
        print_json([render.problem_json(problem) for problem in problems])
    else:
        _print_grouped(problems, everything)
        warnings = render.counted(len(problems) - errors, "warning")
        click.echo(f"{render.counted(errors, 'error')}, {warnings}" if problems else "all well")
    click.get_current_context().exit(1 if errors else 0)


def _print_grouped(problems: list[Problem], everything: bool) -> None:
    """Of each kind of problem the first few, and how many more there are."""
    shown: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        shown[problem.severity, problem.code] += 1
        if everything or shown[problem.severity, problem.code] <= _FEW[problem.severity]:
            click.echo(render.problem_lines(problem))
    for (severity, code), count in shown.items():
        hidden = count - _FEW[severity]
        if hidden > 0 and not everything:
            more = render.counted(hidden, f"more {severity}")
            click.echo(f"... and {more} of the kind {code}: mdmem doctor --all")


@click.command("rebuild")
@click.option("-y", "--yes", is_flag=True, help="Also if many memories are gone from the folder but not from git.")
@vault_option
@json_option
def rebuild_command(yes: bool, vault: str | None, as_json: bool) -> None:
    """Throw the index away and fill it anew from the notes. Nothing else is touched.

    \b
    Example:
      mdmem rebuild
    """
    with opened(vault) as found, progress("reading notes") as report:
        found.rebuild(report, yes)
        count = found.index.count()
    if as_json:
        print_json({"memories": count})
    else:
        click.echo(f"indexed {render.counted(count, 'memory')}")

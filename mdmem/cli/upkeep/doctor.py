"""Commands that look for damage and rebuild derived data: doctor, rebuild."""

from __future__ import annotations

import click

from mdmem.acts.json.notes import problem_json
from mdmem.acts.json.upkeep import rebuilt_json
from mdmem.acts.text.notes import grouped_problems
from mdmem.acts.text.upkeep import rebuilt_lines
from mdmem.cli.options import (
    end_with,
    now,
    opened,
    print_json,
    print_lines,
    progress,
    style,
    writer,
)
from mdmem.cli.shared import command
from mdmem.text.plural import counted
from mdmem.upkeep import checkup, doctor
from mdmem.upkeep.rebuilding import INDEX, WHAT, rebuild

_FEW = {"error": 20, "warning": 5}  # problems of one kind printed without --all


@command("doctor")
@click.option(
    "--fix", is_flag=True, help="Repair what is derived or local: index, half-done changes, derived titles."
)
@click.option("--deep", is_flag=True, help="Also have git check its objects.")
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings, too, for continuous integration.")
@click.option("--all", "everything", is_flag=True, help="Print every problem, not the first few of each kind.")
def doctor_command(
    fix: bool, deep: bool, strict: bool, everything: bool, vault: str | None, as_json: bool
) -> None:
    """Find what is wrong with a vault, with file, line and fix. Exit code 1 if there are errors.

    --fix changes no word of yours: of a note it only drops a title that mdmem itself once made of its text.

    \b
    Examples:
      mdmem doctor
      mdmem doctor --fix --deep
      mdmem doctor --strict
    """
    with opened(vault) as found:
        if fix:
            with progress("reading notes") as report:
                doctor.fix(found, writer(found), report)
        problems = doctor.examine(found, deep)
        checkup.keep(found, problems, now())
    errors = sum(problem.severity == "error" for problem in problems)
    if as_json:
        print_json([problem_json(problem) for problem in problems])
    else:
        most = dict.fromkeys(_FEW, len(problems)) if everything else _FEW
        print_lines(grouped_problems(problems, most, "mdmem doctor --all", style()))
        warnings = counted(len(problems) - errors, "warning")
        click.echo(f"{counted(errors, 'error')}, {warnings}" if problems else "no problems")
    click.get_current_context().exit(1 if errors or (strict and problems) else 0)


@command("rebuild")
@click.argument("what", type=click.Choice(WHAT), default=INDEX)
@click.option(
    "-y", "--yes", is_flag=True, help="Even if many memories are missing from the folder but not from git."
)
def rebuild_command(what: str, yes: bool, vault: str | None, as_json: bool) -> None:
    """Delete what is derived and rebuild it from the notes and dialogs, which stay as they are.

    \b
    index    the search index (the default)
    topics   the pages of all topics, of their dialogs, scores and facts, and GLOBAL_MEMORY of them
    global   GLOBAL_MEMORY alone, of the topic_memory.json files as they are
    all      the index, the pages of topics and index/audit.log, the list of all writes

    With `summary = "model"` under [pages] in mdmem.toml, `topics` and `all` ask the model that $MDMEM_LLM names to
    word summaries, each once for as long as its topic says the same.

    \b
    Examples:
      mdmem rebuild
      mdmem rebuild topics
      mdmem rebuild all --json
    """
    with opened(vault) as found, progress("reading") as report:
        done = rebuild(found, what, report, yes)
    if as_json:
        print_json(rebuilt_json(done))
    else:
        print_lines(rebuilt_lines(done))
    end_with(done.problems, as_json)

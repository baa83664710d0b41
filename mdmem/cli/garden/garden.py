"""The group `garden`: it plans, a person decides, and accepted proposals are carried out."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.json.garden import plan_json
from mdmem.acts.text.garden import plan_lines
from mdmem.cli.garden.apply import apply_command
from mdmem.cli.garden.choice import plan_options, settings_of
from mdmem.cli.garden.judging import judging_options, verdicts, widened
from mdmem.cli.garden.review import review_command
from mdmem.cli.options import (
    now,
    opened,
    print_json,
    print_lines,
    progress,
    style,
)
from mdmem.cli.shared import group
from mdmem.errors import UsageError
from mdmem.garden import decisions
from mdmem.garden import plan as garden


@group("garden", invoke_without_command=True)
@plan_options
@judging_options
@click.option("-y", "--yes", is_flag=True, help="With --llm: ask the model without asking you first.")
@click.option("--why", is_flag=True, help="Also show what speaks most for or against each pair of notes.")
@click.option("--diff", "with_diff", is_flag=True, help="Also show the changes line by line.")
def garden_command(vault: str | None, as_json: bool, **options: Any) -> None:
    """Plan what to merge, deprecate, prune and repair, and which conflicts to resolve. Nothing is changed.

    Each proposal says what changes, why (with file and line), how certain that is (0 to 1) and what would be lost.
    Proposals of one plan touch different files, so each can be accepted or left: `review` asks about each,
    `apply` carries out what was accepted or is certain.

    With --llm a model of the llm package (pip install 'mdmem[llm]') reads the notes of each proposal that is not
    certain, and of pairs of notes that are too unlikely to be shown, ten a call as far as --max-calls goes, and
    says with a sentence whether they say the same, one replaces the other, or both hold. You are told the
    number of calls and of tokens first. What it says is shown and nothing more; asking again costs nothing.

    \b
    Examples:
      mdmem garden
      mdmem garden --llm --max-calls 200
      mdmem garden --only twins --diff
      mdmem garden --min-confidence 0.5 --json
    """
    ctx = click.get_current_context()
    if ctx.invoked_subcommand:
        _refuse_options(ctx, ctx.invoked_subcommand)
        return
    with opened(vault) as found:
        settings = widened(settings_of(found, options), options)._replace(explained=options["why"])
        wish = garden.Wish(options["only"], options["topic"])
        with progress("looking at notes") as report:
            decided = decisions.load(found)
            findings = garden.look(found, garden.reaching(settings, wish, decided), now(), wish, report)
        plan = garden.choose(findings, settings.min_confidence, wish, decided)
        if options["llm"]:
            possible = garden.possible(findings, decided)
            said = verdicts(found, (*plan.proposals, *possible), options)
            findings = garden.look(found, settings._replace(judgements=said), now(), wish)
            plan = garden.choose(findings, settings.min_confidence, wish, decided)
    if as_json:
        print_json(plan_json(plan))
    else:
        print_lines(plan_lines(plan, options["with_diff"], style()))


def _refuse_options(ctx: click.Context, command: str) -> None:
    """Raise UsageError for options before the subcommand, which would be ignored."""
    source = ctx.get_parameter_source
    given = [name for name in ctx.params if source(name) is click.core.ParameterSource.COMMANDLINE]
    if given:
        raise UsageError("options must follow the command", f"mdmem garden {command} --help lists them")


garden_command.add_command(review_command)
garden_command.add_command(apply_command)

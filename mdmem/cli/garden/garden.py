"""The group `garden`: it plans, a person decides, and accepted proposals are carried out."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.checks import pasting, queue
from mdmem.acts.checks.queue import CAPTURED, PROPOSAL, Wanted
from mdmem.acts.json.garden import plan_json
from mdmem.acts.text.garden import plan_lines
from mdmem.cli.garden.apply import apply_command
from mdmem.cli.garden.choice import plan_options, settings_of
from mdmem.cli.garden.judging import judging_options, verdicts, widened
from mdmem.cli.options import (
    caller,
    now,
    opened,
    print_json,
    print_lines,
    progress,
    style,
)
from mdmem.cli.shared import group
from mdmem.errors import UsageError
from mdmem.garden import plan as garden
from mdmem.garden.gardeners.proposal import POSSIBLE

_PASTED = 20  # of each kind, as much as a model reads with care


@group("garden", invoke_without_command=True)
@plan_options
@judging_options
@click.option("-y", "--yes", is_flag=True, help="With --llm: ask the model without asking you first.")
@click.option("--why", is_flag=True, help="Also show what speaks most for or against each pair of notes.")
@click.option("--diff", "with_diff", is_flag=True, help="Also show the changes line by line.")
@click.option("--paste", is_flag=True, help="Print what waits as a text for a model without tools.")
def garden_command(vault: str | None, as_json: bool, **options: Any) -> None:
    """Plan what to merge, deprecate, prune and repair, and which conflicts to resolve. Nothing is changed.

    Each proposal says what changes, why (with file and line), how certain that is (0 to 1) and what would be lost.
    Proposals of one plan touch different files, so each can be accepted or left: `mdmem judge` asks about each,
    `apply` carries out what is certain.

    With --llm a model of the llm package (pip install 'mdmem[llm]') reads the notes of each proposal that is not
    certain, and of pairs of notes that are too unlikely to be shown, ten a call as far as --max-calls goes, and
    says with a sentence whether they say the same, one replaces the other, or both hold. You are told the
    number of calls and of tokens first. What it says is shown and nothing more; asking again costs nothing. For a
    model without tools, --paste prints the same as a text; `mdmem candidates import` takes its answer.

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
        if options["paste"]:
            kinds, least = options["only"] or (CAPTURED, PROPOSAL), options["min_confidence"]
            wanted = Wanted(kinds, options["topic"], _PASTED, POSSIBLE if least is None else least, open=True)
            items = queue.waiting(found, caller(), wanted).items
            click.echo(pasting.block(items) if items else "nothing waits")
            return
        settings = widened(settings_of(found, options), options)._replace(explained=options["why"])
        wish = garden.Wish(options["only"], options["topic"])
        with progress("looking at notes") as report:
            findings = garden.look(found, settings, now(), wish, report)
        plan = garden.choose(findings, settings.min_confidence, wish)
        if options["llm"]:
            said = verdicts(found, (*plan.proposals, *garden.possible(findings)), options)
            findings = garden.look(found, settings._replace(judgements=said), now(), wish)
            plan = garden.choose(findings, settings.min_confidence, wish)
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


garden_command.add_command(apply_command)

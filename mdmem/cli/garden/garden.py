"""The commands of the garden: it plans, a person decides, what was decided is carried out."""

from __future__ import annotations

from typing import Any

import click

from mdmem.cli.garden.apply import apply_command
from mdmem.cli.garden.choice import plan_options, settings_of
from mdmem.cli.garden.review import review_command
from mdmem.cli.options import (
    FullHelpGroup,
    json_option,
    now,
    opened,
    print_json,
    print_lines,
    progress,
    style,
    vault_option,
)
from mdmem.errors import UsageError
from mdmem.garden import decisions
from mdmem.garden import plan as garden
from mdmem.render.json.garden import plan_json
from mdmem.render.text.garden import plan_lines


@click.group("garden", cls=FullHelpGroup, invoke_without_command=True)
@plan_options
@click.option("--diff", "with_diff", is_flag=True, help="Also show the changes line by line.")
@vault_option
@json_option
def garden_command(vault: str | None, as_json: bool, **options: Any) -> None:
    """Plan what to merge, deprecate, prune and repair, and which conflicts to resolve. Nothing is changed.

    Each proposal says what changes, why (with file and line), how certain that is (0 to 1) and what would be lost.
    Proposals of one plan touch different files, so each can be accepted or left: `review` asks about each,
    `apply` carries out what was accepted or is certain enough.

    \b
    Examples:
      mdmem garden
      mdmem garden --only twins --diff
      mdmem garden --min-confidence 0.5 --json
    """
    ctx = click.get_current_context()
    if ctx.invoked_subcommand:
        _refuse_options(ctx, ctx.invoked_subcommand)
        return
    with opened(vault) as found, progress("looking at notes") as report:
        settings = settings_of(found, options)
        wish = garden.Wish(options["only"], options["topic"])
        plan = garden.plan_vault(found, settings, now(), wish, report, decisions.load(found))
    if as_json:
        print_json(plan_json(plan))
    else:
        print_lines(plan_lines(plan, options["with_diff"], style()))


def _refuse_options(ctx: click.Context, command: str) -> None:
    """What stands before the subcommand would be passed over. Raises UsageError."""
    source = ctx.get_parameter_source
    given = [name for name in ctx.params if source(name) is click.core.ParameterSource.COMMANDLINE]
    if given:
        raise UsageError("options must follow the command", f"mdmem garden {command} --help lists them")


garden_command.add_command(review_command)
garden_command.add_command(apply_command)

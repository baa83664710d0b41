"""The command `undo`."""

from __future__ import annotations

from typing import Any

import click

from mdmem.cli.completing import complete_session
from mdmem.cli.options import (
    now,
    opened,
    print_json,
    print_lines,
    style,
    writer,
    yes_option,
)
from mdmem.cli.shared import command
from mdmem.errors import UsageError
from mdmem.history import undo
from mdmem.history.selection import UndoRequest
from mdmem.render.json import past as past_json
from mdmem.render.text import past as past_text
from mdmem.text import moments


@command("undo")
@click.option("--last", type=click.IntRange(1), help="The last N writes.")
@click.option("--session", default="", shell_complete=complete_session, help="Everything this session wrote.")
@click.option("--with-children", is_flag=True, help="With --session: what its subagents wrote, too.")
@click.option("--actor", default="", help="Everything this agent or person wrote.")
@click.option("--since", help="Everything since a date or age: 2026-03-01, 2h, 3d.")
@click.option("--run", default="", metavar="ID", help="Everything this run of the gardeners did.")
@click.option("--commit", "commits", multiple=True, metavar="REV", help="This commit; may be repeated.")
@click.option("--dry-run", is_flag=True, help="Show what would be undone; change nothing.")
@click.option("--skip-conflicts", is_flag=True, help="Undo what can be undone, and leave the rest.")
@click.option(
    "--by",
    "by",
    envvar="MDMEM_ACTOR",
    default="",
    help="Who undoes it. Default: as the agent is recognised, else git's user.",
)
@click.option("-m", "--reason", default="", help="Why; goes into the commit.")
@yes_option
def undo_command(vault: str | None, as_json: bool, dry_run: bool, yes: bool, **options: Any) -> None:
    """Take back what a session, an agent or the last hour wrote, in one commit.

    All given conditions must hold. If someone has since edited the same place, the conflict is shown and
    nothing is changed. Undone commits and undos are skipped, so undoing again goes further back;
    --commit with the id of an undo reverts that undo. The creation of the vault and what was there before it are
    left alone unless selected by --commit, and so is an import that only --actor or --since would select.

    \b
    Examples:
      mdmem undo --session conv-42
      mdmem undo --last 1
      mdmem undo --actor claude-code --since 2h --dry-run
    """
    start = moments.since(options["since"], now()) if options["since"] else None
    wanted = UndoRequest(
        *(options["last"] or 0, options["session"], options["actor"], start, options["commits"], options["run"])
    )
    if options["with_children"] and not wanted.session:
        raise UsageError("--with-children needs a session", "give --session ID")
    wanted = wanted._replace(with_children=options["with_children"])
    if wanted == UndoRequest():
        raise UsageError(
            "nothing selected to undo",
            "give --last N, --session ID, --actor NAME, --since 2h, --run ID or --commit REV",
        )
    with opened(vault) as found:
        try:
            if dry_run:
                plan, commit = undo.plan(found, wanted, options["skip_conflicts"]), ""
            else:
                who = writer(found, options["by"])
                plan, commit = undo.undo(found, wanted, who, options["reason"], options["skip_conflicts"], yes)
        except undo.UndoConflictError as error:
            _show_plan(error.plan, "", as_json)
            raise
    _show_plan(plan, commit, as_json)
    if not as_json:
        print_lines(past_text.undo_lines(plan, commit, dry_run, style()))


def _show_plan(plan: undo.UndoPlan, commit: str, as_json: bool) -> None:
    """Print the plan as JSON, or its conflicts for a person."""
    if as_json:
        print_json(past_json.undo_json(plan, commit))
        return
    for conflict in plan.conflicts:
        click.echo(past_text.conflict_lines(conflict, style(err=True)), err=True)

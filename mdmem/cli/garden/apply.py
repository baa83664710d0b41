"""The command `garden apply`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from mdmem.acts.json.garden import branch_json, plan_json, run_json
from mdmem.acts.text.garden import branch_lines, outcome_line, plan_lines
from mdmem.cli.garden.choice import plan_options, settings_of
from mdmem.cli.options import (
    caller,
    now,
    opened,
    print_json,
    print_lines,
    progress,
    report,
    style,
    tell,
    yes_option,
)
from mdmem.cli.shared import command
from mdmem.errors import UsageError
from mdmem.garden import apply
from mdmem.garden import plan as garden
from mdmem.garden.apply import Request, Run, Watch
from mdmem.note.plural import counted
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault


@command("apply", writes=True, short_help="Carry out what was accepted or is certain.")
@click.argument("ids", nargs=-1)
@plan_options
@click.option("--accepted-only", is_flag=True, help="Only what you accepted.")
@click.option("--dry-run", is_flag=True, help="Print what would be applied; change nothing.")
@click.option(
    "--branch",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    help="Put the commits on a new branch instead. Default: mdmem/garden/ and the date.",
)
@yes_option
def apply_command(ids: tuple[str, ...], vault: str | None, as_json: bool, **options: Any) -> None:
    """Carry out what was accepted, or is certain and was not rejected: one commit for each proposal.

    IDS are those of proposals in mdmem garden; only these are applied. A note that was saved after the plan was
    made is left alone and planned again. `mdmem undo --run ID` reverts a whole run, `mdmem undo --commit REV`
    one proposal. The commits are by mdmem-gardener unless --actor says otherwise.

    --branch leaves your files and your branch as they are: the commits go on top of the last commit, on a branch
    that you can inspect, merge, cherry-pick from or delete.

    \b
    Examples:
      mdmem garden apply
      mdmem garden apply --accepted-only
      mdmem garden apply 5f1c9f0e2a4b --dry-run
      mdmem garden apply --branch
    """
    if ids and options["accepted_only"]:
        raise UsageError("--accepted-only cannot be combined with ids of proposals", "leave one of them out")
    with opened(vault) as found:
        request = Request(
            settings_of(found, options),
            garden.Wish(options["only"], options["topic"], frozenset(ids)),
            options["accepted_only"],
            options["reason"],
        )
        if options["dry_run"]:
            _print_dry_run(_planned(found, request), as_json)
            return
        if options["branch"] is not None:
            _apply_on_branch(found, request, options, as_json)
            return
        done = apply_now(found, request, options, as_json)
    report_run(done, as_json)


def apply_now(vault: Vault, request: Request, options: dict[str, Any], as_json: bool) -> Run:
    """Apply the proposals, and report each as it is done; all are, even if nobody reads on."""
    with _watched(as_json) as watch:
        return apply.apply(vault, request, *_signed(options), watch, options["yes"])


def _apply_on_branch(vault: Vault, request: Request, options: dict[str, Any], as_json: bool) -> None:
    """Apply the proposals on a branch, and say how to inspect, merge and delete it."""
    if edited := vault.index.uncommitted():
        tell(f"{counted(len(edited), 'memory')} with uncommitted edits; the branch uses the committed version")
    with _watched(as_json) as watch:
        done = apply.on_branch(
            vault, request, *_signed(options), watch, options["branch"], allow_loss=options["yes"]
        )
    if as_json:
        print_json(branch_json(done))
    elif done.name:
        print_lines(branch_lines(done))
    else:
        report_run(done.run, as_json)


@contextmanager
def _watched(as_json: bool) -> Iterator[Watch]:
    with progress("looking at notes") as planning:
        yield Watch(planning, lambda outcome: None if as_json else report(outcome_line(outcome, style())))


def _signed(options: dict[str, Any]) -> tuple[Caller, str]:
    """Who gardens, and the id of a new run."""
    who = caller(options["actor"] or apply.ACTOR, options["session"])
    return who, apply.run_id(who.now, os.urandom(2).hex())


def _planned(vault: Vault, request: Request) -> garden.GardenPlan:
    with progress("looking at notes") as planning:
        plan = apply.plan(vault, request, now(), planning)
    return plan._replace(proposals=tuple(apply.chosen(plan, request)), problems=())


def _print_dry_run(plan: garden.GardenPlan, as_json: bool) -> None:
    if as_json:
        print_json(plan_json(plan))
        return
    print_lines(plan_lines(plan, style=style()))
    tell(f"would apply {counted(len(plan.proposals), 'proposal')}; nothing was changed")


def report_run(done: Run, as_json: bool) -> None:
    """Print what a run did, and how to undo it."""
    if as_json:
        print_json(run_json(done))
    elif done.applied:
        click.echo(f"{counted(len(done.applied), 'proposal')} applied; mdmem undo --run {done.id} takes it back")
    elif not done.left:
        click.echo("nothing to do")

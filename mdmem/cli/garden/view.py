"""What the garden commands share: options that say what to plan, and plans as lines of text or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mdmem import render
from mdmem.errors import Problem
from mdmem.garden import plan as garden
from mdmem.garden.gardeners.proposal import GardenSettings, Proposal, diff
from mdmem.text.terminal import safe_line
from mdmem.vault.vault import Vault

_FEW = 5  # problems of one kind that are printed

Command = TypeVar("Command", bound=Callable[..., Any])


def plan_options(command: Command) -> Command:
    """What to plan."""
    for option in (
        click.option("--keep-both", type=click.Choice(["contest", "fork"]), help="Keep both sides of a conflict."),
        click.option("--authorise-delete", is_flag=True, help="Delete superseded notes instead of marking them."),
        click.option("--topic", default="", help="Only what touches notes of this topic."),
        click.option(
            "--min-confidence",
            type=click.FloatRange(0, 1),
            help="How sure a proposal must be, 0 to 1. Default: garden.min_confidence in mdmem.toml.",
        ),
        click.option(
            "--only",
            multiple=True,
            type=click.Choice(list(garden.GARDENERS)),
            help="Only this gardener; again for more.",
        ),
    ):
        command = option(command)
    return command


def settings_of(vault: Vault, options: dict[str, Any]) -> GardenSettings:
    """The settings of a vault with what the options say otherwise."""
    settings = garden.settings_of(vault.config)._replace(
        authorise_delete=options["authorise_delete"], keep_both=options["keep_both"] or ""
    )
    if options["min_confidence"] is not None:
        settings = settings._replace(min_confidence=options["min_confidence"])
    return settings


def print_plan(plan: garden.GardenPlan, with_diff: bool) -> None:
    """A plan for a person, by gardener."""
    for name in garden.GARDENERS:
        group = [one for one in plan.proposals if one.gardener == name]
        if group:
            click.secho(f"{name}: {render.counted(len(group), 'proposal')}", bold=True)
        for one in group:
            print_proposal(one, with_diff)
    for code in dict.fromkeys(problem.code for problem in plan.problems):
        _print_problems([problem for problem in plan.problems if problem.code == code])
    if plan.unsure:
        click.echo(f"{render.counted(plan.unsure, 'proposal')} less sure: --min-confidence 0 shows them")
    if plan.rejected:
        click.echo(f"{render.counted(plan.rejected, 'proposal')} rejected: mdmem garden review --reset asks anew")
    if plan.waiting:
        click.echo(f"{render.counted(plan.waiting, 'proposal')} for the same files will come after these")
    if not plan.proposals:
        click.echo("nothing to do")


def print_proposal(one: Proposal, with_diff: bool) -> None:
    """A proposal: its id, how sure it is, what, why, and what would be lost."""
    click.echo(f"  {one.id}  {one.confidence:.2f}  {safe_line(one.title)}")
    for why in one.evidence:
        where = f"{why.path}:{why.line}" if why.line else why.path
        click.echo(f"      why   {safe_line(where)}  {safe_line(why.text)} ({why.score:.2f})")
    click.echo(f"      lost  {safe_line(one.lost or 'nothing')}")
    if with_diff:
        click.echo(render.diff_text(diff(one.edits)))


def _print_problems(problems: list[Problem]) -> None:
    for problem in problems[:_FEW]:
        click.echo(render.problem_lines(problem))
    if len(problems) > _FEW:
        click.echo(f"... and {len(problems) - _FEW} more of the kind {problems[0].code}: --json lists all")


def plan_json(plan: garden.GardenPlan) -> dict[str, Any]:
    """A plan for a program."""
    return {
        "proposals": [proposal_json(one) for one in plan.proposals],
        "problems": [render.problem_json(problem) for problem in plan.problems],
        "unsure": plan.unsure,
        "waiting": plan.waiting,
        "rejected": plan.rejected,
    }


def proposal_json(one: Proposal) -> dict[str, Any]:
    """A proposal for a program."""
    return {
        **{"id": one.id, "gardener": one.gardener, "action": one.action, "title": one.title},
        **{"confidence": one.confidence, "lost": one.lost, "evidence": [why._asdict() for why in one.evidence]},
        "files": [{"path": path, "base": base} for path, base in one.bases.items()],
        "diff": diff(one.edits),
    }

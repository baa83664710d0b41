"""The command that plans the garden."""

from __future__ import annotations

from typing import Any

import click

from mdmem import render
from mdmem.cli.options import json_option, now, opened, print_json, progress, vault_option
from mdmem.core.plain import safe_line
from mdmem.errors import Problem
from mdmem.services import garden
from mdmem.services.gardeners.proposal import Proposal, diff

_FEW = 5  # problems of one kind that are printed


@click.command("garden")
@click.option(
    "--only", multiple=True, type=click.Choice(list(garden.GARDENERS)), help="Only this gardener; again for more."
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    help="How sure a proposal must be, 0 to 1. Default: garden.min_confidence in mdmem.toml.",
)
@click.option("--topic", default="", help="Only what touches notes of this topic.")
@click.option("--diff", "with_diff", is_flag=True, help="Show the changes line by line, too.")
@click.option(
    "--authorise-delete", is_flag=True, help="Propose to delete superseded notes, not only to mark them."
)
@click.option(
    "--keep-both", type=click.Choice(["contest", "fork"]), default=None, help="Keep both sides of a conflict."
)
@vault_option
@json_option
def garden_command(only: tuple[str, ...], vault: str | None, as_json: bool, **options: Any) -> None:
    """Plan what to merge, deprecate, settle, prune and mend. Nothing is changed.

    Each proposal says what changes, why (with file and line), how sure that is (0 to 1) and what would be lost.
    Proposals of one plan touch different files, so that each can be taken or left.

    \b
    Examples:
      mdmem garden
      mdmem garden --only twins --diff
      mdmem garden --min-confidence 0.5 --json
    """
    with opened(vault) as found, progress("looking at notes") as report:
        settings = garden.settings_of(found.config)._replace(
            authorise_delete=options["authorise_delete"], keep_both=options["keep_both"] or ""
        )
        if options["min_confidence"] is not None:
            settings = settings._replace(min_confidence=options["min_confidence"])
        plan = garden.plan_vault(found, settings, now(), garden.Wish(only, options["topic"]), report)
    if as_json:
        print_json(_plan_json(plan))
    else:
        _print(plan, options["with_diff"])


def _print(plan: garden.Plan, with_diff: bool) -> None:
    for name in garden.GARDENERS:
        group = [one for one in plan.proposals if one.gardener == name]
        if group:
            click.secho(f"{name}: {render.counted(len(group), 'proposal')}", bold=True)
        for one in group:
            _print_proposal(one, with_diff)
    for code in dict.fromkeys(problem.code for problem in plan.problems):
        _print_problems([problem for problem in plan.problems if problem.code == code])
    if plan.unsure:
        click.echo(f"{render.counted(plan.unsure, 'proposal')} less sure: --min-confidence 0 shows them")
    if plan.waiting:
        click.echo(f"{render.counted(plan.waiting, 'proposal')} for the same files will come after these")
    if not plan.proposals:
        click.echo("nothing to do")


def _print_proposal(one: Proposal, with_diff: bool) -> None:
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


def _plan_json(plan: garden.Plan) -> dict[str, Any]:
    return {
        "proposals": [_proposal_json(one) for one in plan.proposals],
        "problems": [render.problem_json(problem) for problem in plan.problems],
        "unsure": plan.unsure,
        "waiting": plan.waiting,
    }


def _proposal_json(one: Proposal) -> dict[str, Any]:
    return {
        **{"id": one.id, "gardener": one.gardener, "action": one.action, "title": one.title},
        **{"confidence": one.confidence, "lost": one.lost, "evidence": [why._asdict() for why in one.evidence]},
        "files": [{"path": path, "base": base} for path, base in one.bases.items()],
        "diff": diff(one.edits),
    }

"""Plans and runs of the gardeners as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mdmem.acts.style import Style, plain
from mdmem.acts.text.notes import grouped_problems
from mdmem.acts.text.past import diff_text
from mdmem.garden.gardeners.proposal import diff
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.garden.apply import Branch, Outcome
    from mdmem.garden.gardeners.proposal import Proposal
    from mdmem.garden.plan import GardenPlan

_FEW = {"error": 5, "warning": 5}  # problems of one kind that are shown, by severity


def plan_lines(plan: GardenPlan, with_diff: bool = False, style: Style = plain) -> Iterator[str]:
    """A plan, its problems, and how many proposals it leaves out."""
    if plan.proposals:
        yield style(_heading(plan), "bold")
    for proposal in plan.proposals:
        yield from proposal_lines(proposal)
        if with_diff:
            yield diff_text(diff(proposal.edits), style)
    yield from grouped_problems(plan.problems, _FEW, "--json lists all", style)
    if plan.unsure:
        yield f"{counted(plan.unsure, 'proposal')} less certain: --min-confidence 0 shows them"
    if plan.rejected:
        yield f"{counted(plan.rejected, 'proposal')} rejected: mdmem judge --all again --kind proposal asks again"
    for rule, count in plan.withheld.items():
        yield f"{counted(count, 'proposal')} withheld: garden.never in mdmem.toml says {safe_line(rule)!r}"
    if plan.waiting:
        yield f"{counted(plan.waiting, 'proposal')} for the same files will follow after these"
    if not plan.proposals:
        yield "nothing to do"


def _heading(plan: GardenPlan) -> str:
    """`3 proposals: 1 by conflicts, 2 by twins`."""
    counts = Counter(proposal.gardener for proposal in plan.proposals)
    return f"{counted(len(plan.proposals), 'proposal')}: " + ", ".join(
        f"{count} by {gardener}" for gardener, count in counts.items()
    )


def proposal_lines(proposal: Proposal) -> Iterator[str]:
    """A proposal: id, confidence, gardener and title, its evidence, what would be lost, and who judged it how."""
    sure = "certain" if proposal.certain else f"{proposal.confidence:.2f}"
    yield f"  {proposal.id}  {sure}  {proposal.gardener}  {safe_line(proposal.title)}"
    for evidence in proposal.evidence:
        where = f"{evidence.path}:{evidence.line}" if evidence.line else evidence.path
        yield f"      why   {safe_line(where)}  {safe_line(evidence.text)} ({evidence.score:.2f})"
    yield f"      lost  {safe_line(proposal.lost or 'nothing')}"
    for name, value, weight in proposal.figures:
        yield f"      {weight:+.2f}  {name} {value:g}"
    if proposal.judged:
        yield f"      said  {safe_line(proposal.judged)}"


def outcome_line(outcome: Outcome, style: Style = plain) -> str:
    """What became of a proposal, and what was lost by it."""
    title = safe_line(outcome.proposal.title)
    if outcome.commit:
        lost = f"\n         lost  {safe_line(outcome.proposal.lost)}" if outcome.proposal.lost else ""
        return f"applied  {title}  ({outcome.commit[:8]}){lost}"
    return f"{style('left', 'yellow')}     {title}: {safe_line(outcome.why)}"


def branch_lines(branch: Branch) -> Iterator[str]:
    """A run on a branch: how to inspect, merge and delete it."""
    yield f"{counted(len(branch.run.applied), 'proposal')} applied on the branch {branch.name}"
    yield f"  look:  git log --patch --reverse {branch.base}..{branch.name}"
    yield f"  take:  git merge {branch.name}   (some: git cherry-pick COMMIT)"
    yield f"  drop:  git branch -D {branch.name}"

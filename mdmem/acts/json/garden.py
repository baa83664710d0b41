"""Plans and runs of the gardeners as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.acts.telling import encode
from mdmem.garden.gardeners.proposal import diff

if TYPE_CHECKING:
    from mdmem.garden.apply import Branch, Run
    from mdmem.garden.gardeners.proposal import Proposal
    from mdmem.garden.plan import GardenPlan


def plan_json(plan: GardenPlan) -> dict[str, Any]:
    """A plan: its proposals, and how many others are `unsure`, `waiting`, `rejected` or `withheld` (by rule)."""
    return {
        "proposals": [proposal_json(proposal) for proposal in plan.proposals],
        "problems": encode(plan.problems),
        "unsure": plan.unsure,
        "waiting": plan.waiting,
        "rejected": plan.rejected,
        "withheld": dict(plan.withheld),
    }


def proposal_json(proposal: Proposal) -> dict[str, Any]:
    """A proposal; `confidence` and scores are 0-1, `base` is the digest that a file must have for it to apply.

    What is `certain` is carried out unasked. `judged` is what an agent, a model or a person said of it, "" if
    nobody did; `notes` are the paths that it asks about, of two the older one first.
    """
    return {
        "id": proposal.id,
        "gardener": proposal.gardener,
        "action": proposal.action,
        "title": proposal.title,
        "confidence": proposal.confidence,
        "lost": proposal.lost,
        "certain": proposal.certain,
        "figures": [dict(zip(("name", "value", "weight"), one, strict=True)) for one in proposal.figures],
        "judged": proposal.judged,
        "notes": list(proposal.pair),
        "evidence": [evidence._asdict() for evidence in proposal.evidence],
        "files": [{"path": path, "base": base} for path, base in proposal.bases.items()],
        "diff": diff(proposal.edits),
    }


def run_json(run: Run) -> dict[str, Any]:
    """A run: the proposals applied, those left alone and why. `rest` counts the proposals that remain."""
    return {
        "run": run.id if run.applied else "",
        "applied": [{**proposal_json(outcome.proposal), "commit": outcome.commit} for outcome in run.applied],
        "left": [{**proposal_json(outcome.proposal), "why": outcome.why} for outcome in run.left],
        "rest": len(run.rest.proposals),
    }


def branch_json(branch: Branch) -> dict[str, Any]:
    """A run whose commits are on a branch of their own."""
    return {**run_json(branch.run), "branch": branch.name, "base": branch.base}

"""Proposals of the gardeners as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.garden.gardeners.proposal import diff

if TYPE_CHECKING:
    from mdmem.garden.gardeners.proposal import Proposal


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

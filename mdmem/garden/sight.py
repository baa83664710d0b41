"""What a reader may see of the gardeners' findings: nothing that involves a concealed memory."""

from __future__ import annotations

from mdmem.garden.gardeners.proposal import Findings, Proposal, diff
from mdmem.store.index.concealment import Concealed
from mdmem.store.vault.vault import Vault


def seen(vault: Vault, found: Findings) -> Findings:
    """The findings without those that change, rest on or name a memory above the reader's clearance."""
    if vault.clearance.is_full:
        return found
    hidden = vault.index.concealed
    return Findings(
        tuple(one for one in found.proposals if _is_shown(one, hidden)),
        tuple(
            problem
            for problem in found.problems
            if problem.path not in hidden.paths and _names_none(hidden, problem.message, problem.fix)
        ),
        tuple(one for one in found.withheld if _is_shown(one.proposal, hidden)),
        tuple(one for one in found.denied if hidden.paths.isdisjoint(one.paths)),
    )


def _is_shown(one: Proposal, hidden: Concealed) -> bool:
    texts = [one.title, one.lost, diff(one.edits), *(why.text for why in one.evidence)]
    return hidden.paths.isdisjoint(one.concerns) and _names_none(hidden, *texts)


def _names_none(hidden: Concealed, *texts: str) -> bool:
    """Whether no text names or links to a hidden memory."""
    return all(hidden.redact(text) == text for text in texts)

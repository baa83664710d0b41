"""Which facts are not to be forgotten: the tier of a fact, and the order of facts within a tier.

A person's score outweighs the extracted confidence: a low score keeps a fact out, however confident the extraction
was. Thresholds are settings (`[pages]`), so that rules can change without rewriting the files that hold facts.
"""

from __future__ import annotations

from mdmem.note.facts import TYPES, Fact
from mdmem.store.config import PagesSection

CORE, SECONDARY = TIERS = ("core", "secondary")
SAID = "said"  # relation of a fact that is a quotation
_MARKS = str.maketrans("", "", "-:TZ")  # separators in a time


def tier_of(fact: Fact, rules: PagesSection) -> str:
    """The tier of a fact: CORE, SECONDARY, or "" if it may be forgotten."""
    if fact.score is not None:
        if fact.score >= rules.core_score:
            return CORE
        return SECONDARY if fact.score >= rules.secondary_score else ""
    if fact.type in rules.core_types and fact.confidence >= rules.core_confidence:
        return CORE
    return SECONDARY if fact.confidence >= rules.secondary_confidence else ""


def is_rejected(fact: Fact, rules: PagesSection) -> bool:
    """Whether a person scored the fact too low for any page."""
    return fact.score is not None and fact.score < rules.secondary_score


def rank(fact: Fact, id: str, tier: str, mentions: int = 1) -> tuple[int, int, int, int, int, float, int, str]:
    """The sort key of a fact not to be forgotten; the smallest key is kept first.

    It sorts by tier, type, score, `mentions` (in how many files it is stated), form (a quotation comes last),
    confidence and time, newest first, then by id, so that no two facts are equal.
    """
    return (
        TIERS.index(tier),
        TYPES.index(fact.type),
        -(fact.score if fact.score is not None else -1),
        -mentions,
        int(fact.relation == SAID),
        -fact.confidence,
        -int(fact.entry_ts.translate(_MARKS) or 0),
        id,
    )

"""Which facts are not to be forgotten: the tier of a fact, and the order of facts in a tier.

What the person says counts for more than what was guessed: a low score keeps a fact out, however sure it is. The
thresholds are settings (`[pages]`), so that the rules can change and the files that hold facts need not.
"""

from __future__ import annotations

from mdmem.config import PagesSection
from mdmem.note.facts import TYPES, Fact

CORE, SECONDARY = TIERS = ("core", "secondary")
_MARKS = str.maketrans("", "", "-:TZ")  # in a time, between its digits


def tier_of(fact: Fact, rules: PagesSection) -> str:
    """CORE, SECONDARY, or "" for a fact that has no place among those not to be forgotten."""
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


def rank(fact: Fact, id: str, tier: str) -> tuple[int, int, int, float, int, str]:
    """What facts not to be forgotten are sorted by, the first to be kept first.

    Tier, type, score, confidence, the newest first, then the id, so that no two facts are equal.
    """
    return (
        TIERS.index(tier),
        TYPES.index(fact.type),
        -(fact.score if fact.score is not None else -1),
        -fact.confidence,
        -_as_number(fact.entry_ts),
        id,
    )


def _as_number(time: str) -> int:
    """A time (RFC 3339 UTC) as a number that grows with it; 0 for none."""
    return int(time.translate(_MARKS) or 0)

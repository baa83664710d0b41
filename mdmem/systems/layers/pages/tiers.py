"""Which facts are not to be forgotten: the tier of a fact.

A person's score outweighs the extracted confidence: a low score keeps a fact out, however confident the extraction
was. Thresholds are settings (`[pages]`), so that rules can change without rewriting the files that hold facts.
"""

from __future__ import annotations

from mdmem.note.facts import Fact
from mdmem.store.config import PagesSection

CORE, SECONDARY = TIERS = ("core", "secondary")


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

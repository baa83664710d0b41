"""Dialogs, facts and topics as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.acts.telling import encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mdmem.errors import Problem
    from mdmem.systems.layers.pages.knownfacts import KnownFact
    from mdmem.systems.layers.pages.tree import PagesReport


def topics_json(report: PagesReport) -> dict[str, Any]:
    """The topics with their states, and the problems met while reading them."""
    return {
        "topics": encode(report.topics),
        "problems": encode(report.problems),
    }


def facts_json(facts: Iterable[KnownFact], total: int, problems: Iterable[Problem]) -> dict[str, Any]:
    """Facts, each with its tier ("" for none) and citation. `total` counts all facts that match, shown or not."""
    return {
        "facts": [fact_json(fact) for fact in facts],
        "total": total,
        "problems": encode(problems),
    }


def fact_json(fact: KnownFact) -> dict[str, Any]:
    """A fact with its tier ("" for none) and citation."""
    from mdmem.systems.layers import documents

    told = documents.told(fact.known._replace(topic=fact.topic), "global_fact")
    return {**told, "tier": fact.tier, "citation": fact.citation}

"""The views of all topics and of one topic's facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.note.facts import HIGHEST_SCORE
from mdmem.page.links import PageLinks
from mdmem.page.views.parts import PartLinks, part_links


class TopicsView(NamedTuple):
    """All topics."""

    title: str
    topics: Sequence[Mapping[str, Any]]
    problems: Sequence[Mapping[str, Any]]


class ShownFact(NamedTuple):
    """A fact: the address of the memory that states it and the fact's score, each "" for none."""

    value: Mapping[str, Any]
    percent: int
    address: str
    score: str


class FactsView(NamedTuple):
    """A part of the facts of a topic. `scores` are the scores that a person can give."""

    title: str
    topic: str
    total: int
    facts: Sequence[ShownFact]
    problems: Sequence[Mapping[str, Any]]
    parts: PartLinks
    scores: range


def view(value: Mapping[str, Any], links: PageLinks) -> TopicsView:
    """The view for a value of `reading.topics.read`."""
    del links
    return TopicsView("Topics", value["topics"], value["problems"])


def view_facts(value: Mapping[str, Any], links: PageLinks) -> FactsView:
    """The view for a value of `reading.topics.read_facts`."""
    topic = value["topic"]
    return FactsView(
        title=topic.replace("_", " ").capitalize(),
        topic=topic,
        total=value["total"],
        facts=[_fact(fact, links) for fact in value["facts"]],
        problems=value["problems"],
        parts=part_links(value, "topic", links, topic),
        scores=range(HIGHEST_SCORE + 1),
    )


def _fact(fact: Mapping[str, Any], links: PageLinks) -> ShownFact:
    score = fact["user_fact_score"]
    return ShownFact(
        value=fact,
        percent=round(100 * fact["confidence"]),
        address=links.to("memory", fact["source"]) if fact["in_memory"] else "",
        score="" if score is None else str(score),
    )

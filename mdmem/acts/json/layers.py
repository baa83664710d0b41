"""Dialogs, facts and topics as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mdmem.acts.telling import encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mdmem.errors import Problem
    from mdmem.systems.layers.ingest import Ingested, IngestReport
    from mdmem.systems.layers.pages.aggregates import GlobalMemory, TopicMemory
    from mdmem.systems.layers.pages.knownfacts import KnownFact
    from mdmem.systems.layers.pages.tree import PagesReport


def ingested_json(done: IngestReport) -> dict[str, Any]:
    """The dialogs that were ingested, and the problems with others."""
    return {
        "entries": [_entry_json(item) for item in done.items],
        "commit": done.commit,
        "problems": encode(done.problems),
    }


def _entry_json(item: Ingested) -> dict[str, Any]:
    return {
        "source": item.source,
        "topic": item.place.topic,
        "entry_id": item.place.entry_id,
        "path": item.place.folder,
        "known": item.known,
        "topic_confidence": item.sureness,
        "new_topic": item.is_new_topic,
        "redactions": [redaction._asdict() for redaction in item.redactions],
    }


def topics_json(report: PagesReport) -> dict[str, Any]:
    """The topics with their states, and the problems met while reading them."""
    return {
        "topics": [{**topic._asdict(), "state": topic.state.to_dict()} for topic in report.topics],
        "problems": encode(report.problems),
    }


def topic_memory_json(memory: TopicMemory) -> Any:
    """The memory of a topic, as in topic_memory.json."""
    return json.loads(memory.to_bytes())


def global_memory_json(memory: GlobalMemory) -> Any:
    """The memory of all topics, as in GLOBAL_MEMORY.json."""
    return json.loads(memory.to_bytes())


def facts_json(facts: Iterable[KnownFact], total: int, problems: Iterable[Problem]) -> dict[str, Any]:
    """Facts, each with its tier ("" for none) and citation. `total` counts all facts that match, shown or not."""
    return {
        "facts": [fact_json(fact) for fact in facts],
        "total": total,
        "problems": encode(problems),
    }


def fact_json(fact: KnownFact) -> dict[str, Any]:
    """A fact with its tier ("" for none) and citation."""
    told = fact.known._replace(topic=fact.topic).to_dict()
    return {**told, "tier": fact.tier, "citation": fact.citation}

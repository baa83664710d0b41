"""Dialogs, facts and topics as lines for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mdmem.acts.style import Style
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.systems.layers.ingest import Ingested, IngestReport
    from mdmem.systems.layers.pages.aggregates import ActiveTopic
    from mdmem.systems.layers.pages.knownfacts import KnownFact
    from mdmem.systems.layers.pages.tree import PagesReport

_SHOWN = 20  # entries of one ingest that are listed


def ingested_lines(done: IngestReport, style: Style) -> Iterator[str]:
    """What was ingested: a line per entry, then the count."""
    for item in done.items[:_SHOWN]:
        yield _entry_line(item, style)
    if len(done.items) > _SHOWN:
        yield f"... and {len(done.items) - _SHOWN} more"
    new = sum(not item.known for item in done.items)
    known = len(done.items) - new
    told = f"ingested {counted(new, 'dialog')}" if new else "nothing new"
    yield told + (f", {known} there already" if known else "") + (f"  ({done.commit[:8]})" if done.commit else "")


def _entry_line(item: Ingested, style: Style) -> str:
    where = style(safe_line(item.place.folder), "bold")
    if item.known:
        return f"{safe_line(item.source)}: {where} holds it already"
    remarks = []
    if item.sureness is not None:
        remarks.append(f"{'new topic' if item.is_new_topic else 'topic'} chosen with confidence {item.sureness}")
    if item.redactions:
        remarks.append(f"{counted(len(item.redactions), 'secret')} replaced")
    return f"{safe_line(item.source)} -> {where}" + (f"  ({'; '.join(remarks)})" if remarks else "")


def topics_lines(report: PagesReport, style: Style) -> Iterator[str]:
    """A line for each topic, the most recently changed first, with its next action below."""
    for topic in sorted(report.topics, key=lambda one: one.updated, reverse=True):
        yield from _topic_lines(topic, style)
    if not report.topics:
        yield "there are no topics yet: mdmem ingest FILE --topic NAME makes one"


def _topic_lines(topic: ActiveTopic, style: Style) -> Iterator[str]:
    counts = f"{counted(topic.entries, 'dialog')}, {counted(topic.facts, 'fact')}"
    yield f"{style(topic.topic, 'bold')}  {topic.updated[:10]}  {counts}"
    yield from (f"  next: {safe_line(action)}" for action in topic.state.next_actions[:1])


def facts_lines(facts: Sequence[KnownFact], total: int, style: Style) -> Iterator[str]:
    """The facts, each with its source, grouped under their topics."""
    topic = ""
    for fact in facts:
        if fact.topic != topic:
            topic = fact.topic
            yield style(topic, "bold")
        yield from (f"  {line}" for line in fact_lines(fact, style))
    if total > len(facts):
        yield f"... and {total - len(facts)} more: --limit {total}"
    if not facts:
        yield "no such facts: mdmem ingest FILE --topic NAME extracts some from a dialog"


def fact_lines(fact: KnownFact, style: Style) -> Iterator[str]:
    """A fact: its id and statement, its worth, and the sentence it comes from with its place."""
    stated = fact.known.fact
    told = safe_line(f"{stated.subject} {stated.relation} {stated.object}")
    yield f"{style(fact.known.id, 'yellow')}  {told}"
    score = f"score {stated.score}" if stated.score is not None else "not scored"
    worth = ", ".join(filter(None, (stated.type, stated.time_span, f"{stated.confidence:g}", score, fact.tier)))
    yield f"    {worth}"
    sentence = f'"{safe_line(stated.sentence)}"  ' if stated.sentence else ""
    yield f"    {sentence}{fact.citation}"

"""Builds the global memory (see `documents.GlobalMemory`) from topic memories only. Pure.

Each topic memory is first reduced to a digest: its state, and the facts that could get onto the page. A topic is
active if its last source is not much older than the newest source of any topic. The days are counted from that
source, not from today, so that the page changes only when the memories do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import NamedTuple

from mdmem.note import moments
from mdmem.store.config import PagesSection
from mdmem.systems.layers.documents import (
    CORE,
    SECONDARY,
    ActiveTopic,
    FactGroup,
    GlobalMemory,
    QuietTopic,
    TopicFact,
    TopicMemory,
    TopicState,
)
from mdmem.systems.layers.pages.topic import fulfilled, rank, retired, tier_of

_SHOWN = 3  # questions, actions and bounds of each topic


class TopicDigest(NamedTuple):
    """The part of a topic memory that the global memory needs: its state, and each fact that may get onto it."""

    active: ActiveTopic
    candidates: tuple[TopicFact, ...]


def digest(topic: TopicMemory, rules: PagesSection) -> TopicDigest:
    """The digest of a topic memory: all scored facts, and as many of the others as the page could hold.

    What was retired, and commitments that were kept, are left out unless a person scored them.
    """
    kept = fulfilled([known.fact for known in topic.facts])
    over = retired(topic.facts)
    room = Counter[tuple[str, str]]()
    candidates = []
    for known in topic.facts:
        is_scored = known.fact.score is not None
        if known.id in over or (known.fact in kept and not is_scored):
            continue
        tier = tier_of(known.fact, rules)
        room[tier, known.fact.type] += 1
        if is_scored or room[tier, known.fact.type] <= _per_type(tier, rules):
            candidates.append(known._replace(topic=topic.topic))
    return TopicDigest(_snapshot(topic), tuple(candidates))


def _per_type(tier: str, rules: PagesSection) -> int:
    return {CORE: rules.core_per_type, SECONDARY: rules.secondary_per_type}.get(tier, 0)


def build(topics: Iterable[TopicDigest], rules: PagesSection) -> GlobalMemory:
    """The global memory of these topics."""
    named = sorted(topics, key=lambda one: one.active.topic)
    digests = sorted(named, key=lambda one: one.active.updated, reverse=True)
    newest = [one.active for one in digests]
    active = [topic for topic in newest if _is_active(topic, newest[0].updated, rules)][: rules.active_topics]
    others = [QuietTopic(topic.topic, topic.updated) for topic in newest if topic not in active]
    return GlobalMemory(
        updated=newest[0].updated if newest else "",
        do_not_forget=tuple(_not_to_forget(digests, rules)),
        active_topics=tuple(active),
        quiet_topics=tuple(others[: rules.quiet_topics]),
        more_topics=max(len(others) - rules.quiet_topics, 0),
    )


def _is_active(topic: ActiveTopic, newest: str, rules: PagesSection) -> bool:
    last, now = moments.parse(topic.updated), moments.parse(newest)
    return last is not None and now is not None and now - last <= timedelta(days=rules.active_days)


def _snapshot(topic: TopicMemory) -> ActiveTopic:
    summary, *lists = topic.state
    shown = TopicState(summary, *(items[:_SHOWN] for items in lists))
    return ActiveTopic(topic.topic, topic.updated, topic.entries, len(topic.facts), shown)


def _not_to_forget(topics: Sequence[TopicDigest], rules: PagesSection) -> Iterable[FactGroup]:
    """The facts not to be forgotten, by tier and type, up to the limits of the settings."""
    kept: dict[tuple[str, str], list[TopicFact]] = {}
    room = {CORE: rules.core_total, SECONDARY: rules.secondary_total}
    for known in _ranked(topics, rules):
        tier = tier_of(known.fact, rules)
        group = kept.setdefault((tier, known.fact.type), [])
        if room[tier] and len(group) < _per_type(tier, rules):
            room[tier] -= 1
            group.append(known)
    return [FactGroup(tier, type, tuple(facts)) for (tier, type), facts in kept.items() if facts]


def _ranked(topics: Sequence[TopicDigest], rules: PagesSection) -> list[TopicFact]:
    """Every fact that has a tier and was not retired, in the order in which they are kept, each once.

    It is from a topic in which a person scored it, else from the topic that changed last.
    """
    distinct: dict[str, TopicFact] = {}
    for known in (known for topic in topics for known in topic.candidates):
        other = distinct.setdefault(known.id, known)
        if other.fact.score is None and known.fact.score is not None:
            distinct[known.id] = known
    standing = [known for known in distinct.values() if tier_of(known.fact, rules)]
    over = retired(standing)
    return sorted((known for known in standing if known.id not in over), key=lambda known: rank(known, rules))

"""Builds the global memory (see `aggregates.GlobalMemory`) from topic memories only. Pure.

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
from mdmem.systems.layers.pages import retiring, threads, tiers
from mdmem.systems.layers.pages.aggregates import (
    ActiveTopic,
    FactGroup,
    GlobalMemory,
    QuietTopic,
    TopicFact,
    TopicMemory,
)

_SHOWN = 3  # questions, actions and bounds of each topic


class TopicDigest(NamedTuple):
    """The part of a topic memory that the global memory needs: its state, and (tier, fact) of each candidate."""

    active: ActiveTopic
    candidates: tuple[tuple[str, TopicFact], ...]

    @property
    def topic(self) -> str:
        return self.active.topic

    @property
    def updated(self) -> str:
        return self.active.updated


def digest(topic: TopicMemory, rules: PagesSection) -> TopicDigest:
    """The digest of a topic memory: all scored facts, and as many of the others as the page could hold.

    What was retired, and commitments that were kept, are left out unless a person scored them.
    """
    kept = threads.fulfilled([known.fact for known in topic.facts])
    over = retiring.retired(topic.facts)
    room = Counter[tuple[str, str]]()
    candidates = []
    for known in topic.facts:
        if known.id in over or (known.fact in kept and known.fact.score is None):
            continue
        tier = tiers.tier_of(known.fact, rules)
        room[tier, known.fact.type] += 1
        if known.fact.score is not None or room[tier, known.fact.type] <= _per_type(tier, rules):
            candidates.append((tier, known._replace(topic=topic.topic)))
    return TopicDigest(_snapshot(topic), tuple(candidates))


def _per_type(tier: str, rules: PagesSection) -> int:
    return {tiers.CORE: rules.core_per_type, tiers.SECONDARY: rules.secondary_per_type}.get(tier, 0)


def build(topics: Iterable[TopicDigest], rules: PagesSection) -> GlobalMemory:
    """The global memory of these topics."""
    newest = sorted(topics, key=lambda topic: topic.topic)
    newest.sort(key=lambda topic: topic.updated, reverse=True)
    active = [topic for topic in newest if _is_active(topic, newest[0].updated, rules)][: rules.active_topics]
    names = {topic.topic for topic in active}
    others = [topic for topic in newest if topic.topic not in names]
    return GlobalMemory(
        updated=newest[0].updated if newest else "",
        do_not_forget=tuple(_not_to_forget(newest, rules)),
        active_topics=tuple(topic.active for topic in active),
        quiet_topics=tuple(QuietTopic(one.topic, one.updated) for one in others[: rules.quiet_topics]),
        more_topics=max(len(others) - rules.quiet_topics, 0),
    )


def _is_active(topic: TopicDigest, newest: str, rules: PagesSection) -> bool:
    last, now = moments.parse(topic.updated), moments.parse(newest)
    return last is not None and now is not None and now - last <= timedelta(days=rules.active_days)


def _snapshot(topic: TopicMemory) -> ActiveTopic:
    state = topic.state
    shown = state._replace(
        bounds=state.bounds[:_SHOWN],
        open_questions=state.open_questions[:_SHOWN],
        next_actions=state.next_actions[:_SHOWN],
    )
    return ActiveTopic(topic.topic, topic.updated, topic.entries, len(topic.facts), shown)


def _not_to_forget(topics: Sequence[TopicDigest], rules: PagesSection) -> Iterable[FactGroup]:
    """The facts not to be forgotten, by tier and type, up to the limits of the settings."""
    kept: dict[tuple[str, str], list[TopicFact]] = {}
    room = {tiers.CORE: rules.core_total, tiers.SECONDARY: rules.secondary_total}
    for tier, known in _ranked(topics):
        group = kept.setdefault((tier, known.fact.type), [])
        if room[tier] and len(group) < _per_type(tier, rules):
            room[tier] -= 1
            group.append(known)
    return [FactGroup(tier, type, tuple(facts)) for (tier, type), facts in kept.items() if facts]


def _ranked(topics: Sequence[TopicDigest]) -> list[tuple[str, TopicFact]]:
    """(tier, fact) of every fact that has a tier and was not retired, in the order in which they are kept."""
    distinct = [(tier, known) for tier, known in _distinct(topics) if tier]
    over = retiring.retired([known for _, known in distinct])
    ranked = [
        (tiers.rank(known.fact, known.id, tier, known.mentions), tier, known)
        for tier, known in distinct
        if known.id not in over
    ]
    return [(tier, known) for _, tier, known in sorted(ranked, key=lambda item: item[0])]


def _distinct(topics: Sequence[TopicDigest]) -> Iterable[tuple[str, TopicFact]]:
    """Each fact once: from a topic in which a person scored it, else from the topic that changed last."""
    kept: dict[str, tuple[str, TopicFact]] = {}
    for topic in topics:
        for tier, known in topic.candidates:
            other = kept.get(known.id)
            if other is None or (other[1].fact.score is None and known.fact.score is not None):
                kept[known.id] = tier, known
    return kept.values()

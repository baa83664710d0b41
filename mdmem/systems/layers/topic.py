"""Builds a topic's memory from its entries, and the global memory from those of all topics. Pure and linear.

A fact's tier says whether it is not to be forgotten. A person's score outweighs the extracted confidence: a low
score keeps a fact out, however confident the extraction was. Thresholds are settings (`[pages]`), so that rules
can change without rewriting the files that hold facts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cache
from itertools import islice
from typing import NamedTuple

from mdmem.language import likeness
from mdmem.note import moments, sentences, tokens, tsv
from mdmem.note.facts import TYPES, Fact, fact_id
from mdmem.note.terminal import safe_line
from mdmem.store.config import PagesSection
from mdmem.systems.layers.documents import (
    CORE,
    SECONDARY,
    ActiveTopic,
    EntrySummary,
    FactGroup,
    GlobalMemory,
    QuietTopic,
    TopicFact,
    TopicMemory,
    TopicState,
)


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


# -- what no longer holds ------------------------------------------------------------------------------------
#
# A state that has one value at a time (where somebody lives, what they are called) is retired by a newer one, and
# by an event that changes it: "moved to" ends "lives in". A preference is retired by its opposite about the same
# thing: "hates tea" ends "loves tea". What a person scored is never retired.

_TASTES = ("like", "dislike")  # kinds of relations that tell no state
_SAME = 0.6  # share of the words of the shorter object that the other one has


@cache
def _kinds() -> Mapping[str, str]:
    """Relation -> the state that it is about or changes, or what kind of taste it tells."""
    return dict(tsv.rows(__file__, "relations.tsv", 2))


def retired(facts: Iterable[TopicFact]) -> frozenset[str]:
    """The ids of the facts that a later one among them ended."""
    newest: dict[tuple[str, str], TopicFact] = {}
    tastes: dict[str, list[TopicFact]] = {}
    over: set[str] = set()
    listed = sorted(facts, key=lambda known: (known.fact.entry_ts, known.id))
    for known in listed:
        subject, relation = _folded(known.fact.subject), _folded(known.fact.relation)
        kind = _kinds().get(relation, relation if relation.startswith("has as favo") else "")
        if kind in _TASTES:
            told = tastes.setdefault(subject, [])
            over |= {one.id for one in told if _reverses(known, one)}
            told.append(known)
        elif kind:
            before = newest.get((subject, kind))
            if before and _value(before) != _value(known):
                over.add(before.id)
            newest[subject, kind] = known
    return frozenset(over - {known.id for known in listed if known.fact.score is not None})


def _reverses(later: TopicFact, earlier: TopicFact) -> bool:
    """Whether one preference is the opposite of another, or the same comparison turned round."""
    one, other = _folded(later.fact.relation), _folded(earlier.fact.relation)
    about, before = _object_roots(later), _object_roots(earlier)
    if _kinds()[one] != _kinds()[other]:
        return bool(about and before) and len(about & before) >= _SAME * min(len(about), len(before))
    return likeness.swapped(later.fact.object, earlier.fact.object, directed=True)


def _object_roots(known: TopicFact) -> frozenset[str]:
    return likeness.telling_roots(known.fact.object)


def _value(known: TopicFact) -> str:
    return _folded(known.fact.object).removeprefix("to ")


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


# -- what is still open --------------------------------------------------------------------------------------
#
# A later entry closes a question if one of its facts about the present or the past has most of the question's
# words, and an action if one of its past or present events does. What is repeated counts from its last mention.
# Only the last entries are looked at: what nobody has come back to for that long is not open but forgotten.

_ENOUGH = 0.6  # share of an item's words that the fact which closes it has
_LEAST = 2  # words that they share, at least
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")  # a report of a deed rarely repeats the day that was promised
_AHEAD = "future"  # time span of facts about the future


def still_open(newest: Sequence[EntrySummary], most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The questions and actions that entries, newest first, leave open, most recent first; at most `most` each."""
    answers: list[frozenset[str]] = []  # words of each fact in the entries seen so far, which are newer
    deeds: list[frozenset[str]] = []
    questions: dict[frozenset[str], str] = {}
    actions: dict[frozenset[str], str] = {}
    for entry in newest:
        _add(questions, entry.open_questions, answers)
        _add(actions, entry.next_actions, deeds)
        for fact in entry.facts:
            if fact.time_span != _AHEAD:
                told = _fact_roots(fact)
                answers.append(told)
                deeds += [told] if fact.type == "event" else []
    return tuple(questions.values())[:most], tuple(actions.values())[:most]


def fulfilled(facts: Sequence[Fact]) -> frozenset[Fact]:
    """The commitments among `facts` that were kept, according to a later event."""
    events = (fact for fact in facts if fact.type == "event" and fact.time_span != _AHEAD)
    deeds = [(event.entry_ts, _fact_roots(event)) for event in events]
    return frozenset(fact for fact in facts if fact.type == "commitment" and _is_kept(fact, deeds))


def _is_kept(commitment: Fact, deeds: Iterable[tuple[str, frozenset[str]]]) -> bool:
    words = likeness.telling_roots(_DATE.sub("", f"{commitment.relation} {commitment.object}"))
    return any(when > commitment.entry_ts and _closes(told, words) for when, told in deeds)


def _fact_roots(fact: Fact) -> frozenset[str]:
    return likeness.telling_roots(f"{fact.subject} {fact.relation} {fact.object} {fact.sentence}")


def _add(known: dict[frozenset[str], str], texts: Iterable[str], closing: Iterable[frozenset[str]]) -> None:
    for text in texts:
        words = likeness.telling_roots(text)
        if text.strip() and words not in known and not any(_closes(told, words) for told in closing):
            known[words] = text


def _closes(told: frozenset[str], words: frozenset[str]) -> bool:
    common = len(told & words)
    return common >= min(_LEAST, len(words)) and common >= _ENOUGH * len(words) and bool(words)


# -- the memory ----------------------------------------------------------------------------------------------

_SUMMARY_TOKENS, _LINE_TOKENS = 90, 40  # longest state.summary; any other line
_MOST = 7  # questions, actions or bounds
_LATEST = 10  # entries that are listed
_ECHOES = 50  # files that have a word, in which a fact is looked for that speaks of the same
_SAID = "said"  # relation of a fact that is a quotation
_MARKS = str.maketrans("", "", "-:TZ")  # separators in a time
_FIRST = 3  # facts that make the summary of a topic without dialogs


class Sourced(NamedTuple):
    """A fact and the path of the file that states it."""

    fact: Fact
    source: str


class TopicSources(NamedTuple):
    """All sources of a topic memory.

    `entries` are the summaries in its folder, `noted` the facts of memories that name the topic. `scores` maps
    fact ids to the scores (0-10) that a person gave.
    """

    topic: str
    folder: str  # of the entries, as a path in the vault
    entries: Sequence[EntrySummary]
    noted: Sequence[Sourced] = ()
    scores: Mapping[str, int] = {}


def build(sources: TopicSources, rules: PagesSection) -> TopicMemory:
    """Build the memory of a topic, by rule alone."""
    newest = sorted(sources.entries, key=lambda entry: (entry.entry_ts, entry.entry_id), reverse=True)
    facts = _merged(sources, rules)
    stated = [sourced.fact.entry_ts for sourced in sources.noted]
    times = sorted(filter(None, [*(entry.entry_ts for entry in newest), *stated]))
    return TopicMemory(
        topic=sources.topic,
        since=times[0] if times else "",
        updated=times[-1] if times else "",
        entries=len(newest),
        latest=tuple(_lines(newest[:_LATEST])),
        state=_state(newest[: rules.recent_entries], facts, rules),
        facts=facts,
    )


# -- facts -------------------------------------------------------------------------------------------------


def _merged(sources: TopicSources, rules: PagesSection) -> tuple[TopicFact, ...]:
    """The facts of all sources, each once, most important first."""
    statements: dict[str, list[Sourced]] = {}
    for sourced in _stated(sources):
        statements.setdefault(fact_id(sourced.fact), []).append(sourced)
    facts = [_merge(id, stated, sources.scores.get(id)) for id, stated in statements.items()]
    facts = _with_echoes(facts, statements)
    over = retired(facts)
    return tuple(sorted(facts, key=lambda known: (known.id in over, rank(known, rules))))


def _with_echoes(facts: Sequence[TopicFact], statements: Mapping[str, Sequence[Sourced]]) -> list[TopicFact]:
    """The facts, each with the number of files in which its subject speaks of the same thing.

    A file does if the facts about the subject in it have half of the words of the object; of each word the last
    files that have it are looked at.
    """
    told: dict[tuple[str, str], dict[str, None]] = {}
    for known in facts:
        for word in _words(known):
            had = told.setdefault(word, {})
            had |= dict.fromkeys(one.source for one in statements[known.id][-_ECHOES:])
    return [known._replace(mentions=max(known.mentions, _echoes(_words(known), told))) for known in facts]


def _words(known: TopicFact) -> list[tuple[str, str]]:
    subject = plain(known.fact.subject)
    return [(subject, word) for word in sorted(_object_roots(known))]


def _echoes(words: Sequence[tuple[str, str]], told: Mapping[tuple[str, str], dict[str, None]]) -> int:
    shared = Counter(source for word in words for source in islice(reversed(told[word]), _ECHOES))
    return sum(2 * count >= len(words) for count in shared.values())


def _stated(sources: TopicSources) -> Iterator[Sourced]:
    for entry in sources.entries:
        path = f"{sources.folder}/{entry.entry_id}/raw.md"
        yield from (Sourced(fact, path) for fact in entry.facts)
    yield from sources.noted


def _merge(id: str, stated: list[Sourced], score: int | None) -> TopicFact:
    """Merge all statements of a fact: the newest wording, the highest confidence, the last score."""
    stated.sort(key=lambda one: (one.fact.entry_ts, one.fact.entry_id, one.source, one.fact.line))
    first, last = stated[0].fact, stated[-1]
    own = [one.fact.score for one in stated if one.fact.score is not None]
    fact = last.fact._replace(
        confidence=max(one.fact.confidence for one in stated),
        score=score if score is not None else (own[-1] if own else None),
    )
    files = {one.source for one in stated}
    return TopicFact(id, fact, last.source, first.entry_id, first.entry_ts, len(files))


def rank(known: TopicFact, rules: PagesSection) -> tuple[object, ...]:
    """The sort key of a fact; the smallest key is the most important and kept first.

    It sorts by tier, type, score, mentions (in how many files it is stated), form (a quotation comes last),
    confidence and time, newest first, then by id, so that no two facts are equal.
    """
    fact = known.fact
    tier = tier_of(fact, rules)
    return (
        not tier,
        is_rejected(fact, rules),
        tier == SECONDARY,
        TYPES.index(fact.type),
        -(fact.score if fact.score is not None else -1),
        -known.mentions,
        fact.relation == _SAID,
        -fact.confidence,
        -int(fact.entry_ts.translate(_MARKS) or 0),
        known.id,
    )


# -- state -------------------------------------------------------------------------------------------------


def _state(newest: Sequence[EntrySummary], facts: Sequence[TopicFact], rules: PagesSection) -> TopicState:
    """The state of a topic, made by rule from its last entries."""
    asked, planned = still_open(newest, _MOST)
    # facts scored too low are dropped from summaries, too, because entries never change
    rejected = frozenset(plain(phrase(known.fact)) for known in facts if is_rejected(known.fact, rules))
    bounds = tuple(_bounds(facts, rules))
    actions = tuple(_short(action) for action in planned if plain(action) not in rejected)
    questions = tuple(map(_short, asked))
    listed = frozenset(map(plain, (*bounds, *actions, *questions)))
    return TopicState(
        summary=_summary(newest, rejected | listed)
        or _summary(newest, rejected)
        or tokens.cut(_first_facts(facts, rules), _SUMMARY_TOKENS),
        bounds=bounds,
        open_questions=questions,
        next_actions=actions,
    )


def _summary(newest: Sequence[EntrySummary], left_out: frozenset[str]) -> str:
    """Sentences from the last entries, newest first, as far as there is room, without those in `left_out`."""
    said: dict[str, None] = {}
    for entry in newest:
        for sentence in sentences.split(entry.summary):
            line = safe_line(sentence)
            if plain(line) in left_out:
                continue
            if tokens.estimate(" ".join([*said, line])) > _SUMMARY_TOKENS and said:
                return " ".join(said)
            said[line] = None
    return tokens.cut(" ".join(said), _SUMMARY_TOKENS)


def _first_facts(facts: Sequence[TopicFact], rules: PagesSection) -> str:
    """The first facts as sentences, for a topic that has only notes."""
    shown = (known for known in facts if not is_rejected(known.fact, rules))
    return " ".join(phrase(known.fact) + "." for known in islice(shown, _FIRST))


def _bounds(facts: Iterable[TopicFact], rules: PagesSection) -> Iterator[str]:
    """The constraints that still hold in the topic."""
    constraints = (
        known.fact
        for known in facts
        if known.fact.type == TYPES[2] and tier_of(known.fact, rules) and known.fact.time_span != "past"
    )
    for fact in islice(constraints, _MOST):
        yield _short(phrase(fact))


def _lines(newest: Iterable[EntrySummary]) -> Iterator[EntrySummary]:
    """One line for each entry: the first sentence of its summary that is not the line of a newer one."""
    told: set[str] = set()
    for entry in newest:
        said = list(sentences.split(entry.summary)) or [""]
        line = _short(next((sentence for sentence in said if plain(sentence) not in told), said[0]))
        told.add(plain(line))
        yield EntrySummary(entry.entry_id, entry.entry_ts, line)


def _short(text: str) -> str:
    line = tokens.cut(safe_line(text), _LINE_TOKENS)
    return line[:1].upper() + line[1:]


def plain(text: str) -> str:
    """A sentence normalized for comparison: case folded, no full stop."""
    return safe_line(text).rstrip(".").casefold()


def phrase(fact: Fact) -> str:
    """A fact as readable text: `Ana lives in Lisbon`."""
    text = safe_line(" ".join((fact.subject, fact.relation.replace("_", " "), fact.object)))
    return text[:1].upper() + text[1:]


# -- all topics ------------------------------------------------------------------------------------------------

# The global memory is built from topic memories only. Each is first reduced to a digest: its state, and the facts
# that could get onto the page. A topic is active if its last source is not much older than the newest of all:
# the days are counted from that source, not from today, so that the page changes only when the memories do.

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
    summary, *lists = topic.state
    shown = TopicState(summary, *(items[:_SHOWN] for items in lists))
    active = ActiveTopic(topic.topic, topic.updated, topic.entries, len(topic.facts), shown)
    return TopicDigest(active, tuple(candidates))


def _per_type(tier: str, rules: PagesSection) -> int:
    return {CORE: rules.core_per_type, SECONDARY: rules.secondary_per_type}.get(tier, 0)


def build_global(topics: Iterable[TopicDigest], rules: PagesSection) -> GlobalMemory:
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

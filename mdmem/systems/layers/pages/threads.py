"""What is still open in a topic: questions and next actions that no later entry has closed.

A later entry closes a question if one of its facts about the present or the past has most of the question's words,
and an action if one of its past or present events does. What is repeated counts from its last mention. Only the
last entries are looked at: what nobody has come back to for that long is not open but forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from mdmem.language import likeness
from mdmem.note.facts import Fact
from mdmem.systems.layers.schema import EntrySummary

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

"""Which facts no longer hold, because the same subject later said something else: a newer state, another taste.

A state that has one value at a time (where somebody lives, what they are called) is retired by a newer
one, and by an event that changes it: "moved to" ends "lives in". A preference is retired by its opposite about the
same thing: "hates tea" ends "loves tea". What a person scored is never retired.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mdmem.language import likeness
from mdmem.systems.layers.pages.aggregates import TopicFact

# Relation -> the state that it is about, or changes; each subject has one value of it at a time.
_STATES: Mapping[str, str] = {
    **dict.fromkeys(("lives in", "lives at", "lives near", "moved to", "moved", "has moved to"), "home"),
    **dict.fromkeys(("works as", "is employed as"), "job"),
    **dict.fromkeys(("works at", "works for", "joined", "quit", "lost their job at"), "employer"),
    **dict.fromkeys(("is called", "is named", "name is"), "name"),
    **dict.fromkeys(("is married to", "married"), "spouse"),
    **dict.fromkeys(("is due on", "is due", "deadline is", "costs", "starts", "ends", "listens"), "value"),
}
_LIKES = frozenset("loves likes enjoys adores prefers".split()) | {"is into", "drinks", "eats", "uses"}
_DISLIKES = frozenset("hates dislikes".split()) | {
    "cannot stand",
    "does not like",
    "does not",
    "never",
    "no longer likes",
}
_SAME = 0.6  # share of the words of the shorter object that the other one has


def retired(facts: Iterable[TopicFact]) -> frozenset[str]:
    """The ids of the facts that a later one among them ended."""
    newest: dict[tuple[str, str], TopicFact] = {}
    tastes: dict[str, list[TopicFact]] = {}
    over: set[str] = set()
    listed = sorted(facts, key=_age)
    for known in listed:
        subject, relation = _plain(known.fact.subject), _plain(known.fact.relation)
        state = _STATES.get(relation, relation if relation.startswith("has as favo") else "")
        if state:
            before = newest.get((subject, state))
            if before and _value(before) != _value(known):
                over.add(before.id)
            newest[subject, state] = known
        elif relation in _LIKES or relation in _DISLIKES:
            told = tastes.setdefault(subject, [])
            over |= {one.id for one in told if _reverses(known, one)}
            told.append(known)
    return frozenset(over - {known.id for known in listed if known.fact.score is not None})


def _reverses(later: TopicFact, earlier: TopicFact) -> bool:
    """Whether one preference is the opposite of another, or the same comparison turned round."""
    one, other = _plain(later.fact.relation), _plain(earlier.fact.relation)
    about, before = _words(later), _words(earlier)
    if (one in _LIKES) != (other in _LIKES):
        return bool(about and before) and len(about & before) >= _SAME * min(len(about), len(before))
    return likeness.swapped(later.fact.object, earlier.fact.object, directed=True)


def _words(known: TopicFact) -> frozenset[str]:
    return likeness.telling_roots(known.fact.object)


def _value(known: TopicFact) -> str:
    return _plain(known.fact.object).removeprefix("to ")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _age(known: TopicFact) -> tuple[str, str]:
    return known.fact.entry_ts, known.id

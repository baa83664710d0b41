"""Which facts no longer hold, because the same subject later said something else: a newer state, another taste.

A state that has one value at a time (where somebody lives, what they are called) is retired by a newer
one, and by an event that changes it: "moved to" ends "lives in". A preference is retired by its opposite about the
same thing: "hates tea" ends "loves tea". What a person scored is never retired.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from mdmem.language import likeness
from mdmem.note import tsv
from mdmem.systems.layers.pages.aggregates import TopicFact

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
        subject, relation = _plain(known.fact.subject), _plain(known.fact.relation)
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
    one, other = _plain(later.fact.relation), _plain(earlier.fact.relation)
    about, before = _words(later), _words(earlier)
    if _kinds()[one] != _kinds()[other]:
        return bool(about and before) and len(about & before) >= _SAME * min(len(about), len(before))
    return likeness.swapped(later.fact.object, earlier.fact.object, directed=True)


def _words(known: TopicFact) -> frozenset[str]:
    return likeness.telling_roots(known.fact.object)


def _value(known: TopicFact) -> str:
    return _plain(known.fact.object).removeprefix("to ")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())

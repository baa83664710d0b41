"""Facts that exclude each other: if one person lives in two cities, the fact that was stated last is trusted.

The older one is retired by a score of 0; the text that stated it stays as it is. Things that somebody may have
several of, such as things they like, do not conflict: the same grammar decides as for two notes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import combinations
from typing import NamedTuple

from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import (
    Evidence,
    Findings,
    GardenSettings,
    Proposal,
    StatedFact,
    digest,
)
from mdmem.language import likeness
from mdmem.language.statement import statements
from mdmem.language.statement.tables import ENGLISH
from mdmem.language.sureness import SURE
from mdmem.text import moments

_EXCLUSIVE = frozenset(("value", "attribute", "slot", "liking"))  # keys under which there is one value at a time


class _Told(NamedTuple):
    """A fact, the value that it gives, and how sure it is that another value excludes it (0-1)."""

    fact: StatedFact
    value: str
    sure: float


def plan(notes: Sequence[Note], settings: GardenSettings, now: datetime) -> Findings:
    """A proposal for each fact that a newer one excludes."""
    del notes
    best: dict[str, Proposal] = {}
    for older, newer in _conflicts(settings.facts):
        proposal = _proposal(older, newer, settings, now)
        known = best.get(older.fact.path)
        if known is None or proposal.confidence > known.confidence:
            best[older.fact.path] = proposal
    return Findings(tuple(best.values()))


def _conflicts(facts: Sequence[StatedFact]) -> Iterator[tuple[_Told, _Told]]:
    """(older, newest) for each fact that the newest fact about the same thing excludes."""
    about: dict[tuple[str, ...], list[_Told]] = defaultdict(list)
    for fact in sorted(facts, key=lambda fact: (fact.created, fact.path)):
        for statement in statements.in_sentence(_sentence(fact), fact.line, ()):
            for thing, value, sure in statement.keys:
                if thing[0] in _EXCLUSIVE:
                    about[thing].append(_Told(fact, value.casefold(), sure))
    for told in about.values():
        newest = told[-1]
        if not _is_list(told):
            yield from (
                (older, newest) for older in told[:-1] if not likeness.is_extended(older.value, newest.value)
            )


def _sentence(fact: StatedFact) -> str:
    """The fact as a sentence; a relation such as `birthday` is something that its subject has."""
    if fact.relation.casefold() in ENGLISH.attributes:
        return f"{fact.subject}'s {fact.relation} is {fact.object}"
    return f"{fact.subject} {fact.relation} {fact.object}"


def _is_list(told: Sequence[_Told]) -> bool:
    """Whether one file alone gives several values: then there may be several."""
    pairs = combinations(told, 2)
    return any(
        one.fact.file == two.fact.file and not likeness.is_extended(one.value, two.value) for one, two in pairs
    )


def _proposal(older: _Told, newer: _Told, settings: GardenSettings, now: datetime) -> Proposal:
    why = f"newer: {newer.fact.statement} ({newer.fact.created[:10]})"
    edit = settings.retire(older.fact, why, moments.render(now))
    known = [f"{told.fact.path} {told.fact.statement}" for told in (older, newer)]
    is_newer = older.fact.created < newer.fact.created
    sure = min(older.sure, newer.sure) * min(older.fact.confidence, newer.fact.confidence)
    return Proposal(
        id=digest("\n".join(["facts", *known]).encode())[:12],
        gardener="facts",
        action="revise",
        title=f"retire the fact that {older.fact.statement}: later it was {newer.fact.statement}",
        confidence=round(sure if is_newer else SURE["conflict.doubted"], 2),
        evidence=(_evidence(older), _evidence(newer)),
        edits=(edit,),
        lost="",
    )


def _evidence(told: _Told) -> Evidence:
    return Evidence(told.fact.file, told.fact.line, told.fact.sentence, told.sure)

"""Facts that exclude each other: if one person lives in two cities, the fact that was stated last is trusted.

The older one is retired by a score of 0; the text that stated it stays as it is. Only relations with one object
at a time (`relations.SINGLE`) exclude: things that somebody may have several of do not conflict. Notes that are
generated from others by rule, such as chapters of works, are made again if they are out of date (`refresh`).
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from mdmem.garden.gardeners.note import Ground
from mdmem.garden.gardeners.proposal import Evidence, FileEdit, Found, GardenSettings, Proposal, StatedFact, digest
from mdmem.language.relations import ATTRIBUTES, SINGLE
from mdmem.language.sureness import SURE
from mdmem.note import moments
from mdmem.note.plural import counted
from mdmem.store import registry
from mdmem.store.index.port import FACT
from mdmem.store.local import files
from mdmem.store.registry import StaleNote
from mdmem.store.vault.vault import Vault

_SHOWN = 3  # lines that are shown as evidence
_NOT_NOW = ("past", "future")  # time spans of facts that say nothing about the present


def plan(ground: Ground, settings: GardenSettings, now: datetime) -> Iterator[Found]:
    """A proposal for each fact that a newer one excludes."""
    del ground
    for older, newer in _conflicts(settings.facts):
        yield _proposal(older, newer, settings, now)


def _conflicts(facts: Sequence[StatedFact]) -> Iterator[tuple[StatedFact, StatedFact]]:
    """(older, newest) for each fact that the newest fact about the same thing excludes."""
    about: dict[tuple[str, str], list[StatedFact]] = defaultdict(list)
    for fact in sorted(facts, key=lambda fact: (fact.created, fact.path)):
        relation = _single(fact.relation)
        if relation:
            about[fact.subject.casefold(), relation].append(fact)
    for told in about.values():
        newest = told[-1]
        for older in told[:-1]:
            one, two = (set(fact.object.casefold().split()) for fact in (older, newest))
            if not (one <= two or two <= one) and older.file != newest.file:
                yield older, newest


def _single(relation: str) -> str:
    """The relation, if there is one object of it at a time; or ""."""
    name = relation.casefold()
    return SINGLE.get(name, name if name in ATTRIBUTES or name in SINGLE.values() else "")


def _proposal(older: StatedFact, newer: StatedFact, settings: GardenSettings, now: datetime) -> Proposal:
    assert settings.retire, "who gives facts says how one is retired"
    why = f"newer: {newer.statement} ({newer.created[:10]})"
    edit = settings.retire(older, why, moments.render(now))
    known = [f"{told.path} {told.statement}" for told in (older, newer)]
    sure = SURE["value"] * min(older.confidence, newer.confidence)
    return Proposal(
        id=digest("\n".join(["facts", *known]).encode())[:12],
        gardener="facts",
        action="revise",
        title=f"retire the fact that {older.statement}: later it was {newer.statement}",
        confidence=round(sure if older.created < newer.created else SURE["conflict.doubted"], 2),
        evidence=(_evidence(older), _evidence(newer)),
        edits=(edit,),
    )


def _evidence(told: StatedFact) -> Evidence:
    return Evidence(told.file, told.line, told.sentence, told.confidence)


# -- notes that are made from others --------------------------------------------------------------------------


def refresh(ground: Ground, settings: GardenSettings, now: datetime) -> Iterator[Found]:
    """A proposal for each note that is out of date: generate its part again, and keep what a person wrote."""
    del ground, now
    yield from map(_made_again, settings.stale)


def _made_again(page: StaleNote) -> Proposal:
    gone = list(_gone(page))
    return Proposal(
        id=digest(b"\0".join([b"refresh", page.path.encode(), page.before, page.after]))[:12],
        gardener="refresh",
        action="revise",
        title=f"make {page.name} again: what it is made of has changed",
        confidence=SURE["made.stale"],
        evidence=tuple(gone[:_SHOWN]) or (Evidence(page.path, 0, "does not tell all that it is made of"),),
        edits=(FileEdit(page.path, page.before, page.after),),
        lost=f"{counted(len(gone), 'line')} that rested on what they no longer rest on" if gone else "",
        rests_on=page.sources,
        certain=True,
    )


def _gone(page: StaleNote) -> Iterator[Evidence]:
    """The lines that the note would no longer have."""
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (page.before, page.after))
    for tag, first, last, _, _ in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag in ("replace", "delete"):
            for line in range(first, last):
                yield Evidence(page.path, line + 1, before[line])


# -- facts of the index ----------------------------------------------------------------------------------------


def holding(vault: Vault) -> Iterator[StatedFact]:
    """The active facts that are not about the past or the future, by the key of their rows."""
    for record in vault.index.records((FACT,)):
        told = record.meta
        if record.status == "active" and told["time_span"] not in _NOT_NOW:
            yield StatedFact(
                path=record.path,
                id=record.id,
                topic=record.topic,
                subject=told["subject"],
                relation=told["relation"],
                object=told["object"],
                file=record.file,
                line=record.file_line(1),
                sentence=vault.index.body(record.path),
                created=record.created,
                confidence=told["confidence"],
            )


def retiring(vault: Vault) -> Callable[[StatedFact, str, str], FileEdit]:
    """The function (fact, why, when) that makes the edit by which a fact no longer holds."""

    def edit(fact: StatedFact, why: str, when: str) -> FileEdit:
        retirement = registry.retirement()
        path = retirement.path(fact.topic, vault.config)
        before = files.read_or_none(vault.root, path)
        return FileEdit(path, before, retirement.retired(before, fact.id, why, when))

    return edit

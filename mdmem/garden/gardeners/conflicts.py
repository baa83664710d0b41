"""Conflicts: two active notes of which only one can hold. The newer is trusted, and says so.

Certain is only what a `contradicts` link says. All others are nominated by the fitted scorer (`garden.pairs`), or
by two notes of type fact with another object: those who can read says whether they exclude each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from mdmem.garden.gardeners.edits import Workspace, joined
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import (
    LIKELY,
    Evidence,
    Found,
    GardenSettings,
    JudgedPair,
    Proposal,
    attempt,
)
from mdmem.garden.verdicts import FIRST, SECOND
from mdmem.language.sureness import SURE
from mdmem.store.appendonly import IMMUTABLE
from mdmem.store.index.edges import fold_target
from mdmem.write import succession

_FACT = ("subject", "predicate", "object")


class Clash(NamedTuple):
    """Two notes, each with what it says about the same thing; `sure` is 0-1."""

    older: Note
    newer: Note
    sure: float
    old: Evidence
    new: Evidence
    certain: bool = False


def plan(ground: Ground, settings: GardenSettings, now: datetime) -> Iterator[Found]:
    """Proposals to supersede older notes that newer ones contradict, or to contest or fork both."""
    del now
    groups: dict[tuple[str, str], list[Clash]] = defaultdict(list)
    taken: set[str] = set()
    known = clashes(ground, settings)
    for clash in sorted(known, key=lambda one: (not one.certain, -one.sure, one.newer.path, one.older.path)):
        if taken.isdisjoint((clash.older.path, clash.newer.path)):
            if clash.sure >= LIKELY:
                taken.add(clash.older.path)
            groups[clash.newer.path, "" if clash.certain else clash.older.path].append(clash)
    for group in groups.values():
        yield attempt("conflict", group[0].newer.path, _proposal, ground, group, settings.keep_both)


def clashes(ground: Ground, settings: GardenSettings) -> Iterator[Clash]:
    """The pairs of notes that may contradict each other, each with its best evidence."""
    best: dict[tuple[str, str], Clash] = {}
    fit = list(filter(_counts, ground.notes))
    yield from _ruled(ground, settings)
    for clash in (*_explicit(ground, fit), *_facts(fit), *_judged(fit, settings.judged)):
        pair = clash.older.path, clash.newer.path
        if frozenset(pair) in settings.ruled:
            continue
        if pair not in best or (clash.certain, clash.sure) > (best[pair].certain, best[pair].sure):
            best[pair] = clash
    yield from best.values()


def _counts(note: Note) -> bool:
    return note.is_active and note.text("type") not in IMMUTABLE and note.text("category") != "future"


def _ruled(ground: Ground, settings: GardenSettings) -> Iterator[Clash]:
    """The pairs of which somebody has said that one replaces the other, whichever is newer."""
    for said in settings.ruled.values():
        if said.verdict in (FIRST, SECOND):
            first, second = (ground.by_path[path] for path in said.paths)
            newer, older = (first, second) if said.verdict == FIRST else (second, first)
            text = f"replaces {older.name}, as {said.by or 'you'} judged{': ' if said.why else ''}{said.why}"
            yield Clash(
                older,
                newer,
                1.0,
                Evidence(older.path, older.body_line, older.title),
                Evidence(newer.path, 1, text),
            )


def _explicit(ground: Ground, notes: Sequence[Note]) -> Iterator[Clash]:
    """Pairs that a `contradicts` link names."""
    for note in notes:
        for target in note.targets("contradicts"):
            other = ground.one(target)
            if other is None or other.path == note.path or not _counts(other):
                continue
            older, newer = sorted((note, other), key=lambda one: one.age_order)
            said = Evidence(note.path, 1, f"contradicts: [[{other.name}]]")
            is_dated = older.moment < newer.moment
            sure = SURE["conflict.linked" if is_dated else "conflict.doubted"]
            yield Clash(older, newer, sure, Evidence(other.path, other.body_line, other.title), said, is_dated)


def _facts(notes: Sequence[Note]) -> Iterator[Clash]:
    """Notes of type fact of which each says another object of one subject and predicate."""
    about: dict[tuple[str, ...], list[Note]] = defaultdict(list)
    for note in sorted(notes, key=lambda one: one.age_order):
        subject, predicate, value = (note.text(key).casefold() for key in _FACT)
        if subject and predicate and value:
            about[*note.circle, subject, predicate].append(note)
    for told in about.values():
        for older, newer in pairwise(told):
            is_other = older.text("object").casefold() != newer.text("object").casefold()
            if is_other and not _have_relation(older, newer):
                old, new = (Evidence(one.path, 1, f"object: {one.text('object')}") for one in (older, newer))
                yield Clash(older, newer, SURE["fact"], old, new)


def _judged(notes: Sequence[Note], judged: Iterable[JudgedPair]) -> Iterator[Clash]:
    """Pairs that contradict each other by the fitted weights."""
    by_path = {note.path: note for note in notes}
    for pair in judged:
        if pair.conflict >= pair.twin and {pair.older, pair.newer} <= by_path.keys():
            yield Clash(by_path[pair.older], by_path[pair.newer], pair.conflict, pair.old, pair.new)


def _have_relation(one: Note, two: Note) -> bool:
    """Whether a person (or an earlier plan) has related the two already, by a property or in the text."""
    pairs = ((one, two), (two, one))
    return any(fold_target(b.path) in {target for target, *_ in a.links} for a, b in pairs)


# -- proposals ---------------------------------------------------------------------------------------------


def _proposal(ground: Ground, clashes: Sequence[Clash], keep: str) -> Proposal | None:
    """What to do about the older notes that one newer note contradicts. Raises NoteError, MdmemError."""
    newer, older = clashes[0].newer, [clash.older for clash in clashes]
    work = Workspace(ground, "conflicts")
    names = ", ".join(note.name for note in older)
    if keep == "fork":
        work.set(newer, derived_from=joined(newer.items("derived_from"), _links(older)))
        action, title = "fork", f"keep {newer.name} beside {names}"
    elif keep == "contest":
        for note in older:
            work.set(note, status="contested", contested_by=joined(note.items("contested_by"), _links([newer])))
        work.set(newer, status="contested", contested_by=joined(newer.items("contested_by"), _links(older)))
        action, title = "revise", f"contest {names} and {newer.name}, which say different things"
    else:
        _supersede(work, newer, older)
        action, title = "deprecate", f"trust {newer.name}, which contradicts the older {names}"
    evidence = [why for clash in clashes for why in (clash.old, clash.new)]
    sure, is_certain = min(clash.sure for clash in clashes), all(clash.certain for clash in clashes)
    return work.proposal(action, title, sure, evidence, [newer, *older], certain=is_certain)


def _supersede(work: Workspace, newer: Note, older: Sequence[Note]) -> None:
    for note in older:
        work.deprecate(note, newer.name)
    work.set(newer, supersedes=joined(newer.items("supersedes"), _links(older)))
    changed = succession.change(newer.created[:10], newer.text("type"), newer.body)
    if changed not in newer.body:
        work.add(newer, changed)


def _links(notes: Sequence[Note]) -> list[str]:
    return [f"[[{note.name}]]" for note in notes]

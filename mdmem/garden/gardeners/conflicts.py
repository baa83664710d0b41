"""Conflicts: two active notes of which only one can hold. The newer is trusted, and says so.

Certain is only what a `contradicts` link says. All others are nominated by the fitted scorer (`garden.pairs`), or
by two notes of type fact with another object: those who can read says whether they exclude each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from mdmem.garden.gardeners import pairing
from mdmem.garden.gardeners.edits import Workspace, joined
from mdmem.garden.gardeners.note import Ground, Note, by_age, links_to
from mdmem.garden.gardeners.pairing import NotePair
from mdmem.garden.gardeners.proposal import Evidence, Found, GardenSettings, JudgedPair, Proposal, attempt
from mdmem.garden.verdicts import FIRST, SECOND, Judgement
from mdmem.language.sureness import SURE
from mdmem.write import succession

_FACT = ("subject", "predicate", "object")


def plan(ground: Ground, settings: GardenSettings, now: datetime) -> Iterator[Found]:
    """Proposals to supersede older notes that newer ones contradict, or to contest or fork both."""
    del now
    now_or_past = (note for note in ground.notes if note.text("category") != "future")
    fit = {note.path: note for note in now_or_past if note.may_give_way}
    ruled = _ruled(ground, settings.ruled.values())
    pairs = (*ruled, *_explicit(ground, fit), *_facts(fit.values()), *_judged(fit, settings.judged))
    for group in pairing.grouped(pairs, settings):
        yield attempt("conflict", group[0].stays.path, _proposal, ground, group, settings.keep_both)


def _ruled(ground: Ground, ruled: Iterable[Judgement]) -> Iterator[NotePair]:
    """The pairs of which somebody has said that one replaces the other, whichever is newer."""
    for said in ruled:
        if said.verdict in (FIRST, SECOND):
            first, second = (ground.by_path[path] for path in said.paths)
            newer, older = (first, second) if said.verdict == FIRST else (second, first)
            text = f"replaces {older.name}, as {said.by or 'you'} judged{': ' if said.why else ''}{said.why}"
            yield NotePair(newer, older, 1.0, _titled(older, newer, text), ruled=True)


def _titled(older: Note, newer: Note, text: str) -> tuple[Evidence, Evidence]:
    """As evidence, the title of the older note, and what a property of the other says, or somebody says of it."""
    return Evidence(older.path, older.body_line, older.title), Evidence(newer.path, 1, text)


def _explicit(ground: Ground, fit: Mapping[str, Note]) -> Iterator[NotePair]:
    """Pairs that a `contradicts` link names."""
    for note in fit.values():
        for other in filter(None, map(ground.one, note.targets("contradicts"))):
            if other is note or other.path not in fit:
                continue
            older, newer = by_age((note, other))
            is_dated = older.moment < newer.moment
            sure = SURE["conflict.linked" if is_dated else "conflict.doubted"]
            why = _titled(other, note, f"contradicts: [[{other.name}]]")
            yield NotePair(newer, older, sure, why, certain=is_dated)


def _facts(notes: Iterable[Note]) -> Iterator[NotePair]:
    """Notes of type fact of which each says another object of one subject and predicate."""
    about: dict[tuple[str, ...], list[Note]] = defaultdict(list)
    for note in by_age(notes):
        subject, predicate, value = (note.text(key).casefold() for key in _FACT)
        if subject and predicate and value:
            about[*note.circle, subject, predicate].append(note)
    for told in about.values():
        for older, newer in pairwise(told):
            is_other = older.text("object").casefold() != newer.text("object").casefold()
            if is_other and not older.is_linked_with(newer):
                why = tuple(Evidence(one.path, 1, f"object: {one.text('object')}") for one in (older, newer))
                yield NotePair(newer, older, SURE["fact"], why)


def _judged(fit: Mapping[str, Note], judged: Iterable[JudgedPair]) -> Iterator[NotePair]:
    """Pairs that contradict each other by the fitted weights."""
    for pair in judged:
        if pair.conflict >= pair.twin and {pair.older, pair.newer} <= fit.keys():
            yield NotePair(fit[pair.newer], fit[pair.older], pair.conflict, (pair.old, pair.new))


# -- proposals ---------------------------------------------------------------------------------------------


def _proposal(ground: Ground, pairs: Sequence[NotePair], keep: str) -> Proposal | None:
    """What to do about the older notes that one newer note contradicts. Raises NoteError, MdmemError."""
    newer, older = pairs[0].stays, [pair.goes for pair in pairs]
    work = Workspace(ground, "conflicts")
    names = ", ".join(note.name for note in older)
    if keep == "fork":
        work.set(newer, derived_from=joined(newer.items("derived_from"), links_to(older)))
        action, title = "fork", f"keep {newer.name} beside {names}"
    elif keep == "contest":
        for note in older:
            work.set(note, status="contested", contested_by=joined(note.items("contested_by"), links_to([newer])))
        work.set(newer, status="contested", contested_by=joined(newer.items("contested_by"), links_to(older)))
        action, title = "revise", f"contest {names} and {newer.name}, which say different things"
    else:
        _supersede(work, newer, older)
        action, title = "deprecate", f"trust {newer.name}, which contradicts the older {names}"
    return pairing.proposal(work, action, title, pairs, [newer, *older])


def _supersede(work: Workspace, newer: Note, older: Sequence[Note]) -> None:
    for note in older:
        work.deprecate(note, newer.name)
    work.set(newer, supersedes=joined(newer.items("supersedes"), links_to(older)))
    changed = succession.change(newer.created[:10], newer.type, newer.body)
    if changed not in newer.body:
        work.add(newer, changed)

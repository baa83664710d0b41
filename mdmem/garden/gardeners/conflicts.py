"""Conflicts: two active notes give different values for one thing. The newer is trusted, and says so.

With strong evidence the older note is superseded. With weak evidence both are proposed as contested, below the
confidence that is applied by default. Statements about different people, projects, scopes or places do not
conflict.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import combinations
from typing import NamedTuple

from mdmem.errors import MdmemError, NoteError, Problem
from mdmem.garden import rivals
from mdmem.garden.gardeners.edits import Workspace, joined
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import (
    LIKELY,
    Argument,
    Evidence,
    Findings,
    GardenSettings,
    JudgedPair,
    Proposal,
    ground_of,
    propose,
)
from mdmem.index.edges import fold_target
from mdmem.language import likeness
from mdmem.language.disagreement import cases, stance
from mdmem.language.repeats import Repeats
from mdmem.language.statement import statements
from mdmem.language.statement.statements import Statement
from mdmem.language.statement.tables import ENGLISH
from mdmem.language.sureness import SURE
from mdmem.note.appendonly import IMMUTABLE
from mdmem.text import sentences
from mdmem.write import succession

_FEW_OTHERS = 2  # other sentences that a superseded note may have besides the contradicted one
_SURE = 0.8  # least sureness of contradictions in free text, if pairs were judged by the fitted weights
_ROOT = 5  # letters by which a word of a title is found in a statement
_CLOCK = re.compile(r"\b\d{1,2}[:.h]\d\d\b")
_CHANGE = frozenset(  # words of titles that speak of a change, not of another thing
    """new old move moved change changed switch switched update updated upgrade upgraded migration migrated choice
    decision time now current setting policy rule note more less longer day version place location""".split()
)


class Clash(NamedTuple):
    """Two notes, each with what it says about the same thing; `sure` is 0-1."""

    older: Note
    newer: Note
    sure: float
    old: Evidence
    new: Evidence


class _GroupKey(NamedTuple):
    """What the clashes of one proposal share. `older` is "" unless the clash is unlikely, and so stands alone.

    Nothing here depends on what a person asks to see: a proposal must have the same id wherever it is applied.
    """

    newer: str
    is_sure: bool
    older: str


def _group_of(clash: Clash, settings: GardenSettings) -> _GroupKey:
    older = "" if clash.sure >= LIKELY else clash.older.path
    return _GroupKey(clash.newer.path, clash.sure >= settings.settled, older)


class _StatedLine(NamedTuple):
    note: Note
    statement: Statement
    value: str
    sure: float


class _ToldThing(NamedTuple):
    """A thing as one text, the statement that gives it a value, the value, and how sure that is (0-1)."""

    thing: str
    statement: Statement
    value: str
    sure: float


def _fact_of(note: Note) -> dict[str, str]:
    """The properties that say what a note of type fact states, "" for each that it lacks."""
    return {key: note.text(key) for key in ("subject", "predicate", "object")}


def plan(notes: Sequence[Note], settings: GardenSettings, today: date) -> Findings:
    """Proposals to supersede older notes that newer ones contradict, or to contest or fork both."""
    del today
    ground = ground_of(notes, settings)
    groups: dict[_GroupKey, list[Clash]] = defaultdict(list)
    taken: set[str] = set()
    known = clashes(ground, notes, settings.judged)
    for clash in sorted(known, key=lambda one: (-one.sure, one.newer.path, one.older.path)):
        if not {clash.older.path, clash.newer.path} & taken:
            if clash.sure >= LIKELY:
                taken.add(clash.older.path)
            groups[_group_of(clash, settings)].append(clash)
    proposals, problems = [], []
    for key, group in groups.items():
        try:
            found = _proposal(ground, group, settings.keep_both or ("" if key.is_sure else "contest"))
            proposals += [found] if found else []
        except NoteError as error:
            problems.append(error.problem)
        except MdmemError as error:
            problems.append(Problem("conflict", group[0].newer.path, 0, error.message, error.hint, "warning"))
    return Findings(tuple(proposals), tuple(problems))


def clashes(ground: Ground, notes: Sequence[Note], judged: Sequence[JudgedPair] | None = None) -> Iterator[Clash]:
    """The pairs of notes that contradict each other, each with its best evidence.

    If pairs were judged by the fitted weights, contradictions in free text that are not sure are left out.
    """
    best: dict[tuple[str, str], Clash] = {}
    least = _SURE if judged is not None else 0.0
    in_free_words = map(_doubted_if_both_may_hold, (*_judged(notes, judged or ()), *_told_apart(notes, least)))
    for clash in (*_explicit(ground, notes), *in_free_words, *_stated(notes)):
        pair = clash.older.path, clash.newer.path
        if pair not in best or clash.sure >= best[pair].sure:  # a line of the text says it better than the title
            best[pair] = clash
    yield from best.values()


def _doubted_if_both_may_hold(clash: Clash) -> Clash:
    """The clash, made too unsure to be settled unasked if both notes may hold.

    They may if the newer one asks, adds something or is about another place.
    """
    if cases.may_both_hold(clash.older.body, clash.newer.body):
        return clash._replace(sure=min(clash.sure, SURE["judged.unsafe"]))
    return clash


def _explicit(ground: Ground, notes: Sequence[Note]) -> Iterator[Clash]:
    """Pairs that a `contradicts` link names."""
    for note in notes:
        for target in note.targets("contradicts"):
            other = ground.one(target)
            if other is None or other.path == note.path or not (_counts(note) and _counts(other)):
                continue
            older, newer = sorted((note, other), key=lambda one: one.age_order)
            said = Evidence(note.path, 1, f"contradicts: [[{other.name}]]")
            sure = SURE["conflict.linked" if older.moment < newer.moment else "conflict.doubted"]
            yield Clash(older, newer, sure, Evidence(other.path, other.body_line, other.title), said)


def _counts(note: Note) -> bool:
    return note.is_active and note.text("type") not in IMMUTABLE and note.text("category") != "future"


def _judged(notes: Sequence[Note], judged: Iterable[JudgedPair]) -> Iterator[Clash]:
    """Pairs that contradict each other by the fitted weights."""
    by_path = {note.path: note for note in filter(_counts, notes)}
    for pair in judged:
        if pair.conflict > pair.twin and {pair.older, pair.newer} <= by_path.keys():
            is_unsafe = pair.of_another or not pair.fitting
            sure = min(pair.conflict, SURE["judged.unsafe"]) if is_unsafe else pair.conflict
            sure = min(sure, SURE["conflict.doubted"]) if pair.beside > _FEW_OTHERS else sure
            yield Clash(by_path[pair.older], by_path[pair.newer], sure, pair.old, pair.new)


def _told_apart(notes: Sequence[Note], least: float) -> Iterator[Clash]:
    """Pairs that contradict each other in free text; `least` is as in `rivals.rivals`."""
    for older, newer, old, new, sure in rivals.rivals(list(filter(_counts, notes)), least):
        if not _have_relation(older, newer):
            yield Clash(older, newer, sure, old, new)


def _stated(notes: Sequence[Note]) -> Iterator[Clash]:
    """Pairs whose statements differ in nothing but a value."""
    for told_of in _told_again(sorted(filter(_counts, notes), key=lambda one: one.age_order)):
        if len({one.value.casefold() for one in told_of}) > 1 and not _is_list(told_of):
            yield from _against_newest(told_of)


def _told_again(notes: Sequence[Note]) -> Iterator[list[_StatedLine]]:
    """The lines about each thing that is given a value more than once, in the order of the notes."""
    likely = Repeats(told.thing.encode() for note in notes for told in note.derived(things))
    blocks: defaultdict[str, list[_StatedLine]] = defaultdict(list)
    again: list[str] = []
    for note in notes:
        for told in note.derived(things):
            if told.thing.encode() in likely:
                lines = blocks[told.thing]
                lines.append(_StatedLine(note, told.statement, told.value, told.sure))
                if len(lines) == 2:
                    again.append(told.thing)
    for thing in again:
        yield blocks[thing]


def things(note: Note) -> list[_ToldThing]:
    """The things that a note gives values of, and the values."""
    told = []
    for statement in statements.in_note(note.title, note.body, note.body_line, _fact_of(note)):
        kept = statement._replace(keys=())
        for key, value, sure in statement.keys:
            told.append(_ToldThing("\n".join((*note.circle, *key)), kept, value, sure))
    return told


def _is_list(said: Sequence[_StatedLine]) -> bool:
    """Whether one note alone gives several values: then the thing may have several."""
    values: dict[str, set[str]] = defaultdict(set)
    for one in said:
        values[one.note.path].add(one.value.casefold())
    pairs = (pair for found in values.values() for pair in combinations(sorted(found), 2))
    return any(not likeness.is_extended(one, two) for one, two in pairs)


def _against_newest(said: Sequence[_StatedLine]) -> Iterator[Clash]:
    newest = said[-1]
    for one in said[:-1]:
        if (
            one.value != newest.value
            and not likeness.is_extended(one.value, newest.value)
            and not _have_relation(one.note, newest.note)
        ):
            yield Clash(one.note, newest.note, _sureness(one, newest), _evidence(one), _evidence(newest))


def _have_relation(one: Note, two: Note) -> bool:
    """Whether a person (or an earlier plan) has related the two already, by a property or in the text."""
    pairs = ((one, two), (two, one))
    return any(fold_target(b.path) in {target for target, *_ in a.links} for a, b in pairs)


def _sureness(old: _StatedLine, new: _StatedLine) -> float:
    """How sure it is that the two exclude each other and the newer one holds."""
    sure = min(old.sure, new.sure)
    if old.note.moment >= new.note.moment or _said_beside(old, new) > _FEW_OTHERS:
        return SURE["conflict.doubted"]
    if _may_be_several(old) and _may_be_several(new):
        return SURE["conflict.doubted"]
    if _is_name(old.value) != _is_name(new.value):
        return SURE["conflict.doubted"]  # `is Postgres` and `is large` are not two values of one thing
    return sure if old.statement.about_user or _same_context(old, new) else SURE["conflict.doubted"]


def _may_be_several(said: _StatedLine) -> bool:
    """Whether a value is a time of day of something that may have several: trains leave at many times."""
    return bool(_CLOCK.search(said.value)) and not stance.is_of_one(said.statement.text)


def _said_beside(old: _StatedLine, new: _StatedLine) -> int:
    """How many sentences of the older note, besides the contradicted one, the newer one lacks.

    They would go out of sight with the superseded note.
    """
    known = {line.strip() for line in new.note.body.split("\n")}
    lines = [line.strip() for line in old.note.body.split("\n")]
    left = [line for line in lines if line and not line.startswith("#") and line not in known]
    return sum(len(list(sentences.split(line))) for line in left) - 1


def _is_name(value: str) -> bool:
    """Whether a value is a name or a number, not a common word."""
    return value != value.lower() or any(sign.isdigit() for sign in value)


def _same_context(old: _StatedLine, new: _StatedLine) -> bool:
    """Whether the titles are about the same thing, leaving aside the words of the statements."""
    said = {word[:_ROOT] for word in likeness.telling(f"{old.statement.text} {new.statement.text}")}
    alone = likeness.difference(old.note.title, new.note.title)
    left, right = ({word for word in words if word[:_ROOT] not in said} - _CHANGE for words in alone[:2])
    return not (left and right) or bool(_named(old) & _named(new))


def _named(said: _StatedLine) -> set[str]:
    """The words that a title and the statement below it share, except words like `port` that anything may have."""
    stated = set(likeness.telling(said.statement.text)) - ENGLISH.attributes.keys()
    return {word[:_ROOT] for word in stated & set(likeness.telling(said.note.title))}


def _evidence(said: _StatedLine) -> Evidence:
    return Evidence(said.note.path, said.statement.line, said.statement.text, said.sure)


# -- proposals ---------------------------------------------------------------------------------------------


def _proposal(ground: Ground, clashes: Sequence[Clash], keep: str) -> Proposal | None:
    """What to do about the older notes that one newer note contradicts. Raises NoteError, MdmemError."""
    newer, older = clashes[0].newer, [clash.older for clash in clashes]
    work = Workspace(ground)
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
    evidence = tuple(why for clash in clashes for why in (clash.old, clash.new))
    sure = min(clash.sure for clash in clashes)
    case = Argument(gardener="conflicts", action=action, title=title, confidence=sure, evidence=evidence)
    return propose(case, [newer, *older], work.changed)


def _supersede(work: Workspace, newer: Note, older: Sequence[Note]) -> None:
    for note in older:
        work.deprecate(note, newer.name)
    work.set(newer, supersedes=joined(newer.items("supersedes"), _links(older)))
    changed = succession.change(newer.created[:10], newer.text("type"), newer.body)
    if changed not in newer.body:
        work.add(newer, changed)


def _links(notes: Sequence[Note]) -> list[str]:
    return [f"[[{note.name}]]" for note in notes]

"""Twins: notes that say nearly the same are merged into the older one, and nothing of either is lost.

Notes that share their rarest words are aligned (`language.alignment`), and judged by what is left over: a note
that contains another one whole is its twin; another value, another subject or a denial makes it another thing,
however alike the rest is. Of many notes of one form (ports, birthdays) only copies are twins.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from itertools import chain, takewhile
from posixpath import dirname
from typing import NamedTuple

from mdmem.errors import MdmemError, NoteError, Problem
from mdmem.garden.gardeners import meant
from mdmem.garden.gardeners.edits import Workspace, differing, filled, parting, union_of
from mdmem.garden.gardeners.note import SAME_DAYS, Ground, Note
from mdmem.garden.gardeners.proposal import (
    LIKELY,
    Argument,
    Evidence,
    Findings,
    GardenSettings,
    Proposal,
    ground_of,
    propose,
)
from mdmem.garden.gardeners.substance import are_set_apart, says_something
from mdmem.garden.pairing import texts
from mdmem.language import likeness as wording
from mdmem.language.alignment import reading, reworded, same
from mdmem.language.alignment.nearness import Vocabulary
from mdmem.language.alignment.neighbours import NearPair, Neighbours
from mdmem.language.alignment.reading import Reading
from mdmem.language.alignment.sides import Alignment, Title, Weights, align, titled
from mdmem.language.alignment.slots import VALUE_KINDS
from mdmem.language.disagreement import contrasts, verdict
from mdmem.language.sureness import SURE
from mdmem.note import blocks as markdown
from mdmem.note import fields, pieces
from mdmem.note.appendonly import IMMUTABLE
from mdmem.write.remember import likeness

_SHORT = 6  # content words; a shorter text may leave its subject to the title
_NEAR = 0.15  # share of common weight, below which two texts say the same in other words or not at all
_LEAST_SHARED = 2  # least words that two notes share if they say the same in other words
_COPY = 0.6  # share of common weight from which one of a family may be a copy of another
_MONTH = re.compile(r"(?:^|/)\d{4}/\d\d$")  # folders of the layout by month
_SAME_WORDS = 3  # least words that two lines share of which one is enough
_EVEN = Weights({}, 1)  # words of two lines, without a vault around them
_MARK = re.compile(r"\s*(?:[-+*>] |\d+[.)] )?")
_SIGN = re.compile(
    r"\[\[[^\]]+\]\]|\]\([^)]+\)|`[^`]+`|\w+://\S+|(?<!\S)\^[\w-]+|\d+(?:[.:,/-]\d+)*"
)  # not reworded
_WHOLE = re.compile(r"^\s*(?:```|~~~)|^\s*\||^\s+\S", re.M)


class TwinPair(NamedTuple):
    """Two notes that say the same; `sure` is 0-1, `score` the likeness of their wording or meaning."""

    older: Note
    newer: Note
    sure: float
    score: float
    by_meaning: bool = False


def plan(notes: Sequence[Note], settings: GardenSettings, today: date) -> Findings:
    """Proposals to merge near-duplicates into the oldest; unsure pairs wait until the sure ones are merged."""
    del today
    ground = ground_of(notes, settings)
    groups: dict[tuple[str, str], list[TwinPair]] = defaultdict(list)  # an unlikely pair stands alone
    taken: set[str] = set()
    kept: set[str] = set()
    mergeable = _mergeable_pairs(ground, notes, settings)
    for twin in sorted(mergeable, key=lambda twin: (-twin.sure, twin.older.age_order, twin.newer.age_order)):
        if not taken.isdisjoint((twin.newer.path, twin.older.path)) or twin.newer.path in kept:
            continue
        if twin.sure < LIKELY:
            groups[twin.older.path, twin.newer.path].append(twin)
            continue
        groups[twin.older.path, ""].append(twin)
        kept.add(twin.older.path)
        taken.add(twin.newer.path)
    proposals, problems = [], []
    for group in groups.values():
        twins = [twin for twin in group if twin.sure >= settings.settled] or group
        try:
            found = _merge(ground, twins)
        except NoteError as error:
            problems.append(error.problem)
        except MdmemError as error:
            problems.append(Problem("twin", twins[0].older.path, 0, error.message, error.hint, "warning"))
        else:
            proposals += [found] if found else []
    return Findings(tuple(proposals), tuple(problems))


def _mergeable_pairs(ground: Ground, notes: Sequence[Note], settings: GardenSettings) -> Iterator[TwinPair]:
    """Twins of which the newer may go: their names do not set them apart, and no query relies on its name."""
    sure = SURE["twins.alike"] if settings.judged is not None else 0.0  # with a judgement, only the surest rules
    for twin in chain(pairs(notes, settings.boilerplate, sure), _judged(notes, settings), _meant(notes, settings)):
        is_kept_apart = settings.scope == "own" and _folder(twin.older) != _folder(twin.newer)
        if not (is_kept_apart or are_set_apart(twin.older.name, twin.newer.name) or ground.is_hub(twin.newer)):
            yield _for_review_if_they_differ(twin)


def _for_review_if_they_differ(twin: TwinPair) -> TwinPair:
    """The pair, made too unsure to be merged unasked if a small word differs that changes what is said."""
    most = SURE["judged.unsafe"]
    if twin.sure > most and contrasts.differ(texts.said(twin.older), texts.said(twin.newer)):
        return twin._replace(sure=most)
    return twin


def _folder(note: Note) -> str:
    """The folder of a note, without a last part that is a month."""
    return _MONTH.sub("", dirname(note.path))


# -- comparing ---------------------------------------------------------------------------------------------


class Readings:
    """The texts of a vault's notes, read when two of them are compared, and the nearest notes of each."""

    def __init__(self, notes: Sequence[Note]) -> None:
        vocabulary = Vocabulary(note.derived(texts.roots) for note in notes)
        self.weights = vocabulary.weights
        self.near = list(vocabulary.near())
        self._neighbours = Neighbours(self.near)
        self._notes = notes
        self._roots = vocabulary.roots_of

    def _read(self, at: int) -> Reading:
        return reading.read(texts.said(self._notes[at]))

    def _title(self, at: int) -> Title:
        title = self._notes[at].title
        return Title(reading.telling(title), reading.changes(title, self._read(at).tongue))

    def are_apart(self, pair: NearPair) -> bool:
        """Whether a third note is so near to one of two that these are not twins, whatever they say."""
        third = self._neighbours.third(pair.first, pair.second)
        is_of_a_family = pair.near < _COPY and third > same.FAMILY
        return is_of_a_family or (pair.near < _NEAR and third > reworded.ALONE)

    def sureness(self, pair: NearPair) -> float:
        """How sure it is that two notes say the same, 0-1."""
        third = self._neighbours.third(pair.first, pair.second)
        is_far = pair.near < _NEAR
        if self.are_apart(pair) or (is_far and not self._may_be_reworded(pair, third)):
            return 0.0
        aligned = align(self._read(pair.first), self._read(pair.second), self.weights)
        aligned = titled(aligned, self._title(pair.first), self._title(pair.second), self.weights)
        sure = 0.0 if is_far else same.sureness(aligned, third, self.weights)
        if sure or not self._may_be_reworded(pair, third):
            return sure
        return reworded.sureness(aligned, third, self.weights)

    def _may_be_reworded(self, pair: NearPair, third: float) -> bool:
        """Whether two notes may say the same in other words, judging by the other notes and their dates."""
        if third > reworded.ALONE:
            return False
        notes = (self._notes[pair.first], self._notes[pair.second])
        shared = self._roots(pair.first) & self._roots(pair.second)
        if len(shared) < _LEAST_SHARED or not self.weights.any_of_two(shared - _topic(*notes)):
            return False  # beyond their topic they share no word that no third note has
        return not _is_another_thing(*sorted(notes, key=lambda note: note.age_order))


def _shared(one: Note, two: Note) -> set[str]:
    """The roots that two notes share, those of tags and titles included."""
    return set(one.derived(texts.roots)).intersection(two.derived(texts.roots))


def _is_another_thing(older: Note, newer: Note) -> bool:
    """Whether the newer note is about something else: it tells of a change, or was written within days."""
    if newer.moment - older.moment < SAME_DAYS:
        return True
    return verdict.tells_of_change(verdict.words_of(texts.said(older)), verdict.words_of(texts.said(newer)))


def _topic(one: Note, two: Note) -> set[str]:
    """The roots of the topic that two notes share: their common tags, and how both titles begin."""
    tags = set(one.tags) & set(two.tags)
    begun = takewhile(lambda words: words[0] == words[1], zip(one.title.split(), two.title.split(), strict=False))
    return reading.telling(" ".join((*(tag.replace("-", " ") for tag in tags), *(word for word, _ in begun))))


def pairs(notes: Sequence[Note], boilerplate: Collection[str] = (), least: float = 0.0) -> Iterator[TwinPair]:
    """The pairs of notes that say the same, if their sureness is at least `least` (0-1)."""
    fit = [note for note in notes if note.is_active and note.text("type") not in IMMUTABLE]
    readings = Readings(fit)
    for pair in sorted(pair for pair in readings.near if not readings.are_apart(pair)):
        older, newer = sorted((fit[pair.first], fit[pair.second]), key=lambda note: note.age_order)
        if older.circle != newer.circle or not _same_time(older, newer) or not _mergeable(older, newer):
            continue
        sure = _weighed(older, newer, readings.sureness(pair))
        if sure and sure >= least and all(says_something(note, boilerplate) for note in (older, newer)):
            yield TwinPair(older, newer, sure, likeness(texts.said(older), texts.said(newer)))


def _meant(notes: Sequence[Note], settings: GardenSettings) -> Iterator[TwinPair]:
    """Twins in other words that a sentence model finds; if the rules find them, too, the surer opinion counts."""
    fit = {note.path: note for note in notes if note.is_active and note.text("type") not in IMMUTABLE}
    for one, two, near in meant.paraphrases(settings.meant, fit):
        older, newer = sorted((one, two), key=lambda note: note.age_order)
        says_much = all(says_something(note, settings.boilerplate) for note in (older, newer))
        may_merge = older.circle == newer.circle and _same_time(older, newer) and _mergeable(older, newer)
        is_alike = len(_shared(older, newer)) >= _LEAST_SHARED and not _is_another_thing(older, newer)
        if says_much and may_merge and is_alike:
            yield TwinPair(older, newer, SURE["twins.meant"], near, by_meaning=True)


def _judged(notes: Sequence[Note], settings: GardenSettings) -> Iterator[TwinPair]:
    """Twins by the fitted weights.

    If a value differs, or hardly a word fits, a person decides.
    """
    by_path = {note.path: note for note in notes}
    for pair in settings.judged or ():
        older, newer = by_path[pair.older], by_path[pair.newer]
        says_much = all(says_something(note, settings.boilerplate) for note in (older, newer))
        if pair.twin > pair.conflict and says_much and _same_time(older, newer) and _mergeable(older, newer):
            is_unsafe = pair.differ or pair.fitting < _LEAST_SHARED
            sure = min(pair.twin, SURE["judged.unsafe"]) if is_unsafe else pair.twin
            yield TwinPair(older, newer, sure, likeness(texts.said(older), texts.said(newer)))


def _weighed(older: Note, newer: Note, sure: float) -> float:
    """The sureness, lowered if the texts are short and each title names something that neither text says."""
    if not sure:
        return 0.0
    one, two = texts.said(older), texts.said(newer)
    is_short = min(len(wording.telling(text)) for text in (one, two)) < _SHORT
    if is_short and wording.contrast(f"{one} {two}", older.title, newer.title):
        return min(sure, SURE["twins.contrasted"])
    return sure


def _mergeable(one: Note, two: Note) -> bool:
    """Whether two notes can be merged: records, and notes too long to compare, only if type and text are equal."""
    is_long = not all(reading.read(texts.said(note)).is_whole for note in (one, two))
    if not (one.is_record or two.is_record or is_long):
        return True
    return one.text("type") == two.text("type") and one.body.strip() == two.body.strip()


def _same_time(one: Note, two: Note) -> bool:
    """Whether both notes are about the future or neither is: something to do is not a twin of something done."""
    return (one.text("category") == "future") == (two.text("category") == "future")


# -- merging -----------------------------------------------------------------------------------------------


def _merge(ground: Ground, twins: Sequence[TwinPair]) -> Proposal | None:
    """The proposal to merge the newer notes of `twins` into the older one. Raises NoteError, MdmemError."""
    older, newer = twins[0].older, [twin.newer for twin in twins]
    work = Workspace(ground)
    changes = {**filled(older, newer), **union_of(older, newer)}
    if changes:
        work.set(older, **changes)
    moves = {note.path: older.path for note in newer}
    for note in newer:
        _take_in(work, older, work.placed(note, moves))
        work.write(note, None)
    work.follow(moves)
    names = ", ".join(note.name for note in newer)
    lost = "; ".join([*(parting(ground, note, older.name) for note in newer), *differing(older, newer)])
    case = Argument(
        gardener="twins",
        action="merge",
        title=f"merge {names} into {older.name}, which says the same",
        confidence=min(twin.sure for twin in twins),
        evidence=tuple(map(_evidence, twins)),
        lost=lost,
        merged=older.path,
    )
    return propose(case, [older, *newer], work.changed)


def _evidence(twin: TwinPair) -> Evidence:
    if twin.by_meaning:
        said = f"means nearly what {twin.older.path}:{twin.older.body_line} does"
        return Evidence(twin.newer.path, twin.newer.body_line, said, round(twin.score, 2))
    said = f"{round(100 * twin.score)} % of the wording of {twin.older.path}:{twin.older.body_line}"
    return Evidence(twin.newer.path, twin.newer.body_line, said, round(twin.score, 2))


def _take_in(work: Workspace, older: Note, note: Note) -> None:
    """Add to the older note what another one says more; of two lines that say the same, the fuller one stays."""
    body = work.body(older)
    own, other = (pieces.without_title(*each).strip() for each in ((body, older.title), (note.body, note.title)))
    told = [line for line in _opening(own) if body.count(line) == 1]
    are_whole = "\n" not in own + other
    missing: list[str] = []
    is_open = True
    for block in pieces.split(lines_missing(body, note)):
        is_open = is_open and not any(markdown.headings(block))
        told_now = told if is_open and not _WHOLE.search(block) else []
        lines = []
        for line in block.split("\n"):
            old, stays = next(
                ((old, found) for old in told_now if (found := fuller(old, line, are_whole))), ("", "")
            )
            if not stays:
                lines.append(line)
            elif stays == line:
                work.write(older, fields.swap_in_body(work.data(older), old, line, older.path))
                told[told.index(old)] = line
        missing += ["\n".join(lines)] if lines else []
    text = "\n\n".join(missing)
    said = set(wording.telling(f"{older.title} {body} {note.body}"))
    work.add(older, text if set(wording.telling(note.title)) <= said else f"## {note.title}\n\n{text}".strip())


def _opening(text: str) -> Iterator[str]:
    """The lines of prose before the first heading."""
    for block in takewhile(lambda block: not any(markdown.headings(block)), pieces.split(text)):
        if not _WHOLE.search(block):
            yield from (line for _, line in markdown.prose_lines(block))


def fuller(old: str, new: str, are_whole: bool) -> str:
    """The one of two lines that says all that both do, the newer one if they only differ in wording.

    "" if each says something of its own, or if they do not surely say the same. `are_whole` is whether they are
    all that two twins say.
    """
    found = align(reading.read(old), reading.read(new), _EVEN)
    first, second = found.alone_first, found.alone_second
    is_sure = are_whole or same.sureness(found, 0.0, _EVEN) >= SURE["twins.alike"]
    is_like = _MARK.findall(old)[0] == _MARK.findall(new)[0] and not found.turned
    if not (is_sure and is_like) or sum(len(pair.shared) for pair in found.pairs) < _SAME_WORDS:
        return ""
    stays, lost = (new, old) if second else (old, new)
    if not set(_SIGN.findall(lost)) <= set(_SIGN.findall(stays)):
        return ""
    return "" if first and second and _says_more(found, old) else stays


def _says_more(found: Alignment, old: str) -> bool:
    """Whether the first of two lines with words of their own names something, or says more than the other."""
    first = found.alone_first
    has_name = any(word.kind in VALUE_KINDS or word.text.capitalize() in old for word in first)
    return has_name or len(first) > len(found.alone_second) or found.shared <= found.alone[0]


def lines_missing(body: str, note: Note) -> str:
    """The lines of a note's text that are not in `body`; code, tables and nested lists stay whole.

    So does what stands below a heading that `body` lacks: the same line means another thing there.
    """
    there = {line.strip() for line in body.split("\n")}
    kept: list[str] = []
    above, elsewhere = "", False  # a heading that `body` has, too; whether we are below one that it lacks
    for block in pieces.split(pieces.without_title(note.body, note.title)):
        if "\n" not in block and any(markdown.headings(block)):
            heading = block.strip()
            elsewhere = heading not in there
            above = "" if elsewhere else heading
            kept += [heading] if elsewhere else []
            continue
        missing = block if elsewhere or f"\n{block}\n" not in f"\n{body}\n" else ""
        if missing and not elsewhere and not _WHOLE.search(block):
            missing = "\n".join(line for line in block.split("\n") if line.strip() not in there)
        if missing:
            kept += [above, missing] if above else [missing]
            above = ""
    return "\n\n".join(kept)

"""Twins: notes that say nearly the same are merged into the older one, and nothing of either is lost.

Candidates come from exact blocking, not from all pairs: two word sets of a Jaccard likeness t share a word
among the rarest few of each (prefix filtering; of long texts, several). Then the wording is
compared, and then what each has alone: another number, name, day, place or a negation means another thing,
however alike the rest is.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from math import ceil
from posixpath import dirname

from mdmem.errors import MdmemError, NoteError, Problem
from mdmem.garden.gardeners.edits import Workspace, differing, filled, parting, union_of
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import Argument, Evidence, Findings, GardenSettings, Proposal, propose
from mdmem.garden.gardeners.substance import are_set_apart, says_something
from mdmem.language import likeness as wording
from mdmem.language.alignment.sides import Weights
from mdmem.language.paraphrase import Text, substituted, sureness
from mdmem.language.sureness import SURE
from mdmem.language.tables import VALUES
from mdmem.note import blocks as markdown
from mdmem.note import pieces
from mdmem.note.appendonly import IMMUTABLE
from mdmem.values import NamedTuple
from mdmem.write.remember import TWIN, likeness

# Share of common words from which two notes are looked at: where few are said, one other word is much.
_JACCARD, _JACCARD_LONG = 0.7, 0.75
_LIKE = 0.55  # likeness of wording below which two texts are not twins
_LONG, _RARE = 20, 4  # from this many content words on, two notes must share this many of the rarest
_SILENT = -1
_LEAST_WORDS = 3  # content words; a note with fewer says too little to be a twin
_SOME, _EDITED = 7, 0.92  # content words and likeness from which another order is only an edit
_PLENTY = 400  # characters of a body that are enough without counting
_ENOUGH = 5  # content words of a body that stand for themselves
_TELLING, _COMMON = 10, 30  # of the words that two to so many notes have, so many of the rarest of each
_SHARED, _SHARE = 2, 0.25  # so many of them, and so much of all weight, two notes in other words share
_SURE = 0.8
_MONTH = re.compile(r"(?:^|/)\d{4}/\d\d$")  # as the layout by month makes them
_WHOLE = re.compile(r"^\s*(?:```|~~~)|^\s*\||^\s+\S", re.M)


class TwinPair(NamedTuple):
    """Two notes that say the same; `sure` is 0-1, `score` the likeness of their wording."""

    older: Note
    newer: Note
    sure: float
    score: float


def plan(notes: Sequence[Note], settings: GardenSettings, today: date) -> Findings:
    """Merges of near-duplicates into the oldest of them."""
    del today
    ground = Ground(notes, settings.elsewhere)
    groups: dict[str, list[TwinPair]] = defaultdict(list)
    taken: set[str] = set()
    mergeable = _mergeable_pairs(ground, notes, settings)
    for twin in sorted(mergeable, key=lambda twin: (-twin.sure, twin.older.age_order, twin.newer.age_order)):
        if twin.newer.path in taken or twin.newer.path in groups or twin.older.path in taken:
            continue
        groups[twin.older.path].append(twin)
        taken.add(twin.newer.path)
    proposals, problems = [], []
    for twins in groups.values():
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
    """Twins of which the newer may go: nobody set them apart, and no query goes by its name."""
    telling = [note for note in notes if says_something(note, settings.boilerplate)]
    for twin in pairs(telling):
        is_kept_apart = settings.scope == "own" and _folder(twin.older) != _folder(twin.newer)
        if not (is_kept_apart or are_set_apart(twin.older.name, twin.newer.name) or ground.is_hub(twin.newer)):
            yield twin


def _folder(note: Note) -> str:
    """The folder a note was put into, without that of a month."""
    return _MONTH.sub("", dirname(note.path))


def pairs(notes: Sequence[Note]) -> Iterator[TwinPair]:
    """Every two notes that say the same, however sure."""
    fit = [note for note in notes if note.is_active and note.text("type") not in IMMUTABLE]
    vocabulary = Vocabulary(map(_said, fit))
    found = {*_alike(vocabulary), *_reworded(vocabulary)}
    for first, second in sorted(found):
        older, newer = sorted((fit[first], fit[second]), key=lambda note: note.age_order)
        if older.circle == newer.circle and _same_time(older, newer) and _mergeable(older, newer):
            twin = _compare(older, newer, vocabulary.weights)
            if twin:
                yield twin


def _mergeable(one: Note, two: Note) -> bool:
    """Whether the texts of two notes make one: those of records do only if they are the same."""
    same = one.text("type") == two.text("type") and one.body.strip() == two.body.strip()
    return same or not (one.is_record or two.is_record)


def _same_time(one: Note, two: Note) -> bool:
    """Something to do is not a twin of something done."""
    return (one.text("category") == "future") == (two.text("category") == "future")


# -- candidates --------------------------------------------------------------------------------------------


class _Numbers(dict[str, int]):
    """The number of each word's root, _SILENT for words that carry no sense; each word is looked at once."""

    def __init__(self) -> None:
        self.roots: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        root = wording.telling_root(word)
        number = self[word] = self.roots.setdefault(root, len(self.roots)) if root else _SILENT
        return number


class Vocabulary:
    """The roots of the words of each text as numbers, the rarest first; packed, for there may be many.

    `roots` are what the numbers stand for, `counts` how many texts have them, `weights` what that makes them tell.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        numbers = _Numbers()
        counts: Counter[int] = Counter()
        found = []
        for text in texts:
            said = set(map(numbers.__getitem__, wording.words(text)))
            said.discard(_SILENT)
            counts.update(said)
            found.append(array("I", said))
        names = list(numbers.roots)
        order = sorted(range(len(names)), key=lambda one: (counts[one], names[one]))
        rank = array("I", bytes(4 * len(names)))
        for place, number in enumerate(order):
            rank[number] = place
        self.sets = [array("I", sorted(rank[number] for number in said)) for said in found]
        self.roots = [names[one] for one in order]
        self.counts = array("I", (counts[one] for one in order))
        self.weights = Weights(dict(zip(self.roots, self.counts, strict=True)), len(self.sets))


def candidates(notes: Sequence[Note]) -> Iterator[tuple[int, int]]:
    """Pairs of positions in `notes` that are compared, the first the lower."""
    vocabulary = Vocabulary(map(_said, notes))
    yield from sorted({*_alike(vocabulary), *_reworded(vocabulary)})


def _alike(vocabulary: Vocabulary) -> Iterator[tuple[int, int]]:
    """Pairs with enough words in common."""
    sets, roots = vocabulary.sets, vocabulary.roots
    shared = bisect_right(vocabulary.counts, 1)  # from this number on, more than one text has the word
    blocks: dict[int, list[int]] = defaultdict(list)
    for at in sorted(range(len(sets)), key=lambda at: (len(sets[at]), at)):
        words = sets[at]
        if len(words) < _LEAST_WORDS:
            continue
        least, rare = (_JACCARD, 1) if len(words) < _LONG else (_JACCARD_LONG, _RARE)  # by the longer of two
        prefix = words[bisect_left(words, shared) : len(words) - ceil(least * len(words)) + rare]
        hits: Counter[int] = Counter()
        for word in prefix:
            hits.update(blocks[word])
        mine = set(words)
        for other in sorted(other for other, count in hits.items() if count >= rare):
            common = mine.intersection(sets[other])
            enough = len(common) >= least * (len(words) + len(sets[other]) - len(common))
            if enough and _may_match(mine - common, set(sets[other]) - common, roots):
                yield min(at, other), max(at, other)
        for word in prefix:
            blocks[word].append(at)


def _reworded(vocabulary: Vocabulary) -> Iterator[tuple[int, int]]:
    """Pairs that share some of the rare words of either, and enough of the weight of all."""
    shared, common = bisect_right(vocabulary.counts, 1), bisect_right(vocabulary.counts, _COMMON) - 1
    weights = array("d", map(vocabulary.weights.of, vocabulary.roots))
    total = [sum(weights[word] for word in words) for words in vocabulary.sets]
    blocks: dict[int, list[int]] = defaultdict(list)
    for at, words in enumerate(vocabulary.sets):
        rare = words[bisect_left(words, shared) : bisect_right(words, common)][:_TELLING]
        hits: Counter[int] = Counter()
        for word in rare:
            hits.update(blocks[word])
            blocks[word].append(at)
        for other, count in sorted(hits.items()):
            if count < _SHARED:
                continue
            both = sum(weights[word] for word in set(words).intersection(vocabulary.sets[other]))
            if both >= _SHARE * (total[at] + total[other] - both):
                yield other, at


def _may_match(one: set[int], two: set[int], roots: Sequence[str]) -> bool:
    """Whether what each of two texts has alone can be slips and endings; if not, each says a thing of its own.

    Template notes (ten thousand ports, birthdays, servers) are told apart here, before any text is read again.
    """
    if not (one and two):
        return True
    first, second = ({roots[number] for number in numbers} for numbers in (one, two))
    fewer, more = sorted((first, second), key=len)
    starts = {root[:3] for root in more if root.isalpha()}
    return all(root.isalpha() and root[:3] in starts for root in fewer)


def _text(note: Note) -> str:
    """What a note says, its title first."""
    return f"{note.title}.\n{pieces.without_title(note.body, note.title)}"


def _said(note: Note) -> str:
    """The body, and the title, too, where the body says too little."""
    body = pieces.without_title(note.body, note.title)
    return body if len(body) > _PLENTY or len(wording.telling(body)) >= _ENOUGH else _text(note)


# -- comparing ---------------------------------------------------------------------------------------------


def _compare(older: Note, newer: Note, weights: Weights) -> TwinPair | None:
    """The two as twins, by their wording or by what they say in other words; None if they say different things."""
    one, two = _said(older), _said(newer)
    score = likeness(one, two)
    sure = _sureness(one, two, score) if score >= _LIKE and not substituted(one, two) else 0.0
    if wording.contrast(f"{one} {two}", older.title, newer.title):
        sure = min(sure, SURE["twins.contrasted"])
    if sure < _SURE:
        sure = max(sure, sureness(Text(older.title, one), Text(newer.title, two), weights))
    return TwinPair(older, newer, sure, score) if sure else None


def _sureness(one: str, two: str, score: float) -> float:
    """How sure it is that two texts say the same, 0-1."""
    alone = wording.difference(one, two)
    if _says_another_thing(one, two, alone):
        return 0.0
    short, long = (two, one) if alone.first else (one, two)
    is_close = score >= TWIN
    if alone.moved:
        return SURE["twins.edited" if _is_only_edited(short, long, score) else "twins.moved"]
    if not (alone.first or alone.second):
        return SURE["twins.same" if is_close else "twins.reworded"]
    if wording.has_sentences(short, long):
        return SURE["twins.longer.close" if is_close else "twins.longer"]
    if not is_close or wording.qualifies(short, long):
        return SURE["twins.added"]
    is_within = wording.is_within(short, long) or _is_only_edited(short, long, score)
    return SURE["twins.within" if is_within else "twins.added"]


def _says_another_thing(one: str, two: str, alone: wording.Difference) -> bool:
    """Whether one text denies what the other says, names another value, or each has something of its own."""
    if wording.negations(one) != wording.negations(two):
        return True
    return bool(VALUES.intersection(alone.first + alone.second) or (alone.first and alone.second))


def _is_only_edited(short: str, long: str, score: float) -> bool:
    """Whether two texts are so long and so alike that what differs is a matter of style."""
    is_long = len(wording.telling(short)) >= _SOME
    return score >= _EDITED and is_long and not wording.swapped(short, long)


# -- merging -----------------------------------------------------------------------------------------------


def _merge(ground: Ground, twins: Sequence[TwinPair]) -> Proposal | None:
    """The newer notes of `twins` merged into the older one they share. Raises NoteError, MdmemError."""
    older, newer = twins[0].older, [twin.newer for twin in twins]
    work = Workspace(ground)
    changes = {**filled(older, newer), **union_of(older, newer)}
    if changes:
        work.set(older, **changes)
    moves = {note.path: older.path for note in newer}
    for note in newer:
        work.add(older, _additions(work.body(older), older, work.placed(note, moves)))
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
    said = f"{round(100 * twin.score)} % of the wording of {twin.older.path}:{twin.older.body_line}"
    return Evidence(twin.newer.path, twin.newer.body_line, said, round(twin.score, 2))


def _additions(body: str, older: Note, note: Note) -> str:
    """What of a note is to be added to the text of the older one: its title, too, where that says more."""
    missing = lines_missing(body, note)
    said = set(wording.telling(f"{older.title} {body} {missing}"))
    return missing if set(wording.telling(note.title)) <= said else f"## {note.title}\n\n{missing}".strip()


def lines_missing(body: str, note: Note) -> str:
    """What of a note's text is not in `body`, by lines; code, tables and nested lists stay whole.

    So does what stands below a heading that `body` lacks: the same line says another thing there.
    """
    there = {line.strip() for line in body.split("\n")}
    kept: list[str] = []
    above, elsewhere = "", False  # the heading that `body` has, too; below one that it has not
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

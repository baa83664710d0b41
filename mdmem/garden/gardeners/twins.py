"""Twins: notes that say the same are merged into the older one, and nothing of either is lost.

Certain are notes of the same words, and a note of which another one has every sentence. All others are nominated
by the fitted scorer (`garden.pairs`): those who can read says whether they are twins.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import chain, combinations, groupby, islice, takewhile
from posixpath import dirname

from mdmem.garden.gardeners import pairing
from mdmem.garden.gardeners.edits import Workspace, merged, parting
from mdmem.garden.gardeners.note import Ground, Note, by_age
from mdmem.garden.gardeners.pairing import NotePair
from mdmem.garden.gardeners.proposal import Evidence, Found, GardenSettings, Proposal, attempt
from mdmem.garden.pairs import words
from mdmem.garden.pairs.words import DENIALS
from mdmem.garden.verdicts import SAME
from mdmem.language import likeness as wording
from mdmem.language.sureness import SURE
from mdmem.note import blocks as markdown
from mdmem.note import dates, fields, links, pieces, sentences

_MONTH = re.compile(r"(?:^|/)\d{4}/\d\d$")  # folders of the layout by month
_SAME_WORDS = 3  # least words that two lines share of which one is enough
_COMPARED = 200  # lines of the older note's opening for which a fuller one is looked for in the newer note
_MARK = re.compile(r"\s*(?:[-+*>] |\d+[.)] )?")
_SIGN = re.compile(
    r"\[\[[^\]]+\]\]|\]\([^)]+\)|`[^`]+`|\w+://\S+|(?<!\S)\^[\w-]+|\d+(?:[.:,/-]\d+)*"
)  # not reworded
_WHOLE = re.compile(r"^\s*(?:```|~~~)|^\s*\||^\s+\S", re.M)

_LINK = re.compile(r"!?\[\[[^\[\]\n]*\]\]|!?\[[^\[\]\n]*\]\([^()\n]*\)")
_COMMENT = re.compile(r"%%.*?%%|<!--.*?-->", re.S)
_QUERY = re.compile(
    r"^(?P<fence>```+|~~~+)(?:base|dataview|dataviewjs|tasks|query)\b.*?^(?P=fence)\s*$", re.M | re.S
)
_DATE = r"(?:19|20)\d\d(?:[-_. ]?(?:[01]\d(?:[-_. ]?[0-3]\d)?|[qw]\d{1,2}))?"
_VERSION = r"(?:v?\d+(?:\.\d+)+|v\d+(?:_\d+)*|\d+_\d+_\d+)(?:-?(?:alpha|beta|rc)[.\d]*)?"
_DATED = re.compile(rf"(?<![^\W_])(?:{_DATE}|{_VERSION})(?![^\W_])")
_FRAME = re.compile(r"^(?:[-*+>#\s]|\d+[.)]\s)+|[\s.,;:!?]+$")
_LEAST_LINE = 3  # words of a sentence that shows that a note is within another one
_KEPT = 1_000  # notes whose sentences are kept for comparing them
_HASHES = (1 << 40) - 1
_MOST_LINES = 30  # notes that share a sentence; one that more have is of a template


def plan(ground: Ground, settings: GardenSettings, now: datetime) -> Iterator[Found]:
    """Proposals to merge twins into the oldest: all that are certain in one, any other pair by itself."""
    del now
    pairs = chain(_ruled(ground, settings), _certain(ground.notes), _judged(ground, settings))
    twins = (twin for twin in pairs if _may_be_merged(ground, settings, twin))
    for group in pairing.grouped(twins, settings):
        yield attempt("twin", group[0].stays.path, _merge, ground, group)


def _may_be_merged(ground: Ground, settings: GardenSettings, twin: NotePair) -> bool:
    """Whether the newer note may go: their names do not set them apart, and no query relies on its name."""
    older, newer = twin.stays, twin.goes
    is_kept_apart = settings.scope == "own" and _folder(older) != _folder(newer)
    if is_kept_apart or are_set_apart(older.name, newer.name) or ground.is_hub(newer):
        return False
    says_much = all(says_something(note, settings.boilerplate) for note in (older, newer))
    return says_much and _same_time(older, newer) and _mergeable(older, newer)


def _folder(note: Note) -> str:
    """The folder of a note, without a last part that is a month."""
    return _MONTH.sub("", dirname(note.path))


def _twins(older: Note, newer: Note, sure: float, why: str) -> NotePair:
    said = Evidence(newer.path, newer.body_line, f"{why} {older.path}:{older.body_line}", sure)
    return NotePair(older, newer, sure, (said,))


def _ruled(ground: Ground, settings: GardenSettings) -> Iterator[NotePair]:
    """The pairs of which somebody has said that they say the same."""
    for said in settings.ruled.values():
        if said.verdict == SAME:
            older, newer = by_age(ground.by_path[path] for path in said.paths)
            why = f"says the same, as {said.by or 'you'} judged, as"
            yield _twins(older, newer, 1.0, why)._replace(ruled=True)


def _certain(notes: Sequence[Note]) -> Iterator[NotePair]:
    """The pairs of the same words, and those of which one has every sentence of the other."""
    fit = by_age(note for note in notes if note.may_give_way)
    for first, second, is_same in holding_pairs(fit):
        older, newer = fit[first], fit[second]
        if older.circle == newer.circle:
            why = "says the same words as" if is_same else "is within, or has within it,"
            sure = SURE["twins.same" if is_same else "twins.longer"]
            yield _twins(older, newer, sure, why)._replace(certain=True)


def _judged(ground: Ground, settings: GardenSettings) -> Iterator[NotePair]:
    """Twins by the fitted weights."""
    for pair in settings.judged:
        if pair.twin > pair.conflict:
            yield _twins(ground.by_path[pair.older], ground.by_path[pair.newer], pair.twin, "may say the same as")


def _mergeable(one: Note, two: Note) -> bool:
    """Whether two notes can be merged: records, and notes too long to compare, only if type and text are equal."""
    is_long = max(one.length, two.length) > words.LONGEST
    if not (one.is_record or two.is_record or is_long):
        return True
    return one.type == two.type and one.body.strip() == two.body.strip()


def _same_time(one: Note, two: Note) -> bool:
    """Whether both notes are about the future or neither is: something to do is not a twin of something done."""
    return (one.text("category") == "future") == (two.text("category") == "future")


# -- what is certain, and what keeps two notes apart -----------------------------------------------------------


def holding_pairs(notes: Sequence[Note]) -> Iterator[tuple[int, int, bool]]:
    """(place, later place, whether they say the same words) for each two notes of which one holds the other."""
    told = array("Q")  # hash of a line and place of its note as one number: all lines of a vault take much memory
    for at, note in enumerate(notes):
        told.extend(
            (hash(line) & _HASHES) * len(notes) + at for line in lines(note) if len(line.split()) >= _LEAST_LINE
        )
    seen: set[tuple[int, int]] = set()
    for _, same in groupby(sorted(told), lambda one: one // len(notes)):
        places = [one % len(notes) for one in same]
        if len(places) <= _MOST_LINES:
            seen.update(combinations(places, 2))
    said = lru_cache(_KEPT)(lambda at: lines(notes[at]))
    for first, second in sorted(seen):
        one, two = said(first), said(second)
        if (one <= two or two <= one) and _are_named_alike(notes[first], notes[second]):
            yield first, second, one == two


def lines(note: Note) -> frozenset[str]:
    """The sentences of a note, in lower case, without marks of lists and ends; a long note is one."""
    body = pieces.without_title(note.body, note.title)
    if note.length > words.LONGEST:
        return frozenset((" ".join(body.split()),))
    found = (_FRAME.sub("", sentence).casefold() for sentence in sentences.split(body))
    return frozenset(" ".join(line.split()) for line in found if line)


def _are_named_alike(one: Note, two: Note) -> bool:
    """Whether not each of two titles names something that neither the other one nor a text below it says."""
    first, second = _content(one.title), _content(two.title)
    texts = (pieces.without_title(note.body, note.title) for note in (one, two))
    said = _content("\n".join(links.apart(text)[0] for text in texts))
    return not (first - second - said and second - first - said)


def _content(text: str) -> frozenset[str]:
    return frozenset(words.telling(words.read(text)))


def says_something(note: Note, boilerplate: Collection[str]) -> bool:
    """Whether a note has words of its own besides headings, links, embeds, queries and lines of templates."""
    body = _QUERY.sub("", _COMMENT.sub("", note.body))
    headings = {line for heading in markdown.headings(body) for line in range(heading.line, heading.end + 1)}
    lines = (line for number, line in enumerate(body.split("\n"), 1) if number not in headings)
    own = "\n".join(_LINK.sub("", line) for line in lines if line.strip() not in boilerplate)
    return bool(wording.telling(own))


def are_set_apart(one: str, two: str) -> bool:
    """Whether two names both contain dates or versions, and not the same ones."""
    first, second = set(_marks(one)), set(_marks(two))
    return bool(first and second) and first != second


def _marks(name: str) -> Iterator[object]:
    lower = name.lower()
    yield from (re.sub(r"[-_ ]", ".", found[0].removeprefix("v")) for found in _DATED.finditer(lower))
    rest = _DATED.sub(" ", lower).replace("_", " ")
    yield from (window for window in dates.windows(rest) if window.month)


# -- merging -----------------------------------------------------------------------------------------------


def _merge(ground: Ground, twins: Sequence[NotePair]) -> Proposal | None:
    """The proposal to merge the newer notes of `twins` into the older one. Raises NoteError, MdmemError."""
    older, newer = twins[0].stays, [twin.goes for twin in twins]
    work = Workspace(ground, "twins")
    changes, differing = merged(older, newer)
    if changes:
        work.set(older, **changes)
    moves = {note.path: older.path for note in newer}
    for note in newer:
        _take_in(work, older, work.placed(note, moves))
        work.write(note, None)
    work.follow(moves)
    names = ", ".join(note.name for note in newer)
    lost = "; ".join([*(parting(ground, note, older.name) for note in newer), *differing])
    title = f"merge {names} into {older.name}, which says the same"
    return pairing.proposal(work, "merge", title, twins, [older, *newer], lost=lost, merged=older.path)


def _take_in(work: Workspace, older: Note, note: Note) -> None:
    """Add to the older note what another one says more; of two lines that say the same, the fuller one stays."""
    body = work.body(older)
    own, other = (pieces.without_title(*each).strip() for each in ((body, older.title), (note.body, note.title)))
    told = [line for line in islice(_opening(own), _COMPARED) if body.count(line) == 1]
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
    """The one of two lines that has every word of the other, in its order; the older if both have the same.

    "" if each says something of its own. `are_whole` is whether they are all that two twins say.
    """
    first, second = ([*words.telling(words.read(line))] for line in (old, new))
    denied = ([word for word in line if word in DENIALS] for line in (first, second))
    is_like = _MARK.findall(old)[0] == _MARK.findall(new)[0] and next(denied) == next(denied)
    if not is_like or min(len(first), len(second)) < (1 if are_whole else _SAME_WORDS):
        return ""
    stays, lost = (old, new) if _is_within(second, first) else (new, old)
    if not _is_within(*((second, first) if stays is old else (first, second))):
        return ""
    return stays if set(_SIGN.findall(lost)) <= set(_SIGN.findall(stays)) else ""


def _is_within(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether a list has all items of another one, in their order."""
    left = iter(long)
    return all(word in left for word in short)


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

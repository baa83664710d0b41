"""Groups of active notes on one topic, which consolidation would combine.

Notes are on one topic if the `topic` property says so; if their names begin with the same two words and they share
a tag, or have none and names that read like headings; or if they share the tag of a thing that nearly all of them
name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from mdmem.garden.gardeners.note import Note
from mdmem.language.relations import FINITE
from mdmem.language.roots import root, singular
from mdmem.language.sureness import SURE
from mdmem.note import memory, stopwords
from mdmem.store.appendonly import IMMUTABLE

MASTER = "_master"
KEPT_APART = IMMUTABLE | {"chapter", "wisdom", "working", "plan_graph"}
_PREFIX = 2  # first words that the names of one topic share
_LONGEST_HEADING = 4  # words
# Plurals about which people keep many notes; any other word in "s" may be the verb of a sentence.
_COLLECTIONS = frozenset(
    "prefs preferences settings options defaults rules conventions guidelines notes goals ideas habits interests "
    "skills details facts contacts tools".split()
)
_WORD = re.compile(r"[^\W_]+")
_LEAST_NAMED = 0.8  # of the notes with a tag name its thing; if fewer do, they are about different things
_LEAST_INSIDE = 5  # letters of a thing that may be a part of a longer word: Therme, Gastherme
_LABEL = re.compile(r"\W*(\w+)(?: [^\s:,.]+)? ?: ")  # "Idea: ...", "Supplier Orbis: ..."
_OF_ONE_FORM = 0.5  # of the notes: if more begin alike, the group is a list
_LOG_TYPES = frozenset(("note", "episodic"))
_LOG_DAYS = 10  # between entries of a log, at most (median)


class NotesOnTopic(NamedTuple):
    """A topic, its notes, and how sure it is that these are on it (0-1)."""

    name: str
    notes: list[Note]
    sure: float


def topics(notes: Sequence[Note], most: int) -> Iterator[NotesOnTopic]:
    """Each topic with more than `most` notes. A note belongs to one topic only: a named one, else the largest."""
    fit = [note for note in notes if _can_be_source(note)]
    yield from (topic for topic in _named(fit) if len(topic.notes) > most)
    unnamed = [note for note in fit if not note.text("topic")]
    taken: set[str] = set()
    for topic in sorted([*_prefixed(unnamed), *_tagged(unnamed, most)], key=lambda topic: -len(topic.notes)):
        left = [note for note in topic.notes if note.path not in taken]
        if len(left) > most:
            taken.update(note.path for note in left)
            yield topic._replace(notes=left)


def _can_be_source(note: Note) -> bool:
    return (
        note.is_active
        and note.text("type") not in KEPT_APART
        and not note.is_record
        and note.text("category") != "future"
        and not note.name.endswith(MASTER)
        and not memory.as_flag(note.meta.get("pinned"))
    )


def _named(notes: Sequence[Note]) -> Iterator[NotesOnTopic]:
    """The topics that `topic` properties name."""
    groups: dict[tuple[str, ...], list[Note]] = defaultdict(list)
    for note in notes:
        if note.text("topic"):
            groups[*note.circle, note.text("topic").casefold()].append(note)
    for key, group in groups.items():
        is_doubtful = _is_log(group) or _is_list(group)
        yield NotesOnTopic(key[-1], group, SURE["topic.log" if is_doubtful else "topic.named"])


def _prefixed(notes: Sequence[Note]) -> Iterator[NotesOnTopic]:
    """The topics of notes whose names begin alike, and that share a tag or have none."""
    groups: dict[tuple[str, ...], list[Note]] = defaultdict(list)
    openings = Counter(map(_opening, notes))
    for note in notes:
        words, opening = note.name.split("_"), _opening(note)
        if len(words) > _PREFIX and openings[opening] > 1:
            for tag in note.tags:
                groups[*note.circle, opening, tag.casefold()].append(note)
            if not note.tags and _is_heading(words):
                groups[*note.circle, opening, ""].append(note)
    for key, group in sorted(groups.items()):
        may_be_log = key[-1] and _is_log(group)  # untagged notes on aspects of a thing may be of as many days
        yield NotesOnTopic(key[-2], group, SURE["topic.log" if may_be_log else "topic.prefix"])


def _opening(note: Note) -> str:
    """The first words of a name."""
    return " ".join(note.name.split("_")[:_PREFIX])


def _is_heading(words: Sequence[str]) -> bool:
    """Whether a name is that of a thing and an aspect of it (`user_prefs_colors`), not a sentence."""
    may_be_verb = words[1].endswith(("s", "ed", "ing", "ly")) and words[1] not in _COLLECTIONS
    is_plain = not (FINITE | stopwords.QUESTION).intersection(words)
    return is_plain and not may_be_verb and len(words) <= _LONGEST_HEADING


def _tagged(notes: Sequence[Note], most: int) -> Iterator[NotesOnTopic]:
    """The topics that are things: a tag names the thing, an oven, and so does nearly every note with it."""
    groups: dict[tuple[str, ...], list[Note]] = defaultdict(list)
    for note in notes:
        for tag in {tag.casefold() for tag in note.tags}:
            groups[*note.circle, tag].append(note)
    for key, group in sorted(groups.items()):
        tag = " ".join(_WORD.findall(key[-1].replace("_", " ")))
        naming = _naming(group, tag) if len(group) > most else []
        if not naming or _is_list(naming):
            continue
        is_sure = len(naming) == len(group) and singular(tag) == tag and not _is_log(naming)
        yield NotesOnTopic(tag, group, SURE["topic.thing" if is_sure else "topic.loose"])


def _naming(group: Sequence[Note], thing: str) -> list[Note]:
    """The notes of a group that name a thing; empty if too many do not."""
    naming: list[Note] = []
    for seen, note in enumerate(group, 1):
        if _names(note, thing):
            naming.append(note)
        elif seen - len(naming) > (1 - _LEAST_NAMED) * len(group):
            return []
    return naming


def _names(note: Note, thing: str) -> bool:
    """Whether a note names a thing, whole or by one of its words."""
    said = f"{note.title}\n{note.body}".casefold()
    parts = thing.split()
    if any(len(part) >= _LEAST_INSIDE and part in said for part in parts):
        return True
    wanted = {*map(root, parts)}
    return any(root(word) in wanted for word in set(_WORD.findall(said)))


def _is_list(notes: Sequence[Note]) -> bool:
    """Whether notes are entries of one form: most begin with the same label."""
    labels = Counter(found[1].casefold() for note in notes if (found := _LABEL.match(note.body)))
    return any(count > _OF_ONE_FORM * len(notes) for count in labels.values())


def _is_log(notes: Sequence[Note]) -> bool:
    """Whether plain notes were written one after the other, each on a day of its own, as entries of a log are."""
    days = sorted({note.moment.date() for note in notes})
    if len(days) < max(len(notes), 2) or any(note.text("type") not in _LOG_TYPES for note in notes):
        return False
    return median((later - day).days for day, later in pairwise(days)) <= _LOG_DAYS

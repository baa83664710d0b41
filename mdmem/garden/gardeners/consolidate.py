"""Consolidate: many active notes on one topic become one master with a section for each; nothing is lost.

The sources become deprecated and link to the master. Notes are on one topic if the `topic` property says so; if
their names begin with the same two words and they share a tag, or have none and names that read like headings; or
if they share the tag of a thing that nearly all of them name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import count, pairwise
from posixpath import dirname, join
from statistics import median
from typing import Any, NamedTuple

from mdmem.garden.gardeners.edits import Workspace, joined
from mdmem.garden.gardeners.note import Ground, Note, by_age, links_to
from mdmem.garden.gardeners.proposal import Evidence, Found, GardenSettings, Proposal, attempt
from mdmem.language.relations import FINITE
from mdmem.language.roots import root, singular
from mdmem.language.sureness import SURE
from mdmem.note import blocks, memory, moments, naming, pieces, stopwords
from mdmem.store.appendonly import IMMUTABLE
from mdmem.store.index.edges import fold_target

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
_LONGEST = 4  # a master may be so many times as long as an oversized note
_CARRIED = ("project", "scope", "sensitivity", "origin", "type")


def plan(ground: Ground, settings: GardenSettings, today: datetime) -> Iterator[Found]:
    """One master for each topic with more active notes than the settings allow."""
    given: set[str] = set()
    whole = [note for note in ground.notes if not ground.is_part(note)]
    large = topics(whole, settings.consolidate_above)
    for topic, notes_on_it, sure in sorted(large, key=lambda found: (found.name, found.notes[0].circle)):
        group = by_age(notes_on_it)
        source, sure_now = group[0], _weighed(sure, group, settings)
        name = next(name for name in _names(topic, source) if name not in given and _fits(ground, name, source))
        given.add(name)
        about = ground, (topic, name), group, sure_now, today, settings.asked
        yield attempt("consolidate", source.path, _proposal, *about)


def _weighed(sure: float, group: Sequence[Note], settings: GardenSettings) -> float:
    """How sure the topic is, lowered if the master would be so long that it ought to be split."""
    size = sum(note.size for note in group)
    return sure if size <= _LONGEST * settings.oversize_tokens else SURE["topic.large"]


def _proposal(
    ground: Ground, called: tuple[str, str], group: Sequence[Note], sure: float, today: datetime, is_asked: bool
) -> Proposal | None:
    """Make or extend the master of a topic, and deprecate its sources. Raises NoteError, MdmemError.

    `called` is (topic, name of its master). What a name or a property says is certain if a person asked for it.
    """
    topic, name = called
    work = Workspace(ground, "consolidate")
    there = ground.named(fold_target(name))
    path = there[0] if there else join(dirname(group[0].path), name + ".md")
    sections = "\n\n".join(_section(work.placed(note, {note.path: path})) for note in group)
    if there:
        master = ground.by_path[path]
        work.set(master, **_growing(master, group))
        work.add(master, sections)
    else:
        body = f"# {memory.name_words(topic)}: master\n\n{sections}"
        work.create(path, memory.render(_meta(group, today), body))
    for note in group:
        work.deprecate(note, name)
    title = f"combine {len(group)} notes on {topic} in {name}"
    why = (Evidence(note.path, 1, note.title, sure) for note in group)
    is_certain = is_asked and sure >= SURE["topic.prefix"]
    return work.proposal("merge", title, sure, why, group, merged=path, certain=is_certain)


def _names(topic: str, source: Note) -> Iterator[str]:
    """Names for the master of a topic, the best first: the plain one, one with the project, numbered ones."""
    yield _name(topic)
    if source.text("project"):
        yield _name(f"{topic} {source.text('project')}")
    yield from (_name(f"{topic} {number}") for number in count(2))


def _fits(ground: Ground, name: str, source: Note) -> bool:
    """Whether a name is free, or belongs to a master that may take in this note."""
    paths = ground.named(fold_target(name))
    if len(paths) != 1:
        return not paths
    master = ground.by_path[paths[0]]
    alike = (master.circle, master.text("topic").casefold()) == (source.circle, source.text("topic").casefold())
    return alike and master.is_active and master.type not in KEPT_APART and not master.is_record


def _name(topic: str) -> str:
    """`<topic>_master`, with "notes" added to a topic of one word: names have at least three."""
    words = naming.words_of(topic)[: naming.LONG_WORDS - 1]
    return "_".join([*words, *(["notes"] if len(words) < naming.MIN_WORDS - 1 else [])]) + MASTER


def _growing(master: Note, group: Sequence[Note]) -> dict[str, Any]:
    tags = joined(master.tags, *(note.tags for note in group))
    sources = joined(master.items("derived_from"), links_to(group))
    return {"derived_from": sources, **({"tags": tags} if tags != list(master.tags) else {})}


def _meta(group: Sequence[Note], today: datetime) -> dict[str, Any]:
    """The properties of a new master."""
    common = {key: Counter(note.text(key) for note in group).most_common(1)[0][0] for key in _CARRIED}
    return {
        "id": memory.derived_id("\n".join(note.id for note in group), "master"),
        "created": moments.render(today),
        "category": "present",
        "tags": joined(*(note.tags for note in group)) or None,
        "topic": next((note.text("topic") for note in group if note.text("topic")), None),
        **{key: value for key, value in common.items() if value},
        "source": "derived",
        "derived_from": links_to(group),
    }


def _section(note: Note) -> str:
    """A note as a section: its title, where it comes from, and its text with headings a level or two down."""
    body = pieces.without_title(note.body, note.title).strip("\n")
    day = f", {note.created[:10]}" if note.created else ""
    text = f"## {note.title}\n\nFrom [[{note.name}]]{day}.\n\n{_lowered(body)}".rstrip()
    end = blocks.closing(body)
    return f"{text}\n{end}" if end else text


def _lowered(body: str) -> str:
    """A text whose headings outside code begin at the third level; its other lines are as they were."""
    levels = [found.level for found in blocks.headings(body)]
    down = "#" * max(3 - min(levels, default=3), 0)
    lines = body.split("\n")
    for number, line in blocks.prose_lines(body):
        if down and re.match(r" {0,3}#{1,6}[ \t]", line):
            marks, _, text = line.strip().partition(" ")
            lines[number - 1] = f"{(marks + down)[:6]} {text}"
    return "\n".join(lines)


# -- topics ------------------------------------------------------------------------------------------------


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
        and note.type not in KEPT_APART
        and not note.is_record
        and note.text("category") != "future"
        and not note.name.endswith(MASTER)
        and not note.is_pinned
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
        if _is_about(note, thing):
            naming.append(note)
        elif seen - len(naming) > (1 - _LEAST_NAMED) * len(group):
            return []
    return naming


def _is_about(note: Note, thing: str) -> bool:
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
    if len(days) < max(len(notes), 2) or any(note.type not in _LOG_TYPES for note in notes):
        return False
    return median((later - day).days for day, later in pairwise(days)) <= _LOG_DAYS

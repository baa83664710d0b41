"""Consolidate: many active notes on one topic become one master with a section for each; nothing is lost.

A topic is the `topic` property, or the first two words of the names: together with a tag, or, for
notes without tags, of names that read like headings. The sources become deprecated and lead to the master.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import count
from posixpath import dirname, join
from typing import Any

from mdmem.errors import MdmemError, NoteError, Problem
from mdmem.garden.gardeners.edits import Workspace, joined
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import Argument, Evidence, Findings, GardenSettings, Proposal, propose
from mdmem.index.edges import fold_target
from mdmem.language.statement.tables import FINITE
from mdmem.language.sureness import SURE
from mdmem.note import blocks, memory, naming, pieces
from mdmem.note.appendonly import IMMUTABLE
from mdmem.text import moments, stopwords, tokens

MASTER = "_master"
_KEPT_APART = IMMUTABLE | {"chapter", "wisdom", "working", "plan_graph"}
_LONGEST = 4  # times the size of an oversized note that a master may reach
_PREFIX = 2  # words that names must begin with to be of one topic
_LONGEST_HEADING = 4  # words
# Plurals of which people keep many notes; another word in "s" may be the verb of a sentence.
_COLLECTIONS = frozenset(
    "prefs preferences settings options defaults rules conventions guidelines notes goals ideas habits interests "
    "skills details facts contacts tools".split()
)
_CARRIED = ("project", "scope", "sensitivity", "origin", "type")


def plan(notes: Sequence[Note], settings: GardenSettings, today: datetime) -> Findings:
    """One master for each topic with more active notes than the settings allow."""
    ground = Ground(notes, settings.elsewhere)
    proposals, problems = [], []
    given: set[str] = set()
    whole = [note for note in notes if not ground.is_part(note)]
    for topic, group, sure in sorted(
        _topics(whole, settings.consolidate_above), key=lambda found: (found[0], found[1][0].circle)
    ):
        group.sort(key=lambda note: note.age_order)
        try:
            name = next(
                name for name in _names(topic, group[0]) if name not in given and _fits(ground, name, group[0])
            )
            given.add(name)
            found = _proposal(ground, (topic, name), group, _weighed(sure, group, settings), today)
            proposals += [found] if found else []
        except NoteError as error:
            problems.append(error.problem)
        except MdmemError as error:
            problems.append(Problem("consolidate", group[0].path, 0, error.message, error.hint, "warning"))
    return Findings(tuple(proposals), tuple(problems))


def _topics(notes: Sequence[Note], most: int) -> Iterator[tuple[str, list[Note], float]]:
    """(topic, its notes, how sure) of each that is too large. A note belongs to one of them only."""
    fit = [note for note in notes if _can_be_source(note)]
    named: dict[tuple[str, ...], list[Note]] = defaultdict(list)
    for note in fit:
        if note.text("topic"):
            named[*note.circle, note.text("topic").casefold()].append(note)
    yield from ((key[-1], group, SURE["topic.named"]) for key, group in named.items() if len(group) > most)
    prefixed: dict[tuple[str, ...], list[Note]] = defaultdict(list)
    for note in fit:
        words = note.name.split("_")
        if not note.text("topic") and len(words) > _PREFIX:
            for tag in filter(lambda tag: _says_more(tag, words), note.tags):
                prefixed[*note.circle, " ".join(words[:_PREFIX]), tag.casefold()].append(note)
            if not note.tags and _is_heading(words):
                prefixed[*note.circle, " ".join(words[:_PREFIX]), ""].append(note)
    taken: set[str] = set()
    for key, group in sorted(prefixed.items(), key=lambda found: (-len(found[1]), found[0])):
        left = [note for note in group if note.path not in taken]
        if len(left) > most:
            taken.update(note.path for note in left)
            yield key[-2], left, SURE["topic.prefix"]


def _says_more(tag: str, words: Sequence[str]) -> bool:
    """Whether a tag makes a topic of what names begin with: `maria_believes` and the tag `maria` are none."""
    return tag.casefold() not in words[:_PREFIX] or not words[1].endswith(("s", "ed", "ing", "ly"))


def _is_heading(words: Sequence[str]) -> bool:
    """Whether a name is that of a thing and an aspect of it (`user_prefs_colors`), and no sentence."""
    may_be_verb = words[1].endswith(("s", "ed", "ing", "ly")) and words[1] not in _COLLECTIONS
    is_plain = not (FINITE | stopwords.QUESTION).intersection(words)
    return is_plain and not may_be_verb and len(words) <= _LONGEST_HEADING


def _can_be_source(note: Note) -> bool:
    return (
        note.is_active
        and note.text("type") not in _KEPT_APART
        and not note.is_record
        and note.text("category") != "future"
        and not note.name.endswith(MASTER)
        and not memory.as_flag(note.meta.get("pinned"))
    )


def _weighed(sure: float, group: Sequence[Note], settings: GardenSettings) -> float:
    """Less sure where the master would be a note that ought to be split."""
    size = sum(tokens.estimate(note.body) for note in group)
    return sure if size <= _LONGEST * settings.oversize_tokens else SURE["topic.large"]


def _proposal(
    ground: Ground, called: tuple[str, str], group: Sequence[Note], sure: float, today: datetime
) -> Proposal | None:
    """The master of a topic, new or grown, and its sources led to it. Raises NoteError, MdmemError.

    `called` are the topic and the name of its master.
    """
    topic, name = called
    work = Workspace(ground)
    there = ground.named(fold_target(name))
    path = there[0] if there else join(dirname(group[0].path), name + ".md")
    sections = "\n\n".join(_section(work.placed(note, {note.path: path})) for note in group)
    if there:
        master = ground.by_path[path]
        work.set(master, **_growing(master, group))
        work.add(master, sections)
    else:
        meta = _meta(topic, group, today)
        work.create(path, memory.render(meta, f"# {meta['title']}\n\n{sections}"))
    for note in group:
        work.deprecate(note, name)
    case = Argument(
        gardener="consolidate",
        action="merge",
        title=f"combine {len(group)} notes on {topic} in {name}",
        confidence=sure,
        evidence=tuple(Evidence(note.path, 1, note.title, sure) for note in group),
        merged=path,
    )
    return propose(case, group, work.changed)


def _names(topic: str, source: Note) -> Iterator[str]:
    """Names for the master of a topic, the best first: where one is taken, it tells of the project, or counts."""
    yield _name(topic)
    if source.text("project"):
        yield _name(f"{topic} {source.text('project')}")
    yield from (_name(f"{topic} {number}") for number in count(2))


def _fits(ground: Ground, name: str, source: Note) -> bool:
    """Whether a name is free, or that of a master that may take up such a note."""
    paths = ground.named(fold_target(name))
    if len(paths) != 1:
        return not paths
    master = ground.by_path[paths[0]]
    alike = (master.circle, master.text("topic").casefold()) == (source.circle, source.text("topic").casefold())
    return alike and master.is_active and master.text("type") not in _KEPT_APART and not master.is_record


def _name(topic: str) -> str:
    """`<topic>_master`, with "notes" added to a topic of one word: names have at least three."""
    words = naming.words_of(topic)[: naming.LONG_WORDS - 1]
    return "_".join([*words, *(["notes"] if len(words) < naming.MIN_WORDS - 1 else [])]) + MASTER


def _growing(master: Note, group: Sequence[Note]) -> dict[str, Any]:
    tags = joined(master.tags, *(note.tags for note in group))
    sources = joined(master.items("derived_from"), [f"[[{note.name}]]" for note in group])
    return {"derived_from": sources, **({"tags": tags} if tags != list(master.tags) else {})}


def _meta(topic: str, group: Sequence[Note], today: datetime) -> dict[str, Any]:
    """The properties of a new master."""
    common = {key: Counter(note.text(key) for note in group).most_common(1)[0][0] for key in _CARRIED}
    return {
        "id": memory.derived_id("\n".join(note.id for note in group), "master"),
        "title": f"{memory.name_words(topic)}: master",
        "created": moments.render(today),
        "category": "present",
        "tags": joined(*(note.tags for note in group)) or None,
        "topic": next((note.text("topic") for note in group if note.text("topic")), None),
        **{key: value for key, value in common.items() if value},
        "source": "derived",
        "derived_from": [f"[[{note.name}]]" for note in group],
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
            lines[number - 1] = _heading(line, down)
    return "\n".join(lines)


def _heading(line: str, down: str) -> str:
    marks, _, text = line.strip().partition(" ")
    return f"{(marks + down)[:6]} {text}"

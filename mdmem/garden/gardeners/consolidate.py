"""Consolidate: many active notes on one topic become one master with a section for each; nothing is lost.

`garden.topics` finds the topics. The sources become deprecated and link to the master.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import count
from posixpath import dirname, join
from typing import Any

from mdmem.garden import topics
from mdmem.garden.gardeners.edits import Workspace, joined
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import (
    Evidence,
    Found,
    GardenSettings,
    Proposal,
    attempt,
)
from mdmem.language.sureness import SURE
from mdmem.note import blocks, memory, moments, naming, pieces, tokens
from mdmem.store.index.edges import fold_target

_LONGEST = 4  # a master may be so many times as long as an oversized note
_CARRIED = ("project", "scope", "sensitivity", "origin", "type")


def plan(ground: Ground, settings: GardenSettings, today: datetime) -> Iterator[Found]:
    """One master for each topic with more active notes than the settings allow."""
    given: set[str] = set()
    whole = [note for note in ground.notes if not ground.is_part(note)]
    large = topics.topics(whole, settings.consolidate_above)
    for topic, notes_on_it, sure in sorted(large, key=lambda found: (found.name, found.notes[0].circle)):
        group = sorted(notes_on_it, key=lambda note: note.age_order)
        source, sure_now = group[0], _weighed(sure, group, settings)
        name = next(name for name in _names(topic, source) if name not in given and _fits(ground, name, source))
        given.add(name)
        about = ground, (topic, name), group, sure_now, today, settings.asked
        yield attempt("consolidate", source.path, _proposal, *about)


def _weighed(sure: float, group: Sequence[Note], settings: GardenSettings) -> float:
    """How sure the topic is, lowered if the master would be so long that it ought to be split."""
    size = sum(tokens.estimate(note.body) for note in group)
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
    return alike and master.is_active and master.text("type") not in topics.KEPT_APART and not master.is_record


def _name(topic: str) -> str:
    """`<topic>_master`, with "notes" added to a topic of one word: names have at least three."""
    words = naming.words_of(topic)[: naming.LONG_WORDS - 1]
    return "_".join([*words, *(["notes"] if len(words) < naming.MIN_WORDS - 1 else [])]) + topics.MASTER


def _growing(master: Note, group: Sequence[Note]) -> dict[str, Any]:
    tags = joined(master.tags, *(note.tags for note in group))
    sources = joined(master.items("derived_from"), [f"[[{note.name}]]" for note in group])
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

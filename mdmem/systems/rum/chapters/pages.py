"""Notes of chapters and wisdom as records, and back.

The part made by rule is between two markers. Everything outside of them belongs to a person and is kept byte for
byte, as is a page whose markers were removed. In a note each line ends with links to the memories it is based on;
a record has the line without them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from mdmem.errors import Problem
from mdmem.note import fields
from mdmem.note.memory import Memory
from mdmem.note.structured import sections
from mdmem.note.structured.shapes import Shape, objections
from mdmem.note.yamltext import Value
from mdmem.systems.format import IdOf, LinkOf, problem_of
from mdmem.systems.rum import schema, work
from mdmem.systems.rum.chapters.synthesis import TOPICS, PageText, title_of
from mdmem.systems.rum.schema import Record

MANUAL, AUTO = schema.SHAPES["chapter"].of("origin").choices
GATHERS = "gathers"  # property of a detected chapter: the tag, or task:TYPE, that its works share
BEGIN, END = "<!-- mdmem:begin -->", "<!-- mdmem:end -->"
_RESTS_ON = re.compile(r"(?: \((?:\[\[[^\[\]\n]+\]\](?:, )?)+\))$")


class PageKind(NamedTuple):
    """A kind of page: the type of its notes, the field of its record with the ids it is made of, its own fields.

    `lists` are the fields with its lines.
    """

    type: str
    joined: str
    lists: tuple[str, ...]

    @property
    def prefix(self) -> str:
        """That of its ids in RUM."""
        return f"{self.type}_"

    @property
    def shape(self) -> Shape:
        """The shape of its record."""
        return schema.SHAPES[self.type]

    @property
    def body(self) -> Shape:
        """The shape of its body."""
        return Shape("record", fields={name: self.shape.of(name) for name in ("summary", *self.lists)})


CHAPTER = PageKind("chapter", "memories", ("learnings",))
WISDOM = PageKind("wisdom", "chapters", ("insights", "patterns", "best_practices"))
KINDS = {kind.type: kind for kind in (CHAPTER, WISDOM)}
# field of a record -> property of its note
_SAME = {"project_id": "project", "title": "title", "tags": "tags", "topics": "topics", "origin": "made"}
_TIMES = {"created_at": "created", "updated_at": "updated", "start_ts": "start", "end_ts": "end"}


# -- a note as a record --------------------------------------------------------------------------------------


def record_of(note: Memory, kind: PageKind, around: work.Around, updated: str) -> Record:
    """The record that a page states; invalid values are kept. `updated` is when it last changed (RFC 3339)."""
    said = {name: note.meta[prop] for name, prop in _SAME.items() if note.meta.get(prop) not in (None, "")}
    said |= {name: note.text(prop) for name, prop in _TIMES.items() if note.text(prop)}
    times = {"created_at": around.created, "updated_at": updated, **said}
    said |= {name: work.seconds_of(times[name]) for name in _TIMES if times.get(name)}
    if isinstance(said.get("tags"), str):
        said["tags"] = list(note.tags)
    body = sections.read(made_part(note.body) or note.body, kind.body).values
    found = {
        "id": work.rum_id(note.id, kind.prefix),
        **said,
        **{name: _bare(value) for name, value in body.items()},
    }
    kept = {name: found[name] for name in kind.shape.fields if name in found}
    return {**kept, kind.joined: _sources(note, kind, around.id_of)}


def _sources(note: Memory, kind: PageKind, id_of: IdOf) -> list[str]:
    """The ids of what a page is made of, in order."""
    ids = work.ids_of(note.meta.get("derived_from"), id_of)
    if kind is WISDOM:
        ids = [work.rum_id(work.note_id(id), CHAPTER.prefix) for id in ids]
    return list(dict.fromkeys(ids))


def _bare(value: Any) -> Any:
    """A text, or a list of texts, without the links at the end of each."""
    if isinstance(value, list):
        return [_bare(item) for item in value]
    return _RESTS_ON.sub("", value) if isinstance(value, str) else value


def problems(note: Memory, value: Record, kind: PageKind) -> tuple[Problem, ...]:
    """What keeps a page from being a valid record."""
    given = {name: item for name, item in value.items() if name != kind.joined}
    faults = objections(given, kind.shape)
    return (*note.problems, *(problem_of(note, kind.type, {}, fault) for fault in faults))


# -- a record as a note --------------------------------------------------------------------------------------


def note_of(value: Mapping[str, Any], kind: PageKind, link_of: LinkOf) -> tuple[dict[str, Value], str]:
    """The properties and the body of a new note for a valid record.

    Its text counts as a person's, except for a chapter that was detected: that can be made again, and grows.
    """
    properties: dict[str, Value] = {"type": kind.type}
    properties |= {"id": work.note_id(value["id"])} if "id" in value else {}
    properties |= {prop: value[name] for name, prop in _SAME.items() if name in value}
    properties |= {prop: work.moment_of(value[name]) for name, prop in _TIMES.items() if name in value}
    properties["derived_from"] = [link_of(id) or id for id in value[kind.joined]]
    said = {name: value[name] for name in kind.body.fields if name in value}
    body = sections.render(said, kind.body)
    if value.get("origin") != AUTO or BEGIN in body or END in body:
        return properties, body
    group = _group_of(value)
    return properties | ({GATHERS: group} if group else {}), f"{BEGIN}\n{body}{END}"


def _group_of(chapter: Mapping[str, Any]) -> str:
    """The tag, or task:TYPE, from which a detected chapter has its title, here or in RUM; "" if none."""
    tags = [*chapter.get("tags", ()), *chapter.get("topics", ())]
    keys = [*tags, *(f"task:{type}" for type in schema.TASK_TYPES)]
    title = chapter.get("title", "")
    return next((key for key in keys if title in (title_of(key), f"Topic: {key}")), "")


def parts_of(made: PageText, kind: PageKind, link_of: LinkOf) -> tuple[dict[str, Value], str]:
    """The properties of a page made by rule, and the part between its markers."""
    said: dict[str, Value] = {"summary": made.summary}
    for name, lines in made.lists.items():
        told = [(line.text, [link_of(id) or f"[[{id}]]" for id in line.ids]) for line in lines]
        said |= {name: [f"{text} ({', '.join(links)})" for text, links in told]} if told else {}
    topics = {"topics": list(made.tags[:TOPICS])} if kind is CHAPTER else {}
    times = {"start": work.moment_of(made.start), "end": work.moment_of(made.end)}
    return {"tags": list(made.tags), **topics, **times}, f"{BEGIN}\n{sections.render(said, kind.body)}{END}"


# -- the part made by rule -----------------------------------------------------------------------------------


def made_part(body: str) -> str:
    """The text between the markers, "" if there are none."""
    _, begin, rest = body.partition(BEGIN)
    inside, end, _ = rest.partition(END)
    return inside if begin and end else ""


def marked_part(body: str) -> str:
    """The part between the markers, including them; the page must have them."""
    return f"{BEGIN}{made_part(body)}{END}"


def is_made(body: str) -> bool:
    """Whether a page has a part that is made by rule."""
    return bool(made_part(body))


def remade(data: bytes, note: Memory, properties: Mapping[str, Value], marked: str) -> bytes:
    """The bytes of a page with new properties and a new part between its markers.

    Raises NoteError, UsageError like `note.fields`.
    """
    changes = {name: value for name, value in properties.items() if note.meta.get(name) != value}
    if changes:
        data = fields.set_fields(data, changes, note.path)
    before, _, rest = note.body.partition(BEGIN)
    after = rest.partition(END)[2]
    body = f"{before}{marked}{after}"
    return data if body == note.body else fields.set_body(data, body, note.path)

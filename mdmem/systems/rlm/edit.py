"""Writes chunks as notes, and edits notes as their chunks change. The result is verified by reading it again."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from mdmem.errors import NoteError, UsageError
from mdmem.note import fields, memory
from mdmem.note.memory import Memory
from mdmem.note.properties import CHUNK_TYPES, require_utf8
from mdmem.note.yamltext import Value
from mdmem.store import appendonly
from mdmem.systems.rlm import linking, projection
from mdmem.systems.rlm.schema import DEFAULT_CONFIDENCE, KINDS, Chunk, ChunkLinks, derived_id, is_id
from mdmem.systems.rlm.view import ChunkPlace, ChunkView

Count = Callable[[str], int]


def require_sound(given: Mapping[str, Any]) -> None:
    """Raise UsageError for fields of a chunk that have a wrong type, or that no note can hold."""
    links, tokens = given.get("links"), given.get("tokens")
    document = {
        **{"id": "", "type": "", "content": given.get("content", ""), "tokens": 0 if tokens is None else tokens},
        "metadata": {"created": "", "confidence": given.get("confidence", DEFAULT_CONFIDENCE)},
        "links": vars(links) if isinstance(links, ChunkLinks) else links,
    }
    try:
        made = Chunk.from_dict({**document, "tags": list(given.get("tags") or [])})
        if not isfinite(made.metadata.confidence):
            raise ValueError(f"metadata.confidence cannot be {made.metadata.confidence}")
    except (ValueError, TypeError, OverflowError) as error:
        raise UsageError(f"no note can hold such a chunk: {error}", "its numbers have to be finite") from None
    require_utf8(made.to_dict())


def new_note(path: str, chunk: Chunk, extra: Mapping[str, Value], count: Count) -> bytes:
    """The bytes of a note that reads back as this chunk, except for its links and uses.

    `extra` are further properties, such as the `id` of the memory. Raises UsageError for a chunk that no note can
    hold.
    """
    require_utf8(chunk.to_dict())
    meta, body = projection.note_of(chunk, count)
    if chunk.id == derived_id(memory.as_text(extra.get("id")), chunk.metadata.created):
        del meta["chunk_id"]
    base = {**meta, **extra}
    wanted = replace(
        chunk, links=ChunkLinks(), metadata=replace(chunk.metadata, access_count=0, last_accessed=None)
    )
    for changes, text in _forms(chunk, body, count):
        try:
            data = fields.set_body(memory.render({**base, **changes}, ""), text, path)
            note = memory.parse(data, path)
        except (UsageError, NoteError, ValueError):
            continue
        if not note.problems and projection.chunks_of(note, "", count) == [wanted]:
            return data
    raise UsageError(f"no note can hold the chunk {chunk.id}", "its texts have to be UTF-8, its numbers finite")


def _forms(chunk: Chunk, body: str, count: Count) -> Iterator[tuple[Mapping[str, Value], str]]:
    """(properties, body) that may hold what a chunk says: its text as it is, else as an indented code block."""
    yield projection.content_of(chunk, body, count), body
    text = chunk.content.replace("\0", " ").replace("\r\n", "\n").replace("\r", "\n")
    coded = "\n".join(f"    {line}" for line in text.split("\n")) if text.strip() else ""
    yield projection.content_of(chunk, coded, count), coded


def with_content(data: bytes, note: Memory, chunk: Chunk, count: Count) -> bytes:
    """The bytes of a note of one chunk, with the content of `chunk`.

    Raises UsageError for a text that no note can hold.
    """
    require_utf8(chunk.content)
    _, body = projection.note_of(chunk, count)
    for changes, text in _forms(chunk, body, count):
        try:
            new_data = fields.set_body(fields.set_fields(data, changes, note.path), text, note.path)
            (made,) = projection.chunks_of(memory.parse(new_data, note.path), chunk.metadata.created, count)
        except (UsageError, NoteError, ValueError):
            continue
        if (made.content, made.tokens) == (chunk.content, chunk.tokens):
            return new_data
    raise UsageError(f"no note can hold the new text of {chunk.id}", "it has to be UTF-8")


def with_part(data: bytes, note: Memory, chunks: Sequence[Chunk], part: int, content: str) -> bytes:
    """The bytes of a note of several chunks, with a new content for one. Raises UsageError, NoteError."""
    start = 0
    for chunk in chunks[:part]:
        start = note.body.index(chunk.content, start) + len(chunk.content)
    start = note.body.index(chunks[part].content, start)
    body = note.body[:start] + content + note.body[start + len(chunks[part].content) :]
    bare = fields.set_fields(data, dict.fromkeys(("chunk_tokens", "chunk_content", "chunk_digest")), note.path)
    return fields.set_body(bare, body, note.path)


def objection(path: str, before: bytes, after: bytes) -> str:
    """Why the note of a chunk may not change from `before` to `after`, "" if it may.

    An episode is written once, and a note whose type has sections keeps them all.
    """
    if appendonly.is_rewritten(path, before, after):
        return appendonly.EPISODE
    old, new = (memory.parse(data, path) for data in (before, after))
    if CHUNK_TYPES.get(old.type, old.type) == old.type:
        return ""
    from mdmem.note.structured import sections  # loads the parser of Markdown

    is_whole = sections.parse(old.body).keys() <= sections.parse(new.body).keys()
    return "" if is_whole else f"would lose sections that a {old.type} has"


def changes_for(updates: Mapping[str, Any]) -> dict[str, Value]:
    """The property changes for a new type, new tags or a new confidence of a chunk; None removes a property."""
    changes: dict[str, Value] = {}
    if updates.get("type") is not None:
        kind = str(updates["type"])
        own = CHUNK_TYPES.get(kind) == kind
        changes |= {"type": kind if own else None, "chunk_type": None if own else kind}
    if "tags" in updates:
        changes |= projection.tags_of(updates["tags"] or [])
    if "confidence" in updates:
        changes["confidence"] = updates["confidence"]
    return changes


def link_changes(
    view: ChunkView,
    place: ChunkPlace,
    note: Memory,
    wanted: Mapping[str, Sequence[str]],
    by_id: Container[str] = (),
) -> dict[str, Value]:
    """The property changes by which a chunk has exactly the links `wanted` (kind -> ids).

    Links that are computed anyway are not written, nor are invalid chunk ids; a link to something other than a
    chunk stays. Chunks in `by_id` are linked to by id, because their notes are about to be deleted.
    """
    changes: dict[str, Value] = {}
    for kind in KINDS:
        if kind not in wanted:
            continue
        items = note.strings(kind)
        kept = [item for item in items if (id := view.target(item)) == "" or id in wanted[kind]]
        known = {view.target(item) for item in kept} | {place.head.ids[place.part]}
        new = (
            _link(view, id, by_id)
            for id in wanted[kind]
            if is_id(id) and id not in known and not _implied(view, kind, place, id)
        )
        made = list(dict.fromkeys([*kept, *new]))
        if made != list(items):
            changes[kind] = [*made] or None
    return changes


def _implied(view: ChunkView, kind: str, place: ChunkPlace, id: str) -> bool:
    other = view.find(id)
    return other is not None and linking.implied(kind, (place.head, place.part), (other.head, other.part))


def _link(view: ChunkView, id: str, by_id: Container[str]) -> str:
    """A wikilink to a chunk: by the name of its note, or by id if it is not the first chunk of its note."""
    place = None if id in by_id else view.find(id)
    return f"[[{memory.stem(place.head.path)}]]" if place and place.part == 0 else f"[[{id}]]"

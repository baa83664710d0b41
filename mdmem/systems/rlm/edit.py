"""Chunks written as notes, and notes changed as chunks are: what is written is read again before it counts."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from mdmem.errors import NoteError, UsageError
from mdmem.note import fields, memory
from mdmem.note.memory import Memory
from mdmem.note.properties import CHUNK_TYPES, require_utf8
from mdmem.systems.rlm import linking, projection
from mdmem.systems.rlm.schema import DEFAULT_CONFIDENCE, KINDS, Chunk, ChunkLinks, derived_id, is_id
from mdmem.systems.rlm.view import ChunkPlace, ChunkView
from mdmem.text.yamltext import Value
from mdmem.write.titles import title_of

Count = Callable[[str], int]


def require_sound(given: Mapping[str, Any]) -> None:
    """Raise UsageError for fields of a chunk that are of a wrong kind, or that no note can hold."""
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
    """The bytes of a note that gives that chunk again, links and uses apart.

    `extra` are properties besides, the `id` of the memory among them. Raises UsageError for a chunk that no
    note can hold.
    """
    require_utf8(chunk.to_dict())
    meta, body = projection.note_of(chunk, count)
    if chunk.id == derived_id(memory.as_text(extra.get("id")), chunk.metadata.created):
        del meta["chunk_id"]
    title = title_of(chunk.content) or memory.name_words(memory.stem(path))
    base = {"title": title, **meta, **extra}
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
    """(properties, body) by which a note may say what a chunk says: its own words, else those as code."""
    yield projection.content_of(chunk, body, count), body
    text = chunk.content.replace("\0", " ").replace("\r\n", "\n").replace("\r", "\n")
    coded = "\n".join(f"    {line}" for line in text.split("\n")) if text.strip() else ""
    yield projection.content_of(chunk, coded, count), coded


def with_content(data: bytes, note: Memory, chunk: Chunk, count: Count) -> bytes:
    """The bytes of a note of one chunk that now says what `chunk` says. A title made of the text follows it.

    Raises UsageError for a text that no note can hold.
    """
    require_utf8(chunk.content)
    old = projection.chunks_of(note, chunk.metadata.created, count)[0].content
    title: dict[str, Value] = {}
    if note.text("title") == title_of(old) and (new := title_of(chunk.content)):
        title["title"] = new
    _, body = projection.note_of(chunk, count)
    for changes, text in _forms(chunk, body, count):
        try:
            new_data = fields.set_body(fields.set_fields(data, {**changes, **title}, note.path), text, note.path)
            (made,) = projection.chunks_of(memory.parse(new_data, note.path), chunk.metadata.created, count)
        except (UsageError, NoteError, ValueError):
            continue
        if (made.content, made.tokens) == (chunk.content, chunk.tokens):
            return new_data
    raise UsageError(f"no note can hold the new text of {chunk.id}", "it has to be UTF-8")


def with_part(data: bytes, note: Memory, chunks: Sequence[Chunk], part: int, content: str) -> bytes:
    """The bytes of a note of several chunks, with another text for one of them. Raises UsageError, NoteError."""
    start = 0
    for chunk in chunks[:part]:
        start = note.body.index(chunk.content, start) + len(chunk.content)
    start = note.body.index(chunks[part].content, start)
    body = note.body[:start] + content + note.body[start + len(chunks[part].content) :]
    bare = fields.set_fields(data, dict.fromkeys(("chunk_tokens", "chunk_content", "chunk_digest")), note.path)
    return fields.set_body(bare, body, note.path)


def changes_for(updates: Mapping[str, Any]) -> dict[str, Value]:
    """The properties that a new type, new tags or a new confidence of a chunk come down to; None removes one."""
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
    """The properties of a note by which its chunk has the links `wanted` (kind -> ids), and no others.

    Links that nobody has to write are not written, nor is what cannot be a chunk id; a link to something
    other than a chunk stays. Chunks of `by_id` are linked to by their ids, for their notes are about to go.
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
    """A wikilink to a chunk: by the name of its note, or by its own id where it is not the first of a note."""
    place = None if id in by_id else view.find(id)
    return f"[[{memory.stem(place.head.path)}]]" if place and place.part == 0 else f"[[{id}]]"

"""A memory as the chunks that programs of the RLM-MEM schema read, and a chunk as a note. Pure.

A memory is one chunk; one of more than 800 tokens is several chunks that follow one another. Properties of the
note hold what a chunk states and a note has no other place for, so that a chunk that is written as a note and
rendered again is the same (`new_note` and `nodes_of` are inverses). What is written is verified by reading it:

    chunk_id        the id of its first chunk, if it is not the derived one
    chunk_type      its type, if that is not what CHUNK_TYPES says of the note's type
    chunk_source    its source, if that is none of interaction, import, derived
    chunk_tags      its tags, if a note cannot have them: with a #, spaces at their ends, or twice
    chunk_tokens    its tokens, if they are not what the tokenizer counts
    chunk_content   its content, if the note's text cannot hold it: blank, or with white space at its ends
    chunk_digest    the text of the note to which chunk_tokens and chunk_content apply: an edit voids both
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from math import isfinite
from typing import Any

from mdmem.errors import NoteError, UsageError
from mdmem.note import fields, links, memory, moments
from mdmem.note.memory import Memory, as_text, stem
from mdmem.note.properties import CHUNK_TYPES, SOURCES, require_utf8
from mdmem.note.yamltext import Value
from mdmem.store import appendonly
from mdmem.systems.format import written
from mdmem.systems.rlm import schema
from mdmem.systems.rlm.cut import MAX_TOKENS, ChunkingEngine, detect_type
from mdmem.systems.rlm.linking import Node
from mdmem.systems.rlm.schema import Chunk, ChunkLinks, derived_id
from mdmem.write.edit import lost_sections

_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z")
_EPOCH = "1970-01-01T00:00:00Z"

Count = Callable[[str], int]


def nodes_of(note: Memory, created: str, count: Count) -> list[Node]:
    """The chunks of a memory, in order.

    `created` (RFC 3339, from history) is used if the note does not state it; `count` returns the tokens of a text.
    """
    content, parts = _parts(note, count)
    stated, given = note.text("created"), note.text("chunk_id")
    is_exact = _STAMP.fullmatch(stated) and moments.parse(stated)
    made = stated if is_exact else note.created or created or _EPOCH
    confidence = note.number("confidence")
    whole = Node(
        when=datetime.fromisoformat(made).timestamp(),
        memory=note.id,
        part=0,
        id="",
        path=note.path,
        name=memory.fold(note.name),
        type=_type(note, content),
        created=made,
        conversation=note.text("session"),
        source=_source(note),
        confidence=schema.DEFAULT_CONFIDENCE if confidence is None else confidence,
        tags=_tags(note),
        manual=_manual(note),
        content="",
        tokens=0,
    )
    own = [given] if schema.is_id(given) else []
    ids = [*own, *(derived_id(note.id, made, part) for part in range(len(own), len(parts)))]
    return [
        whole._replace(part=part, id=id, content=text, tokens=tokens)
        for part, (id, (text, tokens)) in enumerate(zip(ids, parts, strict=True))
    ]


def _parts(note: Memory, count: Count) -> tuple[str, list[tuple[str, int]]]:
    """What a memory says, and (content, tokens) of each of its chunks."""
    body = _text(note.body)
    own = note.text("chunk_digest") == digest(body)
    content = note.text("chunk_content") if own and "chunk_content" in note.meta else body or note.title
    said = note.number("chunk_tokens") if own else None
    if said is not None:
        return content, [(content, int(said))]
    pieces = [content] if count(content) <= MAX_TOKENS else ChunkingEngine(count=count).split(content)
    return content, [(piece, count(piece)) for piece in pieces]


def _source(note: Memory) -> str:
    if (said := note.text("source")) in SOURCES:
        return said
    return note.text("chunk_source") if "chunk_source" in note.meta else schema.DEFAULT_SOURCE


def _manual(note: Memory) -> list[list[str]]:
    """The links in the properties of a note, see `Node`."""
    return [
        [kind, memory.fold(stem(target)), target]
        for kind in schema.KINDS
        for target in map(links.wikilink_target, note.strings(kind))
        if target
    ]


def _type_properties(kind: str) -> dict[str, Value]:
    """The properties that hold the type of a chunk; None for one that is not needed."""
    is_own = CHUNK_TYPES.get(kind) == kind
    return {"type": kind if is_own else None, "chunk_type": None if is_own else kind}


def tags_of(tags: Sequence[str]) -> dict[str, Value]:
    """The properties that hold the tags of a chunk; None for one that is not needed."""
    plain: list[Value] = list(_plain_tags(tags))
    return {"tags": plain or None, "chunk_tags": None if plain == list(tags) else list(tags)}


def content_of(chunk: Chunk, body: str, count: Count) -> dict[str, Value]:
    """The properties for content and tokens that a note with that body needs; None for one that is not needed."""
    same = body and body == chunk.content
    counted = count(chunk.content) == chunk.tokens and chunk.tokens <= MAX_TOKENS
    return {
        "chunk_tokens": None if counted else chunk.tokens,
        "chunk_content": None if same else chunk.content,
        "chunk_digest": None if same and counted else digest(body),
    }


def digest(body: str) -> str:
    """A digest of a note's text: 16 hex digits."""
    import hashlib

    return hashlib.sha256(_text(body).encode()).hexdigest()[:16]


def _text(body: str) -> str:
    """The text that a note keeps: without line ends around it, "" if it is blank."""
    return body.strip("\n") if body.strip() else ""


def _type(note: Memory, content: str) -> str:
    if note.type in CHUNK_TYPES:
        return CHUNK_TYPES[note.type]
    if "chunk_type" in note.meta:
        return note.text("chunk_type")
    return "note" if note.type else detect_type(content)


def _tags(note: Memory) -> list[str]:
    own = note.meta.get("chunk_tags")
    given = [as_text(tag) for tag in own] if isinstance(own, list) else []
    return given if _plain_tags(given) == note.tags else list(note.tags)


def _plain_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags in a form that no longer changes when a note is read: `# # a` becomes `# a`, and that `a`."""
    while (plain := Memory("", "", {"tags": list(tags)}, "", "none", 1).tags) != tuple(tags):
        tags = plain
    return plain


def distinct(memories: Mapping[str, list[Node]], others: Iterable[str] = ()) -> dict[str, list[Node]]:
    """The chunks of memories by key, with ids that are unique regardless of case and not among `others`.

    If two memories claim an id, the one with the smaller memory id, then path, keeps it; the other's is derived
    again.
    """
    wanted = [node.id.lower() for nodes in memories.values() for node in nodes]
    asked, taken = set(wanted), {id.lower() for id in others}
    found = dict(memories)
    if len(asked | taken) == len(wanted) + len(taken):
        return found
    for key, nodes in sorted(memories.items(), key=lambda item: (item[1][0].memory, item[1][0].path)):
        found[key] = []
        for node in nodes:
            attempt, id = 0, node.id
            while id.lower() in taken or (attempt and id.lower() in asked):
                attempt += 1
                id = derived_id(node.memory, node.created, node.part, attempt)
            taken.add(id.lower())
            found[key].append(node._replace(id=id))
    return found


# -- chunks that are written ---------------------------------------------------------------------------------


def require_sound(given: Mapping[str, Any]) -> None:
    """Raise UsageError for fields of a chunk that have a wrong type, or that no note can hold."""
    confidence = given.get("confidence", schema.DEFAULT_CONFIDENCE)
    document = {
        "content": "",
        **given,
        "id": "",
        "type": "",
        "tokens": given.get("tokens") or 0,
        "links": written(given.get("links")),
        "metadata": {"created": "", "confidence": confidence},
    }
    try:
        made = Chunk.from_dict(document)
        if not isfinite(confidence):
            raise ValueError(f"metadata.confidence cannot be {confidence}")
    except (ValueError, OverflowError) as error:
        raise UsageError(f"no note can hold such a chunk: {error}", "its numbers have to be finite") from None
    require_utf8(made.to_dict())


def new_note(path: str, chunk: Chunk, extra: Mapping[str, Value], count: Count) -> bytes:
    """The bytes of a note that reads back as this chunk, except for its links and uses.

    `extra` are further properties, such as the `id` of the memory. Raises UsageError for a chunk that no note can
    hold.
    """
    require_utf8(chunk.to_dict())
    about = chunk.metadata
    is_usual = about.source in SOURCES
    meta = {
        "created": about.created,
        **_type_properties(chunk.type),
        **tags_of(chunk.tags),
        "confidence": about.confidence,
        "source" if is_usual else "chunk_source": about.source,
        "session": about.conversation_id or None,
        "chunk_id": None if chunk.id == derived_id(as_text(extra.get("id")), about.created) else chunk.id,
        **extra,
    }
    wanted = replace(chunk, links=ChunkLinks(), metadata=replace(about, access_count=0, last_accessed=None))
    return _holding(
        path,
        chunk,
        count,
        lambda changes, text: fields.compose({**meta, **changes}, text, path)[0],
        lambda note, made: not note.problems and made == wanted,
    )


def with_content(data: bytes, path: str, chunk: Chunk, count: Count) -> bytes:
    """The bytes of a note of one chunk, with the content and tokens of `chunk`.

    Raises UsageError for a text that no note can hold.
    """
    require_utf8(chunk.content)
    wanted = chunk.content, chunk.tokens
    return _holding(
        path,
        chunk,
        count,
        lambda changes, text: fields.set_body(fields.set_fields(data, changes, path), text, path),
        lambda _, made: (made.content, made.tokens) == wanted,
    )


def _holding(
    path: str,
    chunk: Chunk,
    count: Count,
    written: Callable[[Mapping[str, Value], str], bytes],
    is_right: Callable[[Memory, Chunk], bool],
) -> bytes:
    """A note, `written` with the content of a chunk in a form that is right when it is read again."""
    for changes, text in _forms(chunk, count):
        try:
            made = written(changes, text)
            note = memory.parse(made, path)
            (back,) = nodes_of(note, "", count)
        except (UsageError, NoteError, ValueError):
            continue
        if is_right(note, back.chunk(ChunkLinks())):
            return made
    raise UsageError(f"no note can hold the chunk {chunk.id}", "its texts have to be UTF-8, its numbers finite")


def _forms(chunk: Chunk, count: Count) -> Iterator[tuple[Mapping[str, Value], str]]:
    """(properties, body) that may hold what a chunk says: its text as it is, else as an indented code block."""
    body = _text(chunk.content.replace("\r\n", "\n"))
    yield content_of(chunk, body, count), body
    text = chunk.content.replace("\0", " ").replace("\r\n", "\n").replace("\r", "\n")
    coded = "\n".join(f"    {line}" for line in text.split("\n")) if text.strip() else ""
    yield content_of(chunk, coded, count), coded


def with_part(data: bytes, note: Memory, chunks: Sequence[Node], part: int, content: str) -> bytes:
    """The bytes of a note of several chunks, with a new content for one. Raises UsageError, NoteError."""
    start = 0
    for chunk in chunks[:part]:
        start = note.body.index(chunk.content, start) + len(chunk.content)
    start = note.body.index(chunks[part].content, start)
    body = note.body[:start] + content + note.body[start + len(chunks[part].content) :]
    bare = fields.set_fields(data, dict.fromkeys(("chunk_tokens", "chunk_content", "chunk_digest")), note.path)
    return fields.set_body(bare, body, note.path)


def changes_for(updates: Mapping[str, Any]) -> dict[str, Value]:
    """The property changes for a new type, new tags or a new confidence of a chunk; None removes a property."""
    changes: dict[str, Value] = {}
    if updates.get("type") is not None:
        changes |= _type_properties(str(updates["type"]))
    if "tags" in updates:
        changes |= tags_of(updates["tags"] or [])
    if "confidence" in updates:
        changes["confidence"] = updates["confidence"]
    return changes


def objection(path: str, before: bytes, after: bytes) -> str:
    """Why the note of a chunk may not change from `before` to `after`, "" if it may.

    An episode is written once, and a note whose type has sections keeps them all.
    """
    if appendonly.is_rewritten(path, before, after):
        return appendonly.EPISODE
    return lost_sections(path, before, after)

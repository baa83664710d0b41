"""A memory as the chunks that programs of the RLM-MEM schema read. Pure; nothing is ever read back from chunks.

A memory is one chunk; one of more than 800 tokens is several chunks that follow one another. Properties of the
note hold what a chunk states and a note has no other place for, so that a chunk that is written as a note and
rendered again is the same (`note_of` and `chunks_of` are inverses):

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
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from mdmem.note import links, memory, moments
from mdmem.note.memory import Memory, as_text, stem
from mdmem.note.properties import CHUNK_TYPES, SOURCES
from mdmem.systems.rlm.cut import MAX_TOKENS, ChunkingEngine, detect_type
from mdmem.systems.rlm.linking import ChunkHead
from mdmem.systems.rlm.schema import (
    DEFAULT_CONFIDENCE,
    DEFAULT_SOURCE,
    KINDS,
    Chunk,
    ChunkLinks,
    ChunkMetadata,
    derived_id,
    is_id,
)

if TYPE_CHECKING:
    from mdmem.note.yamltext import Value

_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z")
_EPOCH = "1970-01-01T00:00:00Z"


def chunks_of(note: Memory, created: str, count: Callable[[str], int]) -> list[Chunk]:
    """The chunks of a memory, in order, without links and uses.

    `created` (RFC 3339, from history) is used if the note does not state it; `count` returns the tokens of a text.
    """
    body = _text(note.body)
    own = note.text("chunk_digest") == digest(body)
    content = note.text("chunk_content") if own and "chunk_content" in note.meta else body or note.title
    said = note.number("chunk_tokens") if own else None
    if said is not None:
        parts = [(content, int(said))]
    else:
        pieces = [content] if count(content) <= MAX_TOKENS else ChunkingEngine(count=count).split(content)
        parts = [(piece, count(piece)) for piece in pieces]
    made = stamp(note, created)
    kind = _type(note, content)
    return [
        Chunk(chunk_id(note, made, part), text, tokens, kind, _metadata(note, made), tags=_tags(note))
        for part, (text, tokens) in enumerate(parts)
    ]


def chunk_id(note: Memory, created: str, part: int, attempt: int = 0) -> str:
    """The id of a part of a memory; `attempt` is raised while the id is taken."""
    given = note.text("chunk_id")
    if part == 0 and attempt == 0 and is_id(given):
        return given
    return derived_id(note.id, created, part, attempt)


def stamp(note: Memory, created: str) -> str:
    """When a memory was created, ISO 8601 with Z; with fractions of a second if the note has them."""
    written = note.text("created")
    if _STAMP.fullmatch(written) and moments.parse(written):
        return written
    return note.created or created or _EPOCH


def manual_links(note: Memory) -> dict[str, tuple[str, ...]]:
    """kind -> the targets, as written, of the links in the note's property of that name."""
    found = {kind: tuple(filter(None, map(links.wikilink_target, note.strings(kind)))) for kind in KINDS}
    return {kind: targets for kind, targets in found.items() if targets}


def note_of(chunk: Chunk, count: Callable[[str], int]) -> tuple[dict[str, Value], str]:
    """(properties, body) of a note that reads back as this chunk, except for links; without title and id."""
    body = _text(chunk.content.replace("\r\n", "\n"))
    type_ = chunk.type if CHUNK_TYPES.get(chunk.type) == chunk.type else None
    meta: dict[str, Value] = {
        "created": chunk.metadata.created,
        "type": type_,
        **tags_of(chunk.tags),
        "confidence": chunk.metadata.confidence,
        "source": chunk.metadata.source if chunk.metadata.source in SOURCES else None,
        "session": chunk.metadata.conversation_id or None,
        "chunk_id": chunk.id,
        "chunk_type": None if type_ else chunk.type,
        "chunk_source": None if chunk.metadata.source in SOURCES else chunk.metadata.source,
        **content_of(chunk, body, count),
    }
    return {key: value for key, value in meta.items() if value is not None}, body


def tags_of(tags: Sequence[str]) -> dict[str, Value]:
    """The properties that hold the tags of a chunk; None for one that is not needed."""
    plain: list[Value] = list(_plain_tags(tags))
    return {"tags": plain or None, "chunk_tags": None if plain == list(tags) else list(tags)}


def content_of(chunk: Chunk, body: str, count: Callable[[str], int]) -> dict[str, Value]:
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


def _metadata(note: Memory, created: str) -> ChunkMetadata:
    confidence = note.number("confidence")
    source = note.text("source")
    if source not in SOURCES:
        source = note.text("chunk_source") if "chunk_source" in note.meta else DEFAULT_SOURCE
    return ChunkMetadata(
        created=created,
        conversation_id=note.text("session"),
        source=source,
        confidence=DEFAULT_CONFIDENCE if confidence is None else confidence,
    )


def head_of(note: Memory, chunks: Sequence[Chunk]) -> ChunkHead:
    """What the chunks of a memory have in common, and the links in its properties."""
    first = chunks[0]
    return ChunkHead(
        memory=note.id,
        path=note.path,
        name=memory.fold(note.name),
        ids=[chunk.id for chunk in chunks],
        type=first.type,
        created=first.metadata.created,
        conversation=first.metadata.conversation_id,
        source=first.metadata.source,
        confidence=first.metadata.confidence,
        tags=first.tags,
        manual=[
            [kind, memory.fold(stem(target)), target]
            for kind, targets in manual_links(note).items()
            for target in targets
        ],
    )


def distinct(heads: Mapping[str, ChunkHead], others: Iterable[str] = ()) -> dict[str, ChunkHead]:
    """The memories by key, with chunk ids that are unique regardless of case and not among `others`.

    If two memories claim an id, the one with the smaller memory id, then path, keeps it; the other's is derived
    again.
    """
    taken = {id.lower() for id in others}
    counts = Counter(id.lower() for head in heads.values() for id in head.ids)
    if len(counts) == counts.total() and taken.isdisjoint(counts):
        return dict(heads)
    found = dict(heads)
    for key, head in sorted(heads.items(), key=lambda item: (item[1].memory, item[1].path)):
        ids = []
        for part, wanted in enumerate(head.ids):
            attempt, id = 0, wanted
            while id.lower() in taken or (attempt and id.lower() in counts):
                attempt += 1
                id = derived_id(head.memory, head.created, part, attempt)
            taken.add(id.lower())
            ids.append(id)
        found[key] = head._replace(ids=ids)
    return found


def chunk_of(head: ChunkHead, part: int, content: str, tokens: int, linked: ChunkLinks) -> Chunk:
    """One part of a memory as a chunk."""
    metadata = ChunkMetadata(head.created, head.conversation, head.source, head.confidence)
    return Chunk(head.ids[part], content, tokens, head.type, metadata, linked, list(head.tags))

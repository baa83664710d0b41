"""The JSON document of the RLM-MEM chunk schema, to the letter.

The classes are mutable, as programs written for that schema expect. Reading is as strict as the schema and raises
nothing but ValueError (which includes JSONDecodeError), so that a damaged file costs only one chunk.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Self

from mdmem.errors import UsageError
from mdmem.note.properties import SOURCES
from mdmem.note.shapes import Objection
from mdmem.systems.format import Document
from mdmem.systems.rlm.cut import MAX_TOKENS

DEFAULT_CONFIDENCE = 0.7
DEFAULT_SOURCE = "interaction"
_ID = re.compile(r"[A-Za-z0-9_.-]{1,200}")
_DATED = re.compile(r"chunk-([0-9]{4}-[0-9]{2})-[0-9]{2}-.+")
_NO_DAY = "1970-01-01"
TOKENS_FIX = "remove chunk_tokens: tokens are then counted, and a long text becomes several chunks"
_KIND_FIX = "write chunk_type as one of these, or remove it"
_SOURCE_FIX = "write chunk_source as one of these, or remove it"


class ChunkType(StrEnum):
    """The kinds of chunks."""

    FACT = "fact"
    PREFERENCE = "preference"
    PATTERN = "pattern"
    NOTE = "note"
    DECISION = "decision"


@dataclass
class ChunkMetadata(Document):
    """The origin and use of a chunk. `created` and `last_accessed` are ISO 8601 UTC with Z."""

    created: str
    conversation_id: str = ""
    source: str = DEFAULT_SOURCE
    confidence: float = DEFAULT_CONFIDENCE
    access_count: int = 0
    last_accessed: str | None = None


@dataclass
class ChunkLinks(Document):
    """The ids of the chunks that a chunk is linked to, by kind."""

    context_of: list[str] = field(default_factory=list)
    follows: list[str] = field(default_factory=list)
    related_to: list[str] = field(default_factory=list)
    supports: list[str] = field(default_factory=list)
    contradicts: list[str] = field(default_factory=list)


KINDS = tuple(one.name for one in fields(ChunkLinks))


@dataclass
class Chunk(Document):
    """One chunk. `tokens` is what its author counted: any number is accepted."""

    id: str
    content: str
    tokens: int
    type: str
    metadata: ChunkMetadata
    links: ChunkLinks = field(default_factory=ChunkLinks)
    tags: list[str] = field(default_factory=list)

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """`links` and `tags` may be absent or null. Raises ValueError for what is missing or has a wrong type."""
        if isinstance(data, Mapping):
            data = {name: value for name, value in data.items() if value or name not in ("links", "tags")}
        return super().from_dict(data)

    def to_json(self, indent: int = 2) -> str:
        """The document as JSON, to be stored as UTF-8."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    @classmethod
    def from_json(cls, json_str: str) -> Self:
        """Raises JSONDecodeError for invalid JSON, ValueError for a document that is not a chunk."""
        try:
            return cls.from_dict(json.loads(json_str))
        except RecursionError:
            raise ValueError("the document is nested too deeply") from None


def is_id(text: object) -> bool:
    """Whether a string can be a chunk id: letters, digits, `-`, `_` and dots, but not dots alone.

    This allows more than the ids made here, so that ids of other programs work; no such id can escape a folder.
    """
    return isinstance(text, str) and bool(_ID.fullmatch(text)) and bool(text.strip("."))


def tags_given(tags: Sequence[str] | None) -> list[str]:
    """Tags as a program passes them: a list, or a single string. Raises UsageError for anything else."""
    if not isinstance(tags, Iterable | None):
        raise UsageError(f"tags cannot be {tags!r}", "give a list of strings")
    return [tags] if isinstance(tags, str) else list(tags or ())


def objections(chunk: Chunk) -> Iterator[Objection]:
    """What is wrong with the values of a chunk according to the schema. All of them can be stored.

    The fix is for a note; "" where the rules for notes have one. A text below the minimum length of a chunk is
    accepted, since most notes are that short.
    """
    yield from faults(chunk.type, chunk.metadata.source, chunk.metadata.confidence)
    if not 0 <= chunk.tokens <= MAX_TOKENS:
        yield Objection("tokens", f"are {chunk.tokens}, not from 0 to {MAX_TOKENS}", TOKENS_FIX)
    if not chunk.content.strip():
        yield Objection("content", "is empty", "write its content, or mdmem forget it")
    if not _DATED.fullmatch(chunk.id):
        message = f"is {chunk.id!r}, not chunk-YYYY-MM-DD-{{8 hex}}"
        yield Objection("id", message, "remove chunk_id: a new one is then made")


def faults(kind: str, source: str, confidence: float) -> Iterator[Objection]:
    """The objections for which a chunk is not read: its type, source or confidence is none of the schema's."""
    if kind not in set(ChunkType):
        yield Objection("type", f"is {kind!r}, not one of {', '.join(ChunkType)}", _KIND_FIX)
    if source not in SOURCES:
        yield Objection("metadata.source", f"is {source!r}, not one of {', '.join(SOURCES)}", _SOURCE_FIX)
    if not 0.0 <= confidence <= 1.0:
        yield Objection("metadata.confidence", f"is {confidence}, not from 0 to 1", "")


def derived_id(memory_id: str, created: str, part: int = 0, attempt: int = 0) -> str:
    """The id of a part of a memory: `chunk-YYYY-MM-DD-{8 hex}`, stable across renames and machines.

    Only the day of `created` (ISO 8601) counts. Callers raise `attempt` if the id is taken.
    """
    import hashlib

    day = created[:10] or _NO_DAY
    key = "\n".join([memory_id, day, str(part), *([str(attempt)] if attempt else [])])
    return f"chunk-{day}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"


def stamp_of(moment: datetime) -> str:
    """A point in time as the public package writes it: ISO 8601 UTC with microseconds and Z."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def month(id: str, created: str) -> str:
    """The folder of a chunk within `chunks`: the month in its id, else that of `created`."""
    match = _DATED.fullmatch(id)
    return match[1] if match else (created or _NO_DAY)[:7]

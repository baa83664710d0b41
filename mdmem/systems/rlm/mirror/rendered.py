"""Renders chunks, and pieces of indexes, as the text of the mirror's files."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from mdmem.store.local.usage import Use
from mdmem.store.vault.derived import DerivedFile
from mdmem.systems.rlm import projection, view
from mdmem.systems.rlm.linking import ChunkHead
from mdmem.systems.rlm.schema import Chunk, ChunkLinks


def rendered(chunk: Chunk) -> str:
    """A chunk as the text of its file."""
    return chunk.to_json() + "\n"


def compact(value: Any) -> str:
    """A value as compact JSON, for storage."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def nested(value: Any) -> str:
    """A value as JSON, indented for a place two levels deep in a document."""
    return json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\n    ")


def digest(data: bytes) -> str:
    """A hash of a file's bytes, 32 hex digits."""
    return hashlib.sha256(data).hexdigest()[:32]


def file_of(path: str, text: str) -> DerivedFile:
    """A file with that text."""
    data = text.encode()
    return DerivedFile(path, data, digest(data))


def chunk_file(
    path: str, head: ChunkHead, part: int, said: tuple[str, int], linked: ChunkLinks, use: Use | None
) -> DerivedFile:
    """The file of a chunk, from its memory, its (content, tokens), its links and its use."""
    chunk = projection.chunk_of(head, part, *said, linked)
    view.count_use(chunk, use)
    return file_of(path, rendered(chunk))

"""Chunks and pieces of indexes as the text of the mirror's files."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from mdmem.local.usage import Use
from mdmem.systems.rlm.schema import Chunk
from mdmem.text import moments
from mdmem.vault.derived import DerivedFile


def rendered(chunk: Chunk) -> str:
    """A chunk as its file says it."""
    return chunk.to_json() + "\n"


def compact(value: Any) -> str:
    """A value as JSON that nobody reads."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def nested(value: Any) -> str:
    """A value as JSON, as it stands two levels deep in a document."""
    return json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\n    ")


def digest(data: bytes) -> str:
    """A hash of a file's bytes."""
    return hashlib.sha256(data).hexdigest()[:32]


def file_of(path: str, text: str, links: str = "") -> DerivedFile:
    """A file of that text; `links` is its piece of the link graph."""
    data = text.encode()
    return DerivedFile(path, data, digest(data), links)


def use_text(use: Use | None) -> str:
    """A use as the manifest keeps it: how often and when last, "" for never."""
    return f"{use.times} {moments.of_seconds(use.last) if use.last else ''}" if use else ""


def count_use(chunk: Chunk, use: str) -> None:
    """Have a chunk tell of a use, given as `use_text` renders it."""
    if use:
        times, _, last = use.partition(" ")
        chunk.metadata.access_count, chunk.metadata.last_accessed = int(times), last or None

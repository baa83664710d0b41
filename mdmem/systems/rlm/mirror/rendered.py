"""Renders chunks, and pieces of indexes, as the text of the mirror's files."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from mdmem.store.local.usage import Use
from mdmem.store.vault.derived import DerivedFile
from mdmem.systems.rlm import view
from mdmem.systems.rlm.schema import Chunk


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


def file_of(path: str, text: str, links: str = "") -> DerivedFile:
    """A file with that text; `links` is its piece of the link graph."""
    data = text.encode()
    return DerivedFile(path, data, digest(data), links)


def use_text(use: Use | None) -> str:
    """A use as the manifest stores it: count and time of the last use, "" for none."""
    return f"{use.times} {use.last}" if use else ""


def count_use(chunk: Chunk, use: str) -> None:
    """Set the access count and time of a chunk from a use as rendered by `use_text`."""
    times, _, last = use.partition(" ")
    view.count_use(chunk, Use(int(times), float(last)) if use else None)

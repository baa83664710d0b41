"""`AutoLinker` under its public name. It has little to write: links by conversation, time and tag are computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from mdmem.systems.rlm.linking import WINDOW
from mdmem.systems.rlm.schema import DEFAULT_CONFIDENCE, Chunk

if TYPE_CHECKING:
    from mdmem.systems.rlm.chunkstore import ChunkStore

_MINUTE = 60.0  # seconds


class AutoLinker:
    """Gives new chunks their links.

    With a window of five minutes these are the links that `ChunkStore` computes anyway. A longer window gives more
    `follows` links, which are written; a shorter one only hides some.
    """

    def __init__(self, chunk_store: ChunkStore, temporal_window_minutes: float = WINDOW / _MINUTE) -> None:
        self.store = chunk_store
        self.temporal_window = timedelta(minutes=temporal_window_minutes)

    def link_on_create(self, new_chunk: Chunk) -> Chunk:
        """The chunk with its links as the store has it, or `new_chunk` itself if the store has it no longer."""
        chunk = self.store.peek(new_chunk.id)
        if chunk is None:
            return new_chunk
        if self.temporal_window.total_seconds() == WINDOW:
            return chunk
        end = datetime.fromisoformat(chunk.metadata.created)
        within = self.store.list_chunks(chunk.metadata.conversation_id, None, end - self.temporal_window, end)
        follows = [id for id in reversed(within) if id != chunk.id] if chunk.metadata.conversation_id else []
        links = replace(chunk.links, follows=follows)
        if self.temporal_window.total_seconds() > WINDOW:
            return self.store.update_chunk(chunk.id, links=links) or chunk
        return replace(chunk, links=links)


def create_chunk_with_links(  # noqa: PLR0913, PLR0917 - the signature that programs know
    store: ChunkStore,
    linker: AutoLinker,
    content: str,
    chunk_type: str,
    conversation_id: str,
    tokens: int,
    tags: Sequence[str] | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
) -> Chunk:
    """Write a new chunk with its links, in one commit."""
    with store.batch():
        made = store.create_chunk(content, chunk_type, conversation_id, tokens, tags, confidence)
        return linker.link_on_create(made)


def calculate_link_strength(source: Chunk, target: Chunk, link_type: str) -> float:
    """The weight of a link, 0.3 to 1: greater for chunks close in time, or with more tags in common."""
    if link_type == "context_of":
        return 1.0
    if link_type == "follows":
        one, other = (datetime.fromisoformat(chunk.metadata.created) for chunk in (source, target))
        return max(0.3, 1.0 - abs((one - other).total_seconds()) / WINDOW)
    if link_type == "related_to":
        return min(0.9, 0.3 + 0.2 * len({*source.tags} & {*target.tags}))
    return 0.5

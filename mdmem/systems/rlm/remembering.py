"""Cuts a text of any length into chunks and writes them in one commit: `RememberOperation`, `chunk_and_store`."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mdmem.systems.rlm.cut import MAX_TOKENS, MIN_TOKENS, ChunkingEngine, ChunkResult
from mdmem.systems.rlm.linker import AutoLinker
from mdmem.systems.rlm.schema import DEFAULT_CONFIDENCE, Chunk, ChunkType

if TYPE_CHECKING:
    from mdmem.systems.rlm.chunkstore import ChunkStore

logger = logging.getLogger("mdmem.chunks")


class RememberOperation:
    """Remembers texts in a chunk store."""

    def __init__(self, store: ChunkStore, linker: AutoLinker | None = None) -> None:
        self.store = store
        self.engine = ChunkingEngine()
        self.linker = linker or AutoLinker(store)

    def remember(
        self,
        content: str,
        conversation_id: str,
        tags: Sequence[str] | None = None,
        confidence: float = DEFAULT_CONFIDENCE,
        chunk_type: str | None = None,
    ) -> dict[str, Any]:
        """A dict with success, chunk_ids, total_tokens, chunks_created, and error if there is nothing to remember.

        The type of each chunk is detected from its words unless `chunk_type` is given. Raises TypeError for
        content that is not text, ValueError for a missing conversation, a confidence outside 0 to 1, and an
        unknown type.
        """
        _require_fit(content, conversation_id, confidence, chunk_type)
        pieces = self.engine.chunk(content, conversation_id, list(tags or []))
        if not pieces:
            return {**_counts([], 0), "success": False, "error": "the content is blank"}
        with self.store.batch():
            made = _stored(self.store, pieces, conversation_id, confidence, chunk_type)
            linked = [self.linker.link_on_create(one) for one in made]
        logger.info("remembered %d chunks of %s", len(linked), conversation_id)
        return {"success": True, **_counts([one.id for one in linked], sum(one.tokens for one in linked))}


def chunk_and_store(
    content: str,
    conversation_id: str,
    store: ChunkStore,
    tags: Sequence[str] | None = None,
    min_tokens: int = MIN_TOKENS,
    max_tokens: int = MAX_TOKENS,
) -> list[Chunk]:
    """Cut a text into chunks and write them in one commit. Raises ValueError for impossible limits."""
    pieces = ChunkingEngine(min_tokens, max_tokens).chunk(content, conversation_id, list(tags or []))
    return _stored(store, pieces, conversation_id)


def _stored(
    store: ChunkStore,
    pieces: Sequence[ChunkResult],
    conversation_id: str,
    confidence: float = DEFAULT_CONFIDENCE,
    kind: str | None = None,
) -> list[Chunk]:
    with store.batch():
        return [
            store.create_chunk(one.content, kind or one.type, conversation_id, one.tokens, one.tags, confidence)
            for one in pieces
        ]


def _counts(ids: list[str], tokens: int) -> dict[str, Any]:
    return {"chunk_ids": ids, "total_tokens": tokens, "chunks_created": len(ids)}


def _require_fit(content: object, conversation_id: str, confidence: float, chunk_type: str | None) -> None:
    if not isinstance(content, str):
        raise TypeError(f"the content has to be a str, not {type(content).__name__}")
    if not conversation_id:
        raise ValueError("conversation_id is required")
    if not 0.0 <= confidence <= 1.0:
        raise ValueError(f"confidence has to be from 0 to 1, not {confidence}")
    if chunk_type is not None and chunk_type not in set(ChunkType):
        raise ValueError(f"chunk_type has to be one of {', '.join(ChunkType)}, not {chunk_type!r}")

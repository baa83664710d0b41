"""The chunking engine under its public names, and `chunk_and_store`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mdmem.systems.rlm.cut import MAX_TOKENS, MIN_TOKENS, ChunkingEngine, ChunkResult

if TYPE_CHECKING:
    from mdmem.systems.rlm.chunkstore import ChunkStore
    from mdmem.systems.rlm.schema import Chunk

# Whether tokens are counted with tiktoken: never, as it downloads its vocabulary. Counts are estimates.
TIKTOKEN_AVAILABLE = False

__all__ = ["TIKTOKEN_AVAILABLE", "ChunkResult", "ChunkingEngine", "chunk_and_store"]


def chunk_and_store(
    content: str,
    conversation_id: str,
    store: ChunkStore,
    tags: Sequence[str] | None = None,
    min_tokens: int = MIN_TOKENS,
    max_tokens: int = MAX_TOKENS,
) -> list[Chunk]:
    """Cut a text into chunks and write them in one commit. Raises ValueError for impossible limits."""
    engine = ChunkingEngine(min_tokens, max_tokens)
    with store.batch():
        return [
            store.create_chunk(one.content, one.type, conversation_id, one.tokens, one.tags)
            for one in engine.chunk(content, conversation_id, list(tags or []))
        ]

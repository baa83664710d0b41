"""`RecallOperation`: answers a query with the vault's own recall, as `mdmem recall` does."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mdmem.note.filters import Filter
from mdmem.systems.rlm.schema import Chunk

if TYPE_CHECKING:
    from mdmem.systems.rlm.chunkstore import ChunkStore

logger = logging.getLogger("mdmem.chunks")
_MORE = 4  # times as many memories as wanted are searched for, since some may be too uncertain


@dataclass
class RecallResult:
    """The result of a recall: `answer` joins the contents of `source_chunks` (ids, best first) by blank lines.

    `confidence` is the mean of theirs, weighted by score; `traversal_path` lists the ids of all chunks looked at.
    """

    answer: str
    confidence: float = 0.0
    source_chunks: list[str] = field(default_factory=list)
    traversal_path: list[str] = field(default_factory=list)
    iterations_used: int = 0
    cost_usd: float = 0.0


class RecallOperation:
    """Recalls chunks of a store. No model is asked: an `llm_client` is accepted and ignored."""

    def __init__(
        self,
        chunk_store: ChunkStore,
        llm_client: Any = None,
        max_iterations: int = 10,
        timeout_seconds: float = 60,
    ) -> None:
        if chunk_store is None:
            raise ValueError("chunk_store is required")
        self.chunk_store, self.llm_client = chunk_store, llm_client
        self.max_iterations, self.timeout_seconds = max_iterations, timeout_seconds
        if llm_client is not None:
            logger.info("recall asks no model; the llm_client is not used")

    def recall(
        self,
        query: str,
        conversation_id: str | None = None,
        max_results: int = 5,
        min_confidence: float = 0.5,
    ) -> RecallResult:
        """The chunks that best answer a query; one use of each is counted.

        They are limited to a conversation, if one is given, and to chunks of at least `min_confidence`.
        """
        if not query or not query.strip():
            return RecallResult("No query provided")
        filters = [Filter("session", "=", conversation_id)] if conversation_id else []
        found = self.chunk_store.recalled(query, filters, _MORE * max_results)
        sure = [(score, one) for score, one in found if one.metadata.confidence >= min_confidence][:max_results]
        if not sure:
            return RecallResult("No relevant memories found", iterations_used=1)
        self.chunk_store.count_uses([one.id for _, one in sure])
        logger.info("recalled %d chunks", len(sure))
        return RecallResult(
            answer="\n\n".join(one.content for _, one in sure),
            confidence=_weighted(sure),
            source_chunks=[one.id for _, one in sure],
            traversal_path=[one.id for _, one in found],
            iterations_used=1,
        )


def _weighted(found: list[tuple[float, Chunk]]) -> float:
    weights = [max(score, 1e-9) for score, _ in found]
    sure = (min(max(one.metadata.confidence, 0.0), 1.0) for _, one in found)
    return sum(weight * each for weight, each in zip(weights, sure, strict=True)) / sum(weights)

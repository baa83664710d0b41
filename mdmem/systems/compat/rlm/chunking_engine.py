"""`chunking_engine` of RLM-MEM."""

from mdmem.systems.chunks import TIKTOKEN_AVAILABLE, ChunkingEngine, ChunkResult, chunk_and_store

__all__ = ["TIKTOKEN_AVAILABLE", "ChunkResult", "ChunkingEngine", "chunk_and_store"]

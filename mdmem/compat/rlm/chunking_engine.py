"""`chunking_engine` of RLM-MEM."""

from mdmem.chunks import ChunkingEngine, ChunkResult, chunk_and_store

__all__ = ["ChunkResult", "ChunkingEngine", "chunk_and_store"]

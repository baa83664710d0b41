"""`memory_store` of RLM-MEM."""

from mdmem.systems.chunks import Chunk, ChunkIndex, ChunkLinks, ChunkMetadata, ChunkStore, ChunkType, init_storage

__all__ = ["Chunk", "ChunkIndex", "ChunkLinks", "ChunkMetadata", "ChunkStore", "ChunkType", "init_storage"]

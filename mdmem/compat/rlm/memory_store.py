"""`memory_store` of RLM-MEM."""

from mdmem.chunks import Chunk, ChunkLinks, ChunkMetadata, ChunkStore, ChunkType, init_storage

__all__ = ["Chunk", "ChunkLinks", "ChunkMetadata", "ChunkStore", "ChunkType", "init_storage"]

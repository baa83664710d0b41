"""RLM-MEM's chunk store on top of a vault: the names that programs written for it import.

    >>> from mdmem.systems.chunks import ChunkStore
    >>> store = ChunkStore("my-vault")                              # doctest: +SKIP
    >>> chunk = store.create_chunk("User prefers Python", "preference", "conv-123", 5)

Each chunk is a note in the vault's folder of memories, and each write is a commit. The names are imported on first
use, so that `import mdmem.systems.chunks` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mdmem.systems.chunks.chunkindex import ChunkIndex
    from mdmem.systems.rlm.chunkstore import ChunkStore, init_storage
    from mdmem.systems.rlm.cut import TIKTOKEN_AVAILABLE, ChunkingEngine, ChunkResult
    from mdmem.systems.rlm.linker import AutoLinker, calculate_link_strength, create_chunk_with_links
    from mdmem.systems.rlm.recalling import RecallOperation, RecallResult
    from mdmem.systems.rlm.remembering import RememberOperation, chunk_and_store
    from mdmem.systems.rlm.schema import Chunk, ChunkLinks, ChunkMetadata, ChunkType

_PUBLIC = {
    "ChunkStore": "mdmem.systems.rlm.chunkstore",
    "init_storage": "mdmem.systems.rlm.chunkstore",
    "ChunkIndex": "mdmem.systems.chunks.chunkindex",
    "Chunk": "mdmem.systems.rlm.schema",
    "ChunkMetadata": "mdmem.systems.rlm.schema",
    "ChunkLinks": "mdmem.systems.rlm.schema",
    "ChunkType": "mdmem.systems.rlm.schema",
    "TIKTOKEN_AVAILABLE": "mdmem.systems.rlm.cut",
    "ChunkingEngine": "mdmem.systems.rlm.cut",
    "ChunkResult": "mdmem.systems.rlm.cut",
    "chunk_and_store": "mdmem.systems.rlm.remembering",
    "AutoLinker": "mdmem.systems.rlm.linker",
    "create_chunk_with_links": "mdmem.systems.rlm.linker",
    "calculate_link_strength": "mdmem.systems.rlm.linker",
    "RememberOperation": "mdmem.systems.rlm.remembering",
    "RecallOperation": "mdmem.systems.rlm.recalling",
    "RecallResult": "mdmem.systems.rlm.recalling",
}
__all__ = [
    "TIKTOKEN_AVAILABLE",
    "AutoLinker",
    "Chunk",
    "ChunkIndex",
    "ChunkLinks",
    "ChunkMetadata",
    "ChunkResult",
    "ChunkStore",
    "ChunkType",
    "ChunkingEngine",
    "RecallOperation",
    "RecallResult",
    "RememberOperation",
    "calculate_link_strength",
    "chunk_and_store",
    "create_chunk_with_links",
    "init_storage",
]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'mdmem.systems.chunks' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)

"""The chunk store of RLM-MEM over a vault: what programs written for it import (requirements A1-A26).

    >>> from mdmem.chunks import ChunkStore
    >>> store = ChunkStore("my-vault")                              # doctest: +SKIP
    >>> chunk = store.create_chunk("User prefers Python", "preference", "conv-123", 5)

Each chunk is a note in the vault's folder of memories, each write a commit. The names are imported when first
used, so that `import mdmem.chunks` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mdmem.chunks.engine import ChunkingEngine, ChunkResult, chunk_and_store
    from mdmem.chunks.linker import AutoLinker, calculate_link_strength, create_chunk_with_links
    from mdmem.chunks.recalling import RecallOperation, RecallResult
    from mdmem.chunks.remembering import RememberOperation
    from mdmem.chunks.store import ChunkStore, init_storage
    from mdmem.core.chunk import Chunk, ChunkLinks, ChunkMetadata, ChunkType

_PUBLIC = {
    "ChunkStore": "mdmem.chunks.store",
    "init_storage": "mdmem.chunks.store",
    "Chunk": "mdmem.core.chunk",
    "ChunkMetadata": "mdmem.core.chunk",
    "ChunkLinks": "mdmem.core.chunk",
    "ChunkType": "mdmem.core.chunk",
    "ChunkingEngine": "mdmem.chunks.engine",
    "ChunkResult": "mdmem.chunks.engine",
    "chunk_and_store": "mdmem.chunks.engine",
    "AutoLinker": "mdmem.chunks.linker",
    "create_chunk_with_links": "mdmem.chunks.linker",
    "calculate_link_strength": "mdmem.chunks.linker",
    "RememberOperation": "mdmem.chunks.remembering",
    "RecallOperation": "mdmem.chunks.recalling",
    "RecallResult": "mdmem.chunks.recalling",
}
__all__ = [
    "AutoLinker",
    "Chunk",
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
        raise AttributeError(f"module 'mdmem.chunks' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)

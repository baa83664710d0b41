"""RLM-MEM's chunk store on top of a vault: the names that programs written for it import.

    >>> from mdmem.chunks import ChunkStore
    >>> store = ChunkStore("my-vault")                              # doctest: +SKIP
    >>> chunk = store.create_chunk("User prefers Python", "preference", "conv-123", 5)

Each chunk is a note in the vault's folder of memories, and each write is a commit. The names are imported on first
use, so that `import mdmem.chunks` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_PUBLIC = {
    name: f"mdmem.systems.{module}"
    for module, names in {
        "rlm.chunkstore": "ChunkStore init_storage",
        "rlm.schema": "Chunk ChunkMetadata ChunkLinks ChunkType",
        "rlm.cut": "TIKTOKEN_AVAILABLE ChunkingEngine ChunkResult",
        "rlm.operations": "AutoLinker RecallOperation RecallResult RememberOperation calculate_link_strength "
        "chunk_and_store create_chunk_with_links load_jsonl_records validate_record migrate_chunks ChunkIndex",
    }.items()
    for name in names.split()
}
__all__ = sorted(_PUBLIC)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'mdmem.systems.compat.chunks' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)

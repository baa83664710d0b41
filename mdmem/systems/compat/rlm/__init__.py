"""RLM-MEM's package over a vault, with the names of its modules: `from mdmem.compat.rlm import ChunkStore`."""

from __future__ import annotations

from typing import Any

from mdmem.systems import chunks

__all__ = chunks.__all__


def __getattr__(name: str) -> Any:
    if name not in chunks.__all__:
        raise AttributeError(f"module 'mdmem.systems.compat.rlm' has no attribute {name!r}")
    return getattr(chunks, name)

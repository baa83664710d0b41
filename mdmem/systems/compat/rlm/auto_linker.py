"""`auto_linker` of RLM-MEM."""

from mdmem.systems.chunks import AutoLinker, calculate_link_strength, create_chunk_with_links

__all__ = ["AutoLinker", "calculate_link_strength", "create_chunk_with_links"]

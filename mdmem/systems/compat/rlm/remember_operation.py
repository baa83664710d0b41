"""`remember_operation` of RLM-MEM."""

from mdmem.systems.chunks import RememberOperation

__all__ = ["RememberOperation"]

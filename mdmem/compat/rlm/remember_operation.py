"""`remember_operation` of RLM-MEM."""

from mdmem.chunks import RememberOperation

__all__ = ["RememberOperation"]

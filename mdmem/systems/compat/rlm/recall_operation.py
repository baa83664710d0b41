"""`recall_operation` of RLM-MEM."""

from mdmem.systems.chunks import RecallOperation, RecallResult

__all__ = ["RecallOperation", "RecallResult"]

"""`recall_operation` of RLM-MEM."""

from mdmem.chunks import RecallOperation, RecallResult

__all__ = ["RecallOperation", "RecallResult"]

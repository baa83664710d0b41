"""The calls of RUM's public implementation, on a vault: `from mdmem.compat.rum import RumMemory`.

They take and return the same JSON documents, in which times are milliseconds and actions are flat. Where that
implementation and RUM's page "Memory Schema" disagree, the page wins: `mdmem guide work` lists the cases. Every
write is a commit, so that deletions and `reset_all` can be undone (`mdmem undo --last 1`).
"""

from mdmem.systems.compat.rum.memory import RumMemory

__all__ = ["RumMemory"]

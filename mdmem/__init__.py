"""mdmem: an AI's long-term memory as a folder of Markdown files in git.

    >>> from mdmem import Vault, Caller
    >>> with Vault.open("my-vault") as vault:          # doctest: +SKIP
    ...     memory = vault.get("allmemories/user_prefers_structured_output.md")

The public names are imported when first used, so that `import mdmem` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mdmem.core.memory import Memory
    from mdmem.core.operation import Caller, Operation
    from mdmem.errors import MdmemError, NoteError, Problem
    from mdmem.services.ask import Query, ask
    from mdmem.services.intake import Draft
    from mdmem.store.vault import Vault

__version__ = "0.1.0"

_PUBLIC = {
    "Vault": "mdmem.store.vault",
    "Memory": "mdmem.core.memory",
    "Caller": "mdmem.core.operation",
    "Operation": "mdmem.core.operation",
    "MdmemError": "mdmem.errors",
    "NoteError": "mdmem.errors",
    "Problem": "mdmem.errors",
    "Draft": "mdmem.services.intake",
    "Query": "mdmem.services.ask",
    "ask": "mdmem.services.ask",
}
__all__ = [
    "Caller",
    "Draft",
    "MdmemError",
    "Memory",
    "NoteError",
    "Operation",
    "Problem",
    "Query",
    "Vault",
    "__version__",
    "ask",
]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'mdmem' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)

"""mdmem: an AI's long-term memory as a folder of Markdown files in git.

    >>> from mdmem import Vault, Caller
    >>> with Vault.open("my-vault") as vault:          # doctest: +SKIP
    ...     memory = vault.get("allmemories/user_prefers_structured_output.md")

The public names are imported when first used, so that `import mdmem` costs nothing.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing takes 5 ms to load
if TYPE_CHECKING:
    from typing import Any

    from mdmem.errors import MdmemError, NoteError, Problem
    from mdmem.note.memory import Memory
    from mdmem.recall.ask import Query, ask
    from mdmem.store.operation import Caller, Operation
    from mdmem.store.vault.vault import Vault
    from mdmem.write.remember import Draft

__version__ = "0.1.0"

_PUBLIC = {
    "Vault": "mdmem.store.vault.vault",
    "Memory": "mdmem.note.memory",
    "Caller": "mdmem.store.operation",
    "Operation": "mdmem.store.operation",
    "MdmemError": "mdmem.errors",
    "NoteError": "mdmem.errors",
    "Problem": "mdmem.errors",
    "Draft": "mdmem.write.remember",
    "Query": "mdmem.recall.ask",
    "ask": "mdmem.recall.ask",
}

# What rooms provide for rooms above them, by kind (see store.registry): a name, its place as "module" or
# "module:attribute", and the setting that enables it (none is always, "topics/" a folder that exists,
# ".mdmem/x" a file that does, "loaded" a module that is loaded).
REGISTRIES: dict[str, tuple[tuple[str, ...], ...]] = {
    "followers": (
        ("the list of events", "mdmem.history.audit:follow", "topics/"),
        ("the JSON mirror", "mdmem.systems.rlm.mirror:follow", "mirror.enabled"),
        ("the pages of topics", "mdmem.systems.layers.tree:follow", "topics/"),
        ("the files for agents", "mdmem.session.agentfiles:follow", ".mdmem/exports.json"),
        ("the vectors", "mdmem.recall.meaning:follow", "loaded"),
    ),
    "guards": (
        ("secrets", "mdmem.write.guard:refuse_secrets"),
        ("orders", "mdmem.write.guard:tell_orders"),
        ("episodes", "mdmem.store.appendonly:refuse_rewriting"),
    ),
    "trees": (
        ("audit", "mdmem.history.audit:AuditLog", "topics/"),
        ("mirror", "mdmem.systems.rlm.mirror:JsonMirror", "mirror.enabled"),
        ("pages", "mdmem.systems.layers.tree:TopicPages", "topics/"),
    ),
    "importers": (
        ("agent-file", "mdmem.systems.importers.markdown:AGENT_FILE"),
        ("basic-memory", "mdmem.systems.importers.markdown:BASIC_MEMORY"),
        ("chatgpt", "mdmem.systems.importers.jsonfiles:CHATGPT"),
        ("claude", "mdmem.systems.importers.jsonfiles:CLAUDE"),
        ("claude-memory", "mdmem.systems.importers.markdown:CLAUDE_MEMORY"),
        ("legacy", "mdmem.systems.importers.legacy"),
        ("markdown", "mdmem.systems.importers.markdown:MARKDOWN"),
        ("mem0", "mdmem.systems.importers.jsonfiles:MEM0"),
        ("membrane", "mdmem.systems.membrane.records"),
        ("palinode", "mdmem.systems.importers.markdown:PALINODE"),
        ("rlm", "mdmem.systems.rlm.importing"),
        ("rum", "mdmem.systems.rum.exchange"),
        ("server-memory", "mdmem.systems.importers.entities:SERVER_MEMORY"),
    ),
    "readers": (("entries", "mdmem.systems.layers.entries:EntryReader"),),
    "traits": (("work", "mdmem.systems.rum.work:of_note"),),
    "made_notes": (("chapters", "mdmem.systems.rum.keeping:outdated"),),
    "retirement": (("facts", "mdmem.systems.layers.curation"),),
    "purges": (("interrupted", "mdmem.history.purging.erasing:settle"),),
    "commands": (
        ("mcp", "mdmem.mcp.command:mcp"),
        ("page", "mdmem.page.command:page"),
        ("completion", "mdmem.cli.completion:completion"),
    ),
    "offers": (("work", "mdmem.systems.rum.adding:offer"),),
    "undone": (("inbox", "mdmem.capture.inbox.store:tell_undone"),),
    "merge_rules": (
        ("memory", "mdmem.history.merging.files:merge_note"),
        ("log", "mdmem.history.merging.files:merge_log"),
        ("raw", "mdmem.history.merging.files:merge_raw"),
        ("derived", "mdmem.history.merging.files:merge_derived"),
        ("other", "mdmem.history.merging.files:merge_other"),
    ),
}

__all__ = [
    "REGISTRIES",
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
    from importlib import import_module

    return getattr(import_module(_PUBLIC[name]), name)


# RLM-MEM's package and its modules: all names are in one place here.
_OF_RLM = ("chunks", "compat.rlm", *(f"compat.rlm.{name}_operation" for name in ("remember", "recall")))
_OF_RLM += tuple(f"compat.rlm.memory_{name}" for name in ("store", "schema"))
_OF_RLM += ("compat.rlm.chunking_engine", "compat.rlm.auto_linker", "compat.rlm.migration_tool")


class _Aliases:
    """Finds `chunks`, `compat` and `adapters`, which other programs import from `mdmem`, in `mdmem.systems`."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> Any:  # noqa: ARG004
        if name.split(".")[1:2] not in (["chunks"], ["compat"], ["adapters"]) or not name.startswith("mdmem."):
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, _Alias(), is_package=True)  # type: ignore[arg-type]


class _Alias:
    """Gives the module itself for its other name."""

    def create_module(self, spec: Any) -> Any:
        from importlib import import_module

        name = spec.name.removeprefix("mdmem.")
        module = import_module(f"mdmem.systems.{'compat.chunks' if name in _OF_RLM else name}")
        self._own = module.__spec__
        return module

    def exec_module(self, module: Any) -> None:
        module.__spec__ = self._own  # the import system put in the other name's


sys.meta_path.insert(0, _Aliases)

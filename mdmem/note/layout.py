"""Where things lie in a vault: which files are memories, and where a new one goes."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from posixpath import basename, dirname, join, normpath

from mdmem import config as settings
from mdmem.config import VaultConfig

STATE = settings.STATE  # the local folder
AGENT_FILES = frozenset({"AGENTS.md", "CLAUDE.md", "GEMINI.md", "GLOBAL_MEMORY.md"})
MIRROR_FOLDERS = ("chunks", "index", "archive")
_NOT_NOTES = frozenset({"conflict-files-obsidian-git.md"})


class Kind(Enum):
    """What a file of a vault is: RAW is append-only truth, not a memory; DERIVED is made from memories."""

    MEMORY = "memory"
    RAW = "raw"
    DERIVED = "derived"
    OTHER = "other"


def kind_of(path: str, config: VaultConfig) -> Kind:
    """What the file at `path` (relative to the vault, with `/`) is. No file is RAW yet: nothing writes any."""
    if _is_memory(path, config):
        return Kind.MEMORY
    if path.endswith(".json") and any(within(path, folder) for folder in mirror_folders(config)):
        return Kind.DERIVED
    return Kind.OTHER


def mirror_folders(config: VaultConfig) -> list[str]:
    """The folders of the JSON mirror."""
    return [normpath(join(config.mirror.folder, name)) for name in MIRROR_FOLDERS]


def _is_memory(path: str, config: VaultConfig) -> bool:
    """Whether a file is a memory.

    Memories are the `.md` files under the memories folder, without those in dot folders, templates,
    excluded paths, and the files that address agents.
    """
    if not path.endswith(".md") or not within(path, config.memories):
        return False
    if "/." in "/" + path:
        return False
    if path in AGENT_FILES or basename(path) in _NOT_NOTES:
        return False
    # a name in no encoding we know; doctor tells
    if not path.isascii() and any("\ud800" <= char <= "\udfff" for char in path):
        return False
    return not any(within(path, folder) for folder in (config.templates, *config.exclude) if folder)


_normal = lru_cache(64)(normpath)  # of a few settings, asked for each path of the vault


def within(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies in it; "." holds everything."""
    folder = _normal(folder)
    return folder in (".", path) or path.startswith(folder + "/")


def path_for(name: str, created: str, config: VaultConfig) -> str:
    """The path of a new memory: `created` (RFC 3339) counts where memories lie by month."""
    return normpath(join(folder_for(created, config), name + ".md"))


def folder_for(created: str, config: VaultConfig) -> str:
    """The folder of a new memory, relative to the vault."""
    month = f"{created[:4]}/{created[5:7]}" if config.layout == "month" and created else ""
    return normpath(join(config.memories, config.new, month)).removeprefix("./")


def relative(path: str, start: str) -> str:
    """`path` as a link from the file `start` would write it."""
    from posixpath import relpath

    return relpath(path, dirname(start) or ".")

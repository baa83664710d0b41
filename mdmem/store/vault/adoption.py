"""Adopting a folder with content: the settings that fit it, and which of its Markdown files are not memories."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from posixpath import join
from typing import Any

from mdmem.errors import MdmemError, UsageError
from mdmem.store import config as settings
from mdmem.store import layout
from mdmem.store.config import VaultConfig, editing

_ABOVE = ("", "memory", "brain/memory")  # folders in which an old RLM-MEM tree may hold its memories
# A folder with nothing but these counts as empty: a repository just created on a git host.
BESIDE_NOTHING = frozenset(
    {".git", ".gitignore", ".gitattributes", "README", "README.md", "LICENSE", "LICENSE.md"}
)


def settings_for(root: str, memories: str | None = None) -> VaultConfig:
    """Settings that fit a folder: an old RLM-MEM tree, an Obsidian vault, a folder of notes, or something else.

    `memories` is the folder of the memories, None to guess it. If the folder has notes already, they are their
    owner's: the gardeners get the scope "own". Raises MdmemError for Obsidian settings that cannot be read.
    """
    config = _guess(root) if memories is None else VaultConfig(memories=memories)
    if not any(layout.kind_of(path, config) == layout.Kind.MEMORY for path in _markdown_files(root)):
        return config
    return config._replace(garden=config.garden._replace(scope="own"))


def left_out(root: str, config: VaultConfig) -> dict[str, int]:
    """The number of Markdown files that are not memories, by first folder of their path, or by file at the top.

    The largest numbers come first. Files in git's and mdmem's folders, and files for agents, are not counted.
    """
    outside = [path for path in _markdown_files(root) if layout.kind_of(path, config) != layout.Kind.MEMORY]
    counts = Counter(path.split("/", 1)[0] for path in outside if path not in layout.AGENT_FILES)
    return dict(counts.most_common())


def _guess(root: str) -> VaultConfig:
    default = VaultConfig()
    for above in _ABOVE:
        if os.path.isdir(os.path.join(root, above, default.memories)):
            return default._replace(memories=join(above, default.memories))
    notes, others = _count(root)
    if not os.path.isdir(os.path.join(root, ".obsidian")) and notes <= others:
        return default
    config = default._replace(memories=".", new=default.memories)
    templates, new = _obsidian(root, "templates.json").get("folder"), _new_notes(_obsidian(root, "app.json"))
    if isinstance(templates, str) and templates:
        config = _if_fit(config._replace(templates=templates.strip("/")), config)
    if isinstance(new, str):
        config = _if_fit(config._replace(new=new.strip("/")), config)
    return config


def _new_notes(app: Mapping[str, Any]) -> object:
    """The folder into which Obsidian puts new notes, None if its settings do not name one."""
    places = {"folder": app.get("newFileFolderPath"), "root": ""}
    return places.get(str(app.get("newFileLocation")))


def _if_fit(wanted: VaultConfig, otherwise: VaultConfig) -> VaultConfig:
    """The settings `wanted`, or `otherwise` if a folder in them is not allowed."""
    try:
        return settings.parse(editing.render(wanted))[0]
    except UsageError:
        return otherwise


def _obsidian(root: str, name: str) -> Mapping[str, Any]:
    """The content of one of Obsidian's settings files, empty if it does not exist."""
    path = os.path.join(root, ".obsidian", name)
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError, OSError) as error:
        raise MdmemError(f"{path} cannot be read: {error}", "fix or delete it, then try again") from None
    if not isinstance(found, dict):
        raise MdmemError(f"{path} cannot be read: it is not an object", "fix or delete it, then try again")
    return found


def _count(root: str) -> tuple[int, int]:
    """(notes, other files) in a folder, without those in dot folders."""
    notes = others = 0
    for _, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in set(names) - BESIDE_NOTHING - layout.AGENT_FILES:
            notes += name.endswith(".md")
            others += not name.endswith(".md")
    return notes, others


def _markdown_files(root: str) -> Iterator[str]:
    """The path of every Markdown file in a folder, except for those in git's and mdmem's own folders."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", layout.STATE)]
        inner = os.path.relpath(folder, root).replace(os.sep, "/")
        yield from (name if inner == "." else join(inner, name) for name in names if name.endswith(".md"))

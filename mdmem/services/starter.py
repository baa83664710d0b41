"""Making a vault: the starter vault for an empty folder, a few files beside the notes for one that has some."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import datetime
from typing import NamedTuple

import mdmem
from mdmem.core import config as settings
from mdmem.core import fields, layout, memory, moments
from mdmem.core.config import VaultConfig
from mdmem.core.operation import Caller
from mdmem.core.yaml12 import Value
from mdmem.errors import MdmemError
from mdmem.store import repo
from mdmem.store.vault import Vault, silent

_AGENT_FILES = ("AGENTS.md", "CLAUDE.md")
# A folder with nothing but these is as good as empty: a repository just made on some git host.
_BESIDE_NOTHING = {".git", ".gitignore", ".gitattributes", "README", "README.md", "LICENSE", "LICENSE.md"}
_TITLE_MARK = "\ue000"  # of the private use area: plain text to YAML, and in no template


class Made(NamedTuple):
    """What `init` did. `kind` is "new", "adopted" or "existing"; `notes` counts the memories there are now."""

    root: str
    kind: str
    new_repository: bool
    memories: str
    notes: int
    untracked: int
    commit: str


def share(name: str) -> str:
    """The place of a folder that ships with mdmem: vault, templates or hooks."""
    package = os.path.dirname(os.path.abspath(mdmem.__file__))
    installed = os.path.join(package, "_share", name)
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(package), name)


def fill(template: str, title: str, now: datetime) -> str:
    """A note template with Obsidian's placeholders filled in; a title is quoted where YAML wants it."""
    stamp = {"{{date:YYYY-MM-DDTHH:mm:ssZ}}": moments.render(now)}
    stamp |= {"{{date}}": f"{now:%Y-%m-%d}", "{{time}}": f"{now:%H:%M}", "{{title}}": _TITLE_MARK}
    for mark, text in stamp.items():
        template = template.replace(mark, text)
    head = memory.split(template, "the template")
    if title and not head.broken:
        titled = {key: new for key, value in head.meta.items() if (new := _titled(value, title)) != value}
        template = fields.set_fields(template.encode(), titled, "the template").decode()
    return template.replace(_TITLE_MARK, title)


def _titled(value: Value, title: str) -> Value:
    if isinstance(value, list):
        return [_titled(item, title) for item in value]
    return value.replace(_TITLE_MARK, title) if isinstance(value, str) else value


def make(
    root: str,
    caller: Caller,
    memories: str | None = None,
    examples: bool = True,
    tell: Callable[[str], None] = silent,
) -> Made:
    """Make `root` a vault, in the repository it lies in or in a new one.

    An empty folder gets the starter vault (without its memories if not `examples`). A folder with notes is
    adopted: its files keep their bytes; only mdmem.toml, AGENTS.md and CLAUDE.md are added where missing, and
    in a new repository its notes are committed. `memories` names the folder of the memories if it is not to
    be guessed. Doing it again changes nothing.
    """
    root = os.path.abspath(root)
    os.makedirs(root, exist_ok=True)
    existing = os.path.exists(os.path.join(root, settings.FILE))
    fresh_repository = repo.find_top(root) is None or repo.is_ignored(root)
    filled = memories is not None or bool(set(os.listdir(root)) - _BESIDE_NOTHING)
    files = {} if existing else dict(_adopted_files(root, memories) if filled else _starter_files(examples))
    files = {path: data for path, data in files.items() if not os.path.lexists(os.path.join(root, path))}
    with repo.made(root) if fresh_repository else nullcontext(), Vault(root, tell) as vault:
        vault.config, _ = settings.parse(files.get(settings.FILE, b"").decode()) if files else (vault.config, [])
        commit = _commit(vault, files, caller, fresh_repository and filled)
        os.makedirs(os.path.join(root, layout.folder_for("", vault.config)), exist_ok=True)
        untracked = sum(
            1
            for entry in vault.repo.status().entries
            if entry.staged == "?" and _is_note(entry.path, vault.config)
        )
        kind = "existing" if existing else "adopted" if filled else "new"
        return Made(root, kind, fresh_repository, vault.config.memories, vault.index.count(), untracked, commit)


def _commit(vault: Vault, files: dict[str, bytes], caller: Caller, take_notes: bool) -> str:
    action = "import" if take_notes else "create"
    with vault.change(caller.does(action, "A vault of mdmem.")) as tx:
        for path, data in files.items():
            tx.write(path, data)
        if take_notes:
            for entry in vault.repo.status().entries:
                if _is_note(entry.path, vault.config) and not os.path.islink(os.path.join(vault.root, entry.path)):
                    tx.include(entry.path)
    return tx.commit


def _is_note(path: str, config: VaultConfig) -> bool:
    return layout.is_memory(path, config)


def _starter_files(examples: bool) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each file of the starter vault, the note templates included."""
    for folder, into in (("vault", ""), ("templates", "templates/")):
        source = share(folder)
        for path in _walk(source):
            is_example = folder == "vault" and layout.within(path, VaultConfig().memories)
            if (is_example and not examples) or (folder == "vault" and layout.within(path, "templates")):
                continue
            with open(os.path.join(source, path), "rb") as file:
                data = file.read()
            yield into + path, _with_id(data) if path == settings.FILE else data


def _walk(source: str) -> Iterator[str]:
    for folder, folders, names in os.walk(source):
        folders.sort()
        for name in sorted(names):
            yield os.path.relpath(os.path.join(folder, name), source).replace(os.sep, "/")


def _with_id(data: bytes) -> bytes:
    return f'id = "{uuid.uuid4()}"\n'.encode() + data


def _adopted_files(root: str, memories: str | None) -> Iterator[tuple[str, bytes]]:
    """The files that a folder with content gets."""
    config = _guess(root)
    if memories is not None:
        config = config._replace(memories=memories, new="")
    yield settings.FILE, _with_id(settings.render(config).encode())
    for name in _AGENT_FILES:
        with open(os.path.join(share("vault"), name), "rb") as file:
            yield name, file.read()


def _guess(root: str) -> VaultConfig:
    """Settings that fit what lies there: an old RLM-MEM tree, an Obsidian vault or notes, or something else."""
    default = VaultConfig()
    if os.path.isdir(os.path.join(root, default.memories)):
        return default
    notes, others = _count(root)
    if os.path.isdir(os.path.join(root, ".obsidian")) or notes > others:
        folder = _obsidian_templates(root)
        return default._replace(memories=".", new=default.memories, templates=folder or default.templates)
    return default


def _count(root: str) -> tuple[int, int]:
    """How many notes and how many other files lie in a folder, dot folders left out."""
    notes = others = 0
    for _, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        notes += sum(name.endswith(".md") for name in names)
        others += sum(not name.endswith(".md") for name in names)
    return notes, others


def _obsidian_templates(root: str) -> str:
    """The templates folder that Obsidian's settings name, "" if they name none that is fit."""
    path = os.path.join(root, ".obsidian", "templates.json")
    try:
        with open(path, encoding="utf-8") as file:
            folder = json.load(file).get("folder", "")
    except FileNotFoundError:
        return ""
    except (ValueError, AttributeError, OSError) as error:
        raise MdmemError(f"{path} cannot be read: {error}", "mend or delete it, then try again") from None
    spec = next(setting for setting in settings.CONFIG_SPEC if setting.key == "templates")
    return folder.strip("/") if isinstance(folder, str) and folder and not spec.valid(folder.strip("/")) else ""

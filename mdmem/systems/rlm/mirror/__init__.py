"""The JSON mirror: chunks, indexes and archive in the RLM-MEM schema, rendered from the notes and from git.

Nothing is ever read back from it. The same memories and uses give the same bytes, whatever the mirror held
before. An update rewrites only chunks whose content or links changed, and the three indexes. Chunks are written
first, then the indexes, and stale files are removed last, so that an index never names a missing chunk.

`access_count` and `last_accessed` come from `.mdmem/usage.sqlite`: how often the memory was recalled here. All
chunks of a memory share them. `updated` of an index is the latest `created` in it; no clock is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

from mdmem.errors import NoteError, UsageError
from mdmem.store import layout
from mdmem.store.config import FILE, VaultConfig
from mdmem.store.local import files, lock
from mdmem.store.operation import Caller
from mdmem.store.progress import Progress, silent
from mdmem.store.vault import derived
from mdmem.store.vault.derived import FolderTree
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm.mirror.indexes import INDEXES as INDEXES
from mdmem.systems.rlm.mirror.indexes import PARTS
from mdmem.systems.rlm.mirror.known import MirrorManifest
from mdmem.systems.rlm.mirror.plan import MirrorPlan
from mdmem.systems.rlm.mirror.rendered import rendered
from mdmem.systems.rlm.schema import Chunk

FOLDERS = layout.MIRROR_FOLDERS
_PLACE = re.compile(r"(.*/|)(?:chunks/[^/]+|index|archive)/[^/]+")


class Report(NamedTuple):
    """The numbers of chunks and archived chunks in the mirror, and of files written and removed."""

    chunks: int
    archived: int
    written: int
    removed: int


class JsonMirror(FolderTree):
    """The mirror as a derived tree (see `store.registry.DerivedTree`)."""

    name = "mirror"
    again = "mdmem mirror"
    mark = b"# Rendered by `mdmem mirror` from the memories; safe to delete.\n*\n"
    elsewhere = 'move it, or set another place in mdmem.toml: [mirror] folder = "json"'

    def __init__(self, config: VaultConfig) -> None:
        self._config = config
        folder = config.mirror.folder
        self.base = "" if folder in ("", ".") else folder + "/"  # prefix of the paths of its folders

    def files(self, vault: Vault) -> Iterator[tuple[str, bytes]]:
        """Every file of the mirror, rendered from scratch."""
        return _rendered_anew(vault, self.base, silent)

    def owns(self, path: str) -> bool:
        """Whether a path is one of the mirror's: JSON in one of its folders."""
        return layout.is_mirrored(path, self._config)

    def folders(self, known: Iterable[str] = ()) -> list[str]:
        """The mirror's folders, and those of the place it had before."""
        bases = dict.fromkeys([self.base, *map(_base_of, known)])
        return [base + folder for base in bases for folder in FOLDERS]

    def wrote(self, vault: Vault, path: str) -> bool:
        """Whether a file looks as if the mirror wrote it."""
        folder, _, name = path.removeprefix(self.base).rpartition("/")
        try:
            text = files.read(vault.root, path).decode()
            if folder == "index":
                return name.removesuffix(".json") in INDEXES and [*json.loads(text)] == PARTS
            return path.endswith(".json") and rendered(Chunk.from_json(text)) == text
        except (NoteError, UsageError, ValueError, TypeError, RecursionError):  # a link, or no JSON of the mirror
            return False


def update(
    vault: Vault,
    full: bool = False,
    progress: Progress = silent,
    patience: float = lock.PATIENCE,
) -> Report:
    """Bring the mirror up to date; with `full` all that is known of it is discarded, and every byte compared.

    Raises ConflictError if files of somebody else are in the way, BusyError if another process is updating for
    `patience` seconds, UsageError for a tokenizer that is not installed and for symbolic links, OSError.
    """
    tree = JsonMirror(vault.config)
    vault = vault.for_derived(tree.name)
    with derived.opened(vault, tree.name, MirrorManifest, patience) as manifest:
        if full:
            manifest.forget()
        there = derived.existing(vault, tree, manifest)
        plan = MirrorPlan(vault, manifest, tree.base, there.intact)
        done = derived.put(vault, tree, manifest, there, plan.paths, plan.files(progress))
        manifest.save(plan.memories, {**plan.state, "sources": derived.sources(vault)})
        return Report(len(plan.chunks), len(plan.archive.paths), *done)


def adopt(vault: Vault, paths: Iterable[str]) -> None:
    """Let the mirror replace files in its folders that an import has read."""
    with derived.opened(vault, JsonMirror.name, MirrorManifest) as manifest:
        known = manifest.stamps()
        manifest.announce(path for path in paths if path not in known)


def switch_on(vault: Vault, caller: Caller) -> None:
    """Turn the mirror on in mdmem.toml, unless the settings have a [mirror] section already."""
    data = files.read_or_none(vault.root, FILE) or b""
    if b"[mirror]" in data:
        return
    with vault.change(caller.does("revise", "The JSON chunks follow each write.")) as tx:
        tx.write(FILE, data.rstrip() + b"\n\n[mirror]\nenabled = true\n")


def follow(vault: Vault, paths: frozenset[str] | None, patience: float) -> None:
    """Bring the mirror up to date after a write: a follower, see `store.registry`. Raises as `update`."""
    del paths  # the index and the commits tell what changed
    update(vault, patience=patience)


def stale(vault: Vault, progress: Progress = silent) -> list[str]:
    """The files of the mirror that are missing, different or superfluous, sorted. Nothing is changed."""
    tree = JsonMirror(vault.config)
    return derived.stale(vault, tree, _rendered_anew(vault, tree.base, progress))


def _rendered_anew(vault: Vault, base: str, progress: Progress) -> Iterator[tuple[str, bytes]]:
    seen = vault.for_derived(JsonMirror.name)
    with closing(MirrorManifest(":memory:")) as manifest:
        for file in MirrorPlan(seen, manifest, base, {}).files(progress):
            yield file.path, file.data


def _base_of(path: str) -> str:
    """The part of a file's path above the folders of the mirror."""
    match = _PLACE.fullmatch(path)
    return match[1] if match else ""

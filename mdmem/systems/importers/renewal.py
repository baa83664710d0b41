"""Updates a memory whose source has changed since it was imported.

If only the source changed, the memory becomes what the source says. If the memory was changed, too, the two are
merged as by `mdmem sync`: what both changed stays in the note in both versions until a person settles it.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from mdmem.history import trail
from mdmem.history.merging import files as merging
from mdmem.store.git.log import Commit
from mdmem.store.index.port import IndexedNote
from mdmem.store.vault.vault import Vault

MERGED = "Merged"  # trailer of an import: the id of a memory, a space, the digest of the source merged into it
_DIGEST = 16  # hexadecimal digits of a digest


class LastImport(NamedTuple):
    """The bytes of a memory when it was last imported from its source alone, and the merges since.

    `merged` are the digests of the sources that later imports merged into it.
    """

    data: bytes
    merged: frozenset[str]


class Renewal(NamedTuple):
    """A memory updated from its source: the bytes `before`, and the new ones.

    `is_merged` means that the memory had been changed since its import; `has_conflicts` that some of it is now
    there in both versions.
    """

    before: bytes
    data: bytes
    is_merged: bool = False
    has_conflicts: bool = False


def last_import(vault: Vault, record: IndexedNote) -> LastImport | None:
    """What the last import that was not undone made of a memory; None if no known import wrote it."""
    merged: set[str] = set()
    undone: set[str] = set()
    for commit in trail.follow(vault, record.path, record.id, alive=True):
        trail.note_undone(commit, undone)
        if commit.operation.action != "import" or commit.oid in undone or not commit.changes:
            continue
        digest = _digest_merged(commit, record.id)
        if not digest:
            data = vault.repo.read(commit.oid, commit.changes[0].path)
            return None if data is None else LastImport(data, frozenset(merged))
        merged.add(digest)
    return None


def renewed(vault: Vault, path: str, data: bytes, last: LastImport) -> Renewal | None:
    """The update of the memory at a path whose source now gives `data`; None if the memory stays as it is."""
    before = vault.read(path)
    if data in (before, last.data) or digest_of(data) in last.merged:
        return None
    if before == last.data:
        return Renewal(before, data)
    merged = merging.merge_path(path, last.data, before, data, vault.config)
    if merged.data == before:
        return None
    return Renewal(before, merged.data, is_merged=True, has_conflicts=bool(merged.conflicts))


def digest_of(data: bytes) -> str:
    """The digest of the bytes of a memory, for a trailer."""
    return hashlib.sha256(data).hexdigest()[:_DIGEST]


def _digest_merged(commit: Commit, id: str) -> str:
    """The digest of the source that a commit merged into the memory with this id; "" if it merged none."""
    for trailer in commit.operation.get(MERGED):
        merged, _, digest = trailer.partition(" ")
        if merged == id:
            return digest
    return ""

"""What becomes of a memory when its source has changed since it was imported.

If only the source changed, the memory becomes what the source says. If the memory was changed, too, both are
merged as `mdmem sync` merges them: what both changed is in the note in both versions until a person settles it.
"""

from __future__ import annotations

from mdmem import digests
from mdmem.git.log import Commit
from mdmem.history import trail
from mdmem.history.merging import files as merging
from mdmem.index.port import IndexedNote
from mdmem.values import NamedTuple
from mdmem.vault.vault import Vault

MERGED = "Merged"  # trailer of an import: the id of a memory, a space, the digest of the source merged into it
_DIGEST = 16  # hexadecimal digits of a digest


class LastImport(NamedTuple):
    """The bytes of a memory as an import last made it from its source alone, and the digests of the sources that
    imports have merged into it since.
    """

    data: bytes
    merged: frozenset[str]


class Renewal(NamedTuple):
    """A memory brought up to date with its source: the bytes `before`, and the new ones.

    `is_merged` says that the memory had been changed since its import; `has_conflicts`, that it has both versions
    of something now.
    """

    before: bytes
    data: bytes
    is_merged: bool = False
    has_conflicts: bool = False


def last_import(vault: Vault, record: IndexedNote) -> LastImport | None:
    """What the last import that was not undone made of a memory; None if none is known that wrote it."""
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
    """What the memory at a path becomes if its source now makes it `data`; None if it stays as it is."""
    before = vault.read(path)
    if data in (before, last.data) or digest_of(data) in last.merged:
        return None
    if before == last.data:
        return Renewal(before, data)
    merged = merging.merge_path(path, last.data, before, data, vault.config)
    if merged.data in (None, before):
        return None
    return Renewal(before, merged.data or b"", is_merged=True, has_conflicts=bool(merged.conflicts))


def digest_of(data: bytes) -> str:
    """The digest of the bytes of a memory, for a trailer."""
    return digests.sha256(data).hexdigest()[:_DIGEST]


def _digest_merged(commit: Commit, id: str) -> str:
    """The digest of what a commit merged into a memory, "" if it merged nothing into that."""
    for trailer in commit.operation.get(MERGED):
        merged, _, digest = trailer.partition(" ")
        if merged == id:
            return digest
    return ""

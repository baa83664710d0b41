"""Checks whether the sources that records name still exist and are unchanged.

A `ref` that can be checked is a file of the vault or of a folder of transcripts (`path`, `path:line`), a file as
of a commit (`path@commit`, `path:line@commit`), or a git object id. Any other ref belongs to the host system.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cached_property
from posixpath import basename
from typing import Any, NamedTuple

from mdmem.errors import NoteError, UsageError
from mdmem.note.memory import as_text
from mdmem.store.index.port import IndexedNote
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault

INTACT, UNHASHED, OPAQUE, CHANGED, MOVED, VANISHED = STATES = (
    "intact",
    "unhashed",
    "opaque",
    "changed",
    "moved",
    "vanished",
)
FAULTS = (CHANGED, MOVED, VANISHED)

_PLACE = re.compile(r"(?P<path>.+?)(?::(?P<line>\d+))?(?:@(?P<commit>[0-9a-f]{7,64}))?", re.S)
_OBJECT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_HASH = re.compile(r"(?:(sha256|sha1|sha512|md5):)?([0-9a-f]+)", re.I)
_BY_LENGTH = {64: "sha256", 40: "sha1", 128: "sha512", 32: "md5"}  # digits -> algorithm


class SourceCheck(NamedTuple):
    """The state of one source of a record, one of STATES. `place` is where a moved source is now."""

    record: str
    ref: str
    state: str
    place: str = ""


def verify(vault: Vault, records: Iterable[IndexedNote], transcripts: str = "") -> list[SourceCheck]:
    """Check every source of these records, in order; `transcripts` is a further folder to look for files in."""
    shelf = _Shelf(vault, transcripts)
    return [
        SourceCheck(record.name, ref, *shelf.state(ref, as_text(source.get("hash"))))
        for record in records
        for source in _listed(record.meta.get("provenance"))
        if (ref := as_text(source.get("ref")))
    ]


def _listed(value: object) -> list[dict[str, Any]]:
    return [source for source in value if isinstance(source, dict)] if isinstance(value, list) else []


def _has(digest: str, data: bytes) -> bool:
    """Whether data has a hash: `sha256:...`, one known by its length, or the id of a git blob."""
    match = _HASH.fullmatch(digest)
    name = match and ((match[1] or "").lower() or _BY_LENGTH.get(len(match[2]), ""))
    if not match or not name:
        return False
    blob = b"blob %d\0" % len(data) + data
    return any(hashlib.new(name, text).hexdigest() == match[2].lower() for text in (data, blob))


class _Shelf:
    """Looks up sources in the vault, its history, and the folder of transcripts."""

    def __init__(self, vault: Vault, transcripts: str) -> None:
        self._vault = vault
        self._transcripts = transcripts

    def state(self, ref: str, digest: str) -> tuple[str, str]:
        """(the state of a source, the path of a moved one)."""
        if self._vault.index.with_id(ref):  # the id of a record, which is how revisions name their origins
            return UNHASHED, ""
        place = None if _OBJECT.fullmatch(ref) else _PLACE.fullmatch(ref)
        data = self._data(place) if place else self._vault.repo.content(ref)
        is_hashed = bool(_HASH.fullmatch(digest))
        if data is None:
            moved = (
                next((path for path, held in self._contents.items() if _has(digest, held)), "")
                if is_hashed
                else ""
            )
            return (MOVED if moved else VANISHED if self._knew(place) else OPAQUE), moved
        if not is_hashed:
            return UNHASHED, ""
        line = int(place["line"] or 0) if place else 0
        texts = [data, *(data.split(b"\n")[line - 1 : line] if line else ())]
        return (INTACT if any(_has(digest, text) for text in texts) else CHANGED), ""

    def _data(self, place: re.Match[str]) -> bytes | None:
        """The bytes of a file, as of a commit if the place names one; None if it does not exist."""
        path, commit, repo = place["path"], place["commit"], self._vault.repo
        if commit:
            return repo.read(commit, path) if files.is_inside(path) and repo.has_commit(commit) else None
        further = [(self._transcripts, path), (self._transcripts, basename(path))] if self._transcripts else []
        found = (self._read(root, name) for root, name in ((self._vault.root, path), *further))
        return next((data for data in found if data is not None), None)

    def _knew(self, place: re.Match[str] | None) -> bool:
        """Whether a missing source is of a kind that can be checked: a git object, or a path that git has seen."""
        if place is None or place["commit"]:
            return True
        return files.is_inside(place["path"]) and bool(self._vault.repo.has_known(place["path"]))

    @cached_property
    def _contents(self) -> dict[str, bytes]:
        """path -> the bytes of every readable file of the vault; needed only if a source is not where it was."""
        found = ((path, self._read(self._vault.root, path)) for path in sorted(self._vault.file_paths()))
        return {path: data for path, data in found if data is not None}

    def _read(self, root: str, path: str) -> bytes | None:
        try:
            return files.read_or_none(root, path)
        except (UsageError, NoteError):  # it is outside the folder, or cannot be read
            return None

"""Checks whether the sources that records name still exist and are unchanged.

A `ref` that can be checked is a file of the vault or of a folder of transcripts (`path`, `path:line`), a file as
of a commit (`path@commit`, `path:line@commit`), or a git object id. Any other ref belongs to the host system.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from posixpath import basename
from typing import Any, NamedTuple

from mdmem.errors import NoteError, UsageError
from mdmem.note.memory import as_text
from mdmem.store.index.port import IndexedNote
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault

INTACT, UNHASHED, OPAQUE, CHANGED, MOVED, VANISHED = STATES = (
    *("intact", "unhashed", "opaque"),
    *("changed", "moved", "vanished"),
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
        _checked(shelf, record.name, source)
        for record in records
        for source in _listed(record.meta.get("provenance"))
    ]


def _listed(value: object) -> Iterator[dict[str, Any]]:
    for source in value if isinstance(value, list) else []:
        if isinstance(source, dict) and as_text(source.get("ref")):
            yield source


def _checked(shelf: _Shelf, record: str, source: dict[str, Any]) -> SourceCheck:
    ref, digest = as_text(source["ref"]), as_text(source.get("hash"))
    if shelf.is_record(ref):
        return SourceCheck(record, ref, UNHASHED)
    found = list(shelf.texts(ref))
    if not found:
        if place := shelf.place_of(digest):
            return SourceCheck(record, ref, MOVED, place)
        return SourceCheck(record, ref, VANISHED if shelf.knew(ref) else OPAQUE)
    if not _HASH.fullmatch(digest):
        return SourceCheck(record, ref, UNHASHED)
    return SourceCheck(record, ref, INTACT if any(_has(digest, data) for data in found) else CHANGED)


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

    def is_record(self, ref: str) -> bool:
        """Whether a ref is the id of a record in the vault, which is how revisions name their origins."""
        return bool(self._vault.index.with_id(ref))

    def knew(self, ref: str) -> bool:
        """Whether a missing ref is of a kind that can be checked: a git object, or a path that git has seen."""
        place = _PLACE.fullmatch(ref)
        if _OBJECT.fullmatch(ref) or not place or place["commit"]:
            return True
        return files.is_inside(place["path"]) and bool(self._vault.repo.has_known(place["path"]))

    def texts(self, ref: str) -> Iterator[bytes]:
        """The bytes that a ref may stand for: those of its file, and of its line; nothing if it does not exist."""
        place = _PLACE.fullmatch(ref)
        if _OBJECT.fullmatch(ref) or not place:
            data, line = self._vault.repo.content(ref), 0
        else:
            path, commit, line = place["path"], place["commit"], int(place["line"] or 0)
            data = self._committed(commit, path) if commit else self._file(path)
        if data is None:
            return
        yield data
        lines = data.split(b"\n")
        if 0 < line <= len(lines):
            yield lines[line - 1]

    def place_of(self, digest: str) -> str:
        """The path of a file in the vault that has a hash, "" if there is none."""
        if not _HASH.fullmatch(digest):
            return ""
        return next((path for path, data in self._contents.items() if _has(digest, data)), "")

    @cached_property
    def _contents(self) -> dict[str, bytes]:
        """path -> the bytes of every readable file of the vault; needed only if a source is not where it was."""
        found = ((path, self._read(self._vault.root, path)) for path in sorted(self._vault.file_paths()))
        return {path: data for path, data in found if data is not None}

    def _file(self, path: str) -> bytes | None:
        data = self._read(self._vault.root, path)
        if data is None and self._transcripts:
            data = self._read(self._transcripts, path)
            data = self._read(self._transcripts, basename(path)) if data is None else data
        return data

    def _read(self, root: str, path: str) -> bytes | None:
        try:
            return files.read_or_none(root, path)
        except (UsageError, NoteError):  # it is outside the folder, or cannot be read
            return None

    def _committed(self, commit: str, path: str) -> bytes | None:
        repo = self._vault.repo
        return repo.read(commit, path) if files.is_inside(path) and repo.has_commit(commit) else None

"""The vault as it was at a commit, searchable: a copy of the index in which only what differs is read anew.

Everything comes from git objects; nothing is checked out. Snapshots are kept in the vault's local folder by
the id of the tree they show, the last few of them.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator

from mdmem.core import layout, memory, moments
from mdmem.errors import NoteError
from mdmem.store import database, log
from mdmem.store.catalogue import Catalogue
from mdmem.store.index import Index

KEPT = 4
_FOLDER = "past"
_FILES = ("100644", "100755")  # git's modes of what is neither a link nor a submodule


def at(index: Index, commit: str) -> Catalogue:
    """The memories as `commit` holds them. The index must be fresh. Close it when done."""
    tree = index.repo.tree(commit)
    settings = [index.config.id, index.config.memories, index.config.templates, list(index.config.exclude)]
    key = hashlib.sha256(json.dumps([tree, database.SCHEMA, settings]).encode()).hexdigest()[:24]
    folder = os.path.join(index.root, layout.STATE, _FOLDER)
    place = os.path.join(folder, f"{key}.sqlite")
    if os.path.exists(place):
        try:
            os.utime(place)
            return Catalogue(database.Database(database.connect_readonly(place)))
        except (OSError, sqlite3.DatabaseError):
            pass  # damaged, or of an older schema: make it anew
    try:
        os.makedirs(folder, exist_ok=True)
        _build(index, commit, place)
        _forget_old(folder)
        return Catalogue(database.Database(database.connect_readonly(place)))
    except (OSError, sqlite3.OperationalError):  # a disk that cannot be written
        db = sqlite3.connect(":memory:", isolation_level=None)
        _fill(index, commit, db)
        return Catalogue(database.Database(db))


def _build(index: Index, commit: str, place: str) -> None:
    """Make the file under another name first: who opens it sees it whole."""
    draft = f"{place}.{os.getpid()}"
    try:
        db = sqlite3.connect(draft, isolation_level=None)
        try:
            _fill(index, commit, db)
        finally:
            db.close()
        os.replace(draft, place)
    finally:
        for leftover in (draft, draft + "-journal", draft + "-wal", draft + "-shm"):
            if os.path.exists(leftover):
                os.unlink(leftover)


def _fill(index: Index, commit: str, db: sqlite3.Connection) -> None:
    index.copy_into(db)
    db.execute("PRAGMA journal_mode=DELETE")
    db.execute("PRAGMA synchronous=OFF")
    catalogue = Catalogue(database.Database(db))
    until = index.repo.time_of(commit)
    db.execute("BEGIN")
    for path, data in _different(index, commit):
        catalogue.drop(path)
        if data is not None:
            _insert(index, catalogue, path, data, until)
    db.execute("COMMIT")


def _different(index: Index, commit: str) -> Iterator[tuple[str, bytes | None]]:
    """(path, bytes then or None) of each memory that is not now as it was then."""
    changed = {file.path for _, file in log.changed(index.repo, index.head, commit)} | index.uncommitted()
    wanted = {path for path in changed if layout.is_memory(path, index.config)}
    then = {file.path: file.blob for file in index.repo.files(commit) if file.mode in _FILES} if wanted else {}
    paths = sorted(wanted)
    blobs = index.repo.blobs([then[path] for path in paths if path in then])
    for path in paths:
        yield path, (next(blobs) if path in then else None)


def _insert(index: Index, catalogue: Catalogue, path: str, data: bytes, until: int) -> None:
    """Add a note as it was; its times are those of its versions up to `until` (Unix seconds)."""
    known = [version for version in index.versions(path) if version.when <= until]
    created, updated = (known[-1].when, known[0].when) if known else (until, until)
    try:
        note = memory.parse(data, path, index.config.id)
    except NoteError as error:
        catalogue.add_problems([error.problem])
    else:
        catalogue.insert(note, moments.of_seconds(created), moments.of_seconds(updated))


def _forget_old(folder: str) -> None:
    """Keep the snapshots that were used last."""
    places = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".sqlite")]
    for place in sorted(places, key=os.path.getmtime, reverse=True)[KEPT:]:
        os.unlink(place)

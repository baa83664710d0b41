"""The vault as of a commit, searchable: a copy of the index in which only files that differ are read again.

The words of today's notes that differ stay in it: how rare a word is, is counted over both states together.

Everything comes from git objects; nothing is checked out. The settings are those of the commit, too, if it has
any. The last few snapshots are kept in the vault's local folder, named after the tree they show.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from contextlib import suppress

from mdmem.errors import NoteError, Problem, UsageError
from mdmem.note import memory, moments
from mdmem.store import config as settings
from mdmem.store import layout
from mdmem.store.config import VaultConfig
from mdmem.store.git import log
from mdmem.store.git.repo import PathChange, TreeFile
from mdmem.store.index import database, rows, versions
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.index.freshness import Index
from mdmem.store.index.port import ALL_KINDS
from mdmem.store.index.rows import NoteRows
from mdmem.store.local import workers

KEPT, KEPT_BYTES = 4, 1 << 30  # snapshots, and the bytes they may take together; the newest always stays
_ABANDONED = 3600.0  # seconds after which a draft counts as abandoned
_FOLDER = "past"
_CACHE = 64_000  # kB of a draft in memory: its pages are written once each
_FILES = ("100644", "100755")  # git's modes of files that are neither links nor submodules


class Snapshot(SqliteCatalogue):
    """The memories as of a commit."""

    _THERE = " AND EXISTS (SELECT 1 FROM notes there WHERE there.rowid=fts.rowid)"


def at(index: Index, commit: str) -> Snapshot:
    """The memories as of `commit`. The index must be fresh. Close the catalogue when done.

    A snapshot that is damaged or cannot be written is made in memory.
    """
    config = _config(index, commit)
    content = json.dumps([index.repo.tree(commit), database.SCHEMA, *config.of_rows])
    name = hashlib.sha256(content.encode()).hexdigest()[:24]
    place = os.path.join(index.root, layout.STATE, _FOLDER, f"{name}.sqlite")

    def in_memory() -> sqlite3.Connection:
        with database.closed_on_error(sqlite3.connect(":memory:", isolation_level=None)) as db:
            _fill(index, commit, config, db)
        return db

    def anew(error: sqlite3.DatabaseError) -> sqlite3.Connection:
        with suppress(OSError):
            os.unlink(place)
        index.renew(error)  # the damage may have been copied
        return in_memory()

    def heal(error: sqlite3.DatabaseError) -> None:
        if isinstance(error, sqlite3.OperationalError):
            raise error
        opened.use(anew(error))

    try:
        connection = _known(place) or _made(index, commit, config, place)
    except (OSError, sqlite3.OperationalError):  # a disk that cannot be written
        connection = in_memory()
    except sqlite3.DatabaseError as error:
        connection = anew(error)
    opened = database.Database(connection, heal)
    return Snapshot(opened, lambda: index.people)


def _config(index: Index, commit: str) -> VaultConfig:
    """The settings at that commit; the current ones if it has none that can be read."""
    blob = index.repo.blob_ids(commit, [settings.FILE]).get(settings.FILE)
    if not blob:
        return index.config
    try:
        then, _ = settings.read(next(iter(index.repo.blobs([blob]))))
    except UsageError:
        return index.config
    return index.config._replace(
        memories=then.memories, templates=then.templates, topics=then.topics, exclude=then.exclude
    )


def _known(place: str) -> sqlite3.Connection | None:
    """A snapshot made earlier; None if there is none, or it is damaged, or of another schema."""
    try:
        os.utime(place)
        return database.connect_readonly(place)
    except (OSError, sqlite3.DatabaseError):
        return None


def _made(index: Index, commit: str, config: VaultConfig, place: str) -> sqlite3.Connection:
    """Make the snapshot under a temporary name first, so that others only ever see it complete."""
    os.makedirs(os.path.dirname(place), exist_ok=True)
    draft = f"{place}.{os.getpid()}"
    try:
        db = sqlite3.connect(draft, isolation_level=None)
        try:
            _fill(index, commit, config, db)
        finally:
            db.close()
        os.replace(draft, place)
    finally:
        for leftover in (draft, draft + "-journal", draft + "-wal", draft + "-shm"):
            with suppress(FileNotFoundError):
                os.unlink(leftover)
    connection = database.connect_readonly(place)
    _forget_old(os.path.dirname(place))
    return connection


def _fill(index: Index, commit: str, config: VaultConfig, db: sqlite3.Connection) -> None:
    index.copy_into(db)
    for setting in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_CACHE}"):  # a draft is whole or deleted
        db.execute(f"PRAGMA {setting}")
    then, until = database.Database(db), index.repo.time_of(commit)
    raw = rows.SourceRows(then, lambda path: index.repo.read(commit, path), config)
    db.execute("BEGIN")
    different, blobs = _different(index, commit, config)
    entries = {path for path in different if layout.is_raw(path, config)}
    for path in sorted(entries):
        raw.renew(path)
    rows.drop(then, sorted(different - entries), but_words=True)
    notes = sorted(blobs.keys() - entries)
    data = zip(notes, index.repo.blobs([blobs[path] for path in notes]), strict=True)
    with workers.shared_out(TASK, index.config.id, data) as read:
        for path, made in zip(notes, read, strict=True):
            if isinstance(made, Problem):
                rows.add_problems(then, [made])
            else:
                times = (until, until) if made.is_dated else versions.times(then, path, until)
                rows.insert(then, made, *(moments.of_seconds(time or until) for time in times))
    db.execute("COMMIT")


TASK = f"{__name__}:of_file"  # its name for workers


def of_file(vault_id: str, file: tuple[str, bytes]) -> NoteRows | Problem:
    """The rows of a note (path, bytes), or what keeps it from being read."""
    try:
        return rows.of_note(memory.parse(file[1], file[0], vault_id))
    except NoteError as error:
        return error.problem


def _different(index: Index, commit: str, config: VaultConfig) -> tuple[set[str], dict[str, str]]:
    """The files that may differ from now, and path -> blob of those that were there then and have rows."""
    if config.of_rows == index.config.of_rows:
        changed = {change.path: change for change in log.changed(index.repo, index.head, commit)}
        unsaved = index.differing() - changed.keys()
        different = changed.keys() | unsaved
        there: list[PathChange | TreeFile] = [*changed.values()]
        there += index.repo.files(commit, [*unsaved]) if unsaved else ()
    else:
        different = {record.file for record in index.records(ALL_KINDS)}
        there = [*index.repo.files(commit)]
    plain = (file for file in there if file.mode in _FILES and layout.is_indexed(file.path, config))
    blobs = {file.path: file.blob for file in plain}
    return different | blobs.keys(), blobs


def _forget_old(folder: str) -> None:
    """Delete all but the last used snapshots, and the drafts that were abandoned."""
    found: dict[str, os.stat_result] = {}
    for name in os.listdir(folder):
        with suppress(FileNotFoundError):  # another process may clean up, too
            found[os.path.join(folder, name)] = os.stat(os.path.join(folder, name))
    number = size = 0
    for place in sorted(found, key=lambda place: -found[place].st_mtime):
        if place.endswith(".sqlite"):
            number += 1
            size += found[place].st_size
            is_kept = number == 1 or (number <= KEPT and size <= KEPT_BYTES)
        else:
            is_kept = found[place].st_mtime >= time.time() - _ABANDONED
        if not is_kept:
            with suppress(FileNotFoundError):
                os.unlink(place)

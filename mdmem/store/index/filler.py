"""Reads files into rows of the index."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import repeat
from types import MappingProxyType

from mdmem.errors import NoteError
from mdmem.note import memory, moments
from mdmem.note.memory import Memory
from mdmem.store import layout
from mdmem.store.config import VaultConfig
from mdmem.store.index import disk, rows, versions
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.index.database import Database
from mdmem.store.index.disk import Dirty
from mdmem.store.index.rows import NoteRows
from mdmem.store.local import files

_FEW = 100  # notes; for fewer, the module that distributes work is not even loaded


class Filler:
    """Reads files into the rows of a catalogue. Callers run its methods within a transaction."""

    def __init__(self, catalogue: SqliteCatalogue, db: Database, root: str, config: VaultConfig) -> None:
        """`db` is the database of the catalogue, `root` the folder of the vault."""
        self._catalogue = catalogue
        self._db = db
        self._root = root
        self._config = config

    def read_all(
        self,
        paths: Sequence[str],
        dirty: dict[str, Dirty],
        started: int,
        progress: Callable[[int, int], None],
        empty: bool = False,
        notes: Mapping[str, Memory] = MappingProxyType({}),
    ) -> None:
        """Read files into rows. Files saved after `started` (ns), or unreadable now, become unsure in `dirty`.

        `empty` says that there are no rows yet, which saves looking for them; `notes` are already parsed.
        """
        raw = self._catalogue.reader(lambda path: disk.read(self._root, path, disk.MOST_RAW), self._config)
        known = set() if empty else rows.known_of(self._db, paths)
        unread = [path for path in paths if path not in notes and layout.is_memory(path, self._config)]
        with _reading(self._root, self._config.id, unread) as ahead:
            for done, path in enumerate(paths, 1):
                try:
                    if not layout.is_memory(path, self._config):
                        raw.renew(path)
                    else:
                        made = rows.of_note(notes[path]) if path in notes else next(ahead)
                        made = made or _made(self._root, path, self._config.id)
                        if path in known:
                            self._catalogue.drop([path])
                        if made:
                            rows.insert(self._db, made, *self._times(made.is_dated, path, dirty))
                except NoteError as error:
                    self._note_problem(path, error, dirty)
                if path not in dirty and disk.saved_since(self._root, path, started):
                    dirty[path] = Dirty(disk.UNSURE)
                if done % 200 == 0 or done == len(paths):
                    progress(done, len(paths))

    def _note_problem(self, path: str, error: NoteError, dirty: dict[str, Dirty]) -> None:
        if error.problem.code == files.UNREADABLE:  # its rows stay
            self._db.execute("DELETE FROM problems WHERE path=?", (path,))
            dirty[path] = Dirty(disk.UNSURE)
        else:
            self._catalogue.drop([path])
        self._catalogue.add_problems([error.problem])

    def _times(self, is_dated: bool, path: str, dirty: Mapping[str, Dirty]) -> tuple[str, str]:
        """(created, updated) of a file from its history; "" for a note that gives both itself."""
        return ("", "") if is_dated else versions.times_of_file(self._db, self._root, path, dirty)

    def set_times(self, paths: Iterable[str], dirty: Mapping[str, Dirty]) -> None:
        """Set the times from history again, for notes that did not change themselves."""
        for path in paths:
            row = self._db.execute("SELECT meta FROM notes WHERE path=? AND kind='memory'", (path,))
            if row and os.path.lexists(os.path.join(self._root, path)):
                meta = json.loads(row[0][0])
                times = zip(
                    ("created", "updated"), self._times(is_dated=False, path=path, dirty=dirty), strict=True
                )
                values = [moments.normal(meta.get(key)) or time for key, time in times]
                self._db.execute("UPDATE notes SET created=?, updated=? WHERE path=?", (*values, path))


def _reading(root: str, vault_id: str, notes: Sequence[str]) -> AbstractContextManager[Iterator[NoteRows | None]]:
    """The rows of notes in order, read by other processes; None for each note to be read in this one."""
    if len(notes) < _FEW:
        return nullcontext(repeat(None))
    from mdmem.store.local import workers

    return workers.shared_out(TASK, (root, vault_id), notes)


TASK = f"{__name__}:of_file"  # its name for workers


def of_file(settings: Sequence[str], path: str) -> NoteRows | None:
    """The rows of the note at a path, None if it cannot be read; `settings` are the vault's folder and id."""
    root, vault_id = settings
    try:
        return _made(root, path, vault_id)
    except NoteError:
        return None


def _made(root: str, path: str, vault_id: str) -> NoteRows | None:
    data = disk.read(root, path)
    return rows.of_note(memory.parse(data, path, vault_id)) if data is not None else None

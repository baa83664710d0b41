"""Rows that are not memories, made of raw files such as ingested dialogs.

The room that a raw file belongs to knows what it means, and registers a reader for it (see
`store.registry.RowReader`). That room is not imported for a vault that has no such files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mdmem.errors import Problem
from mdmem.store import layout, registry
from mdmem.store.config import VaultConfig
from mdmem.store.index import rows
from mdmem.store.index.database import Database
from mdmem.store.index.port import FACT

if TYPE_CHECKING:
    from mdmem.store.index.catalogue import SqliteCatalogue

INDEXED = (layout.Kind.MEMORY, layout.Kind.RAW)  # kinds of files that have rows


def is_indexed(path: str, config: VaultConfig) -> bool:
    """Whether a file has rows in the index."""
    return layout.kind_of(path, config) in INDEXED


class SourceRows:
    """Makes the rows of raw files, for one reading of a vault: as it is now, or as of a commit."""

    def __init__(self, db: Database, read: Callable[[str], bytes | None], config: VaultConfig) -> None:
        """`read` returns the bytes of a file, None if it is gone; it raises NoteError."""
        self._db = db
        self._read = read
        self._config = config
        self._readers: list[registry.RowReader] = []
        self._done: set[str] = set()

    def renew(self, path: str) -> None:
        """Make the rows that depend on a raw file again, once for all files of one source.

        Raises NoteError if a file cannot be read; the rows of its source then stay.
        """
        self._readers = self._readers or list(registry.row_readers(self._read, self._config))
        for reader in self._readers:
            for source in reader.sources(path):
                if source not in self._done:
                    made = list(reader.rows(source))
                    rows.drop(self._db, source)
                    rows.insert_sources(self._db, source, made)
                    self._done.add(source)


def not_facts(index: SqliteCatalogue) -> list[Problem]:
    """The bullets in the Facts sections of notes that are not facts."""
    return [problem for problem in index.problems() if problem.code == FACT]

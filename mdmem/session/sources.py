"""Where a session gets its memories: its vault, or also the other vaults that queries go to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from mdmem.note.filters import Filter
from mdmem.note.memory import is_example
from mdmem.note.terminal import safe_line
from mdmem.recall import ask
from mdmem.recall.ask import Answer, Query, Viewpoint
from mdmem.store.index import port, selection
from mdmem.store.index.port import Catalogue, IndexedNote, NoteText
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.store.index.catalogue import SqliteCatalogue
    from mdmem.store.vault.several import OpenVaults


class Sources:
    """The memories of one vault, or of several; `catalogue` has all of them.

    What a session is told never includes the examples of a new vault: they are about mdmem.
    A record has its path within its vault; its `key` is unique among all vaults.
    """

    def __init__(self, vault: Vault, vaults: OpenVaults | None = None) -> None:
        """`vaults` are several open vaults, the first of which is `vault`."""
        self._vault, self._vaults = vault, vaults
        self._places = vaults or vault
        self.catalogue: Catalogue = vault.index
        self.name = ""  # of the vault among others
        if vaults is not None:
            from mdmem.recall import joined

            self.catalogue, self.name = joined.of(vaults), vaults.every[0].name

    @property
    def where(self) -> str:
        """The folder of the vault, and the names of the others that are searched beside it."""
        others = " and ".join(name for name, _ in self._vaults.every[1:]) if self._vaults else ""
        return safe_line(f"{self._vault.root}" + (f", beside it {others}" if others else ""))

    def key(self, record: IndexedNote) -> str:
        """The key of a record in the catalogue."""
        if self._vaults is None:
            return record.path
        return port.key(record.vault, record.path)

    def own(self, record: IndexedNote) -> IndexedNote:
        """A record of the session's own vault, with the name of that vault if there are several."""
        return record._replace(vault=self.name) if self.name else record

    def _local(self, records: Iterator[IndexedNote]) -> Iterator[IndexedNote]:
        if self._vaults is not None:
            records = map(port.local, records)
        return (record for record in records if not is_example(record.id))

    def newest(self) -> Iterator[IndexedNote]:
        """Every memory, the latest created first."""
        return self._local(self.catalogue.newest())

    def of_projects(self, is_wanted: Callable[[str], bool]) -> Iterator[IndexedNote]:
        """The memories of those projects whose name `is_wanted`, newest first; read as far as they are wanted."""
        return self.of_each(lambda index: index.of_projects(lambda name: bool(name) and is_wanted(name)))

    def of(self, column: str, *values: str) -> Iterator[IndexedNote]:
        """Memories with one of some values in a column, newest first; read as far as they are wanted."""
        return self.of_each(lambda index: index.of(column, *values))

    def of_each(self, read: Callable[[SqliteCatalogue], Iterator[IndexedNote]]) -> Iterator[IndexedNote]:
        """The records that are read from each vault, with its name if there are several."""
        for name, vault in ask.members(self._places):
            yield from (one._replace(vault=name) for one in read(vault.index) if not is_example(one.id))

    def away(self, conditions: Sequence[Filter]) -> set[str]:
        """The keys of archived memories, unless a filter asks for them."""
        return selection.put_away(self.catalogue, conditions)

    def at(self, keys: Sequence[str]) -> list[IndexedNote]:
        """The records that exist for those keys."""
        return list(self._local(iter(self.catalogue.records_at(keys))))

    def texts(self, records: Sequence[IndexedNote]) -> list[NoteText]:
        """The texts of records, in their order."""
        keys = [self.key(record) for record in records]
        texts = self.catalogue.texts(keys)
        return [texts[key] for key in keys]

    def body(self, record: IndexedNote) -> str:
        """The text of a record below its header."""
        return self.catalogue.body(self.key(record))

    def ask(self, query: Query, now: datetime) -> list[Answer]:
        """The answers to a query; their memories are not counted as used."""
        answers = ask.ask(self._places, query, now, counted=False)
        return [answer for answer in answers if not is_example(answer.hit.record.id)]

    def about(self, records: Sequence[IndexedNote]) -> list[Answer]:
        """Answers for memories that were not found by words, each cited by its first line."""
        return ask.about(self._places, records)

    def view(self, who: Caller) -> Viewpoint:
        """What the repository in which somebody works says of memories."""
        return Viewpoint(self._vault, Query((), project=who.project, folder=who.folder))

    def count_use(self, answers: Sequence[Answer], now: datetime, session: str = "") -> None:
        """Count these memories as recalled, each in its vault, and in `session` if that is given."""
        ask.count_use(self._places, answers, now, session)

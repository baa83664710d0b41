"""Where a vault's notes are kept while a plan is made: in memory up to a limit, beyond it in a temporary file."""

from __future__ import annotations

import pickle
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from mdmem.garden.spill import Spill
from mdmem.store.local import workers

if TYPE_CHECKING:
    from mdmem.garden.gardeners.note import Note, NoteRecord

_IN_MEMORY = 10_000  # notes, at 2 kB each
_KEPT = 1_000  # of the other records, those used last
_TASK = "mdmem.garden.noteshelf:derived_from"

T = TypeVar("T")
Derivation = Callable[["Note"], Any]
share = sys.intern  # a text that many notes have, as one object for all of them


class NoteShelf:
    """Notes, their texts, and the values derived from each of them."""

    def __init__(self) -> None:
        self._spill = Spill()  # the text of each note, followed by its record if that is not in memory
        self._in_memory = 0
        self._derived: dict[str, _DerivedShelf] = defaultdict(_DerivedShelf)
        self.record = lru_cache(_KEPT)(self._record)

    def put(self, record: NoteRecord, data: bytes) -> tuple[int, NoteRecord | None]:
        """Store a note; the number that it has from now on, and its record if that stays in memory.

        Raises OSError if there is no room.
        """
        at = self._spill.append(data)
        if self._in_memory < _IN_MEMORY:
            self._in_memory += 1
            return at, record
        self._spill.append(pickle.dumps(record))
        return at, None

    def _record(self, at: int) -> NoteRecord:
        """The record of the note with that number."""
        record: NoteRecord = pickle.loads(self._spill[at + 1])  # noqa: S301 - of this process
        return record

    def data(self, at: int) -> bytes:
        """The bytes of that note's file. Raises OSError if they are gone."""
        return self._spill[at]

    def derived(self, at: int, derive: Callable[[Note], T], note: Note) -> T:
        """The value of a function of that note alone, which is called only once. Raises OSError like `put`."""
        shelf = self.shelf_of(derive)
        if not shelf.has(at):
            shelf.put(at, pickle.dumps(derive(note)))
        kept: T = shelf.value(at)
        return kept

    def shelf_of(self, derive: Derivation) -> _DerivedShelf:
        """Where the values of a derivation are stored."""
        return self._derived[_name(derive)]


class _DerivedShelf:
    """The pickled values of one derivation, by the numbers of the notes."""

    def __init__(self) -> None:
        self._places = array("q")  # number of a note -> number of its value, from 1; 0 is none
        self._found = Spill()
        self._last, self._place = b"", 0  # many notes in a row have the same value: an empty one

    def has(self, at: int) -> bool:
        """Whether the value of a note is stored."""
        return at < len(self._places) and self._places[at] > 0

    def put(self, at: int, found: bytes) -> None:
        """Store the pickled value of a note."""
        missing = at + 1 - len(self._places)
        self._places.extend([0] * missing)
        if found != self._last:
            self._last, self._place = found, 1 + self._found.append(found)
        self._places[at] = self._place

    def value(self, at: int) -> Any:
        """The value of a note, which must be stored."""
        return pickle.loads(self._found[self._places[at] - 1])  # noqa: S301 - of our own workers


def derive_ahead(notes: Sequence[Note], derivations: Sequence[Derivation]) -> None:
    """Compute these derivations of many notes on every core, and store them. Raises OSError like `NoteShelf`."""
    if len(notes) < workers.AT_LEAST:
        return
    ahead = [note for note in notes if not all(note.storage.shelf_of(each).has(note.at) for each in derivations)]
    with workers.shared_out(_TASK, [_name(derive) for derive in derivations], ahead) as found:
        for note, values in zip(ahead, found, strict=True):
            for derive, value in zip(derivations, values, strict=True):
                note.storage.shelf_of(derive).put(note.at, value)


def derived_from(names: Sequence[str], note: Note) -> list[bytes]:
    """The pickled values of the derivations with these names (`module:function`) for a note."""
    return [pickle.dumps(_function(name)(note)) for name in names]


def _name(derive: Derivation) -> str:
    return f"{derive.__module__}:{derive.__qualname__}"


_function = cache(workers.task_named)

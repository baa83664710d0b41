"""What planning costs is bounded a note: texts that are read, laid side by side and kept in memory are counted."""

from __future__ import annotations

import gc
import resource
import tracemalloc
from datetime import UTC, datetime

import pytest

from mdmem.garden import noteshelf
from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import GardenSettings
from mdmem.garden.noteshelf import NoteShelf, Row
from mdmem.garden.pairs import figures
from mdmem.note import memory
from tests import plans

TODAY = datetime(2026, 11, 21, 12, tzinfo=UTC)
COUNT = 60  # notes
READ, FETCHED = 12, 40  # texts read for comparison, and texts fetched, for each note
ROOMS = "kitchen attic cellar hall garage study bathroom pantry porch loft".split()
THINGS = "lamp carpet boiler window shelf mirror radiator cupboard socket curtain".split()


def notes_of(count: int, storage: NoteShelf | None) -> list[Note]:
    """Short notes, each with a word of its own, of which many share two others."""
    found = []
    for at in range(count):
        room, thing = ROOMS[at % 10], THINGS[at // 10 % 10]
        day = f"2026-{at % 9 + 1:02}-{at % 28 + 1:02}T08:00:00Z"
        text = f"The {thing} in the {room} of flat wohnung{at // 3} has the number x{at}."
        data = f"---\ncreated: {day}\ncategory: present\ntype: fact\n---\n\n{text}\n".encode()
        path = f"allmemories/{thing}_in_the_{room}_{at}.md"
        found.append(note.read(memory.parse(data, path), data, shelf=storage))
    return found


def test_texts_are_on_disk_and_come_back_as_they_were() -> None:
    shelf = NoteShelf()
    rows: list[Row] = [
        {"data": bytes([at]) * at, "title": "\udcff", "meta": {"a": [at, 0.5, None]}} for at in range(200)
    ]
    numbers = [shelf.append(row) for row in rows]
    assert [shelf[at] for at in reversed(numbers)] == rows[::-1]


def test_a_text_for_which_there_was_no_room_is_an_error_and_costs_no_other_one() -> None:
    """A file may not be longer than the process is allowed to write: as with a disk that is full."""
    shelf = NoteShelf()
    kept = shelf.append({"data": b"kept " * 100_000})
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, most))
    try:
        with pytest.raises(OSError, match="TMPDIR"):
            shelf.append({"data": bytes(5 << 20)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))
    assert shelf[kept] == {"data": b"kept " * 100_000}


def test_what_a_note_does_not_have_is_an_attribute_error() -> None:
    """As of any object: `hasattr` and `getattr` with a default ended in a KeyError."""
    (one,) = notes_of(1, None)
    assert getattr(one, "colour", "none") == "none"
    with pytest.raises(AttributeError, match="colour"):
        _ = one.colour


class CountedText(bytes):
    """Bytes of which it is counted how many are in memory."""

    alive = 0

    def __init__(self, _: bytes) -> None:
        CountedText.alive += 1

    def __del__(self) -> None:
        CountedText.alive -= 1


def test_a_note_that_was_read_holds_no_text_in_memory() -> None:
    storage = NoteShelf()
    alone = notes_of(5, None)
    read = [note.read(memory.parse(one.data, one.path), CountedText(one.data), shelf=storage) for one in alone]
    gc.collect()
    assert CountedText.alive == 0
    assert [one.length for one in read] == [len(one.body) for one in read]


class CountingShelf(NoteShelf):
    """Notes of which it is counted how often their texts are fetched."""

    fetched = 0

    def fetch(self, at: int) -> Row:
        self.fetched += 1
        return super().fetch(at)


def test_the_work_grows_with_the_notes_and_not_with_their_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """How often a text is fetched, and how many are read for comparison, is bounded for each note."""
    storage = CountingShelf()
    planned = notes_of(COUNT, storage)
    read: list[str] = []
    told = figures.told
    monkeypatch.setattr(figures, "told", lambda one, roots: read.append(one.path) or told(one, roots))
    plans.of_notes(planned, GardenSettings(), TODAY)
    assert len(read) <= READ * COUNT
    assert storage.fetched <= FETCHED * COUNT


KEPT = 900  # bytes


def test_little_of_a_note_is_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond those read last. A plan of 100,000 notes took 333 MB when each was an object, of 1.8 kB."""
    monkeypatch.setattr(noteshelf, "_MOST", 0)
    monkeypatch.setattr(noteshelf, "_KEPT", 64)
    notes_of(2, NoteShelf())  # loads what is loaded once
    tracemalloc.start()
    try:
        ground = Ground(notes_of(300, NoteShelf()))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept / len(ground.notes) <= KEPT

"""The catalogue as the rest of mdmem knows it: memories by path, whatever their ids and rows."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime

from mdmem.index.catalogue import SqliteCatalogue
from mdmem.index.port import Catalogue, FileHistory, Upkeep
from mdmem.note import memory
from mdmem.recall import order
from mdmem.recall.gather import RecallContext

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def put(catalogue: SqliteCatalogue, path: str, text: str) -> None:
    catalogue.insert(memory.parse(text.encode(), path), "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z")


def test_the_sqlite_catalogue_is_all_ports() -> None:
    """mypy reads this: each port is met, method by method."""
    with closing(SqliteCatalogue.in_memory()) as sqlite:
        asked: Catalogue = sqlite
        history: FileHistory = sqlite
        upkeep: Upkeep = sqlite
        assert asked.count() == len(upkeep.names()) == len(history.commits_of("allmemories/no_such_note.md")) == 0


def test_two_files_of_one_id_are_two_memories() -> None:
    """A note copied by hand keeps its id: each of the two is found, ranked and read for itself."""
    with closing(SqliteCatalogue.in_memory()) as catalogue:
        for name, words in (("about_the_boat", "the boat leaks"), ("copy_of_it", "the boat sails")):
            put(catalogue, f"allmemories/{name}.md", f"---\nid: same-id\n---\n{words}\n")
        paths = ["allmemories/about_the_boat.md", "allmemories/copy_of_it.md"]
        assert [record.path for record in catalogue.with_id("same-id")] == paths
        hits = order.recall(catalogue, ["boat sails"], RecallContext(NOW))
        assert [hit.record.path for hit in hits] == paths[::-1]
        assert [catalogue.body(hit.record.path).strip() for hit in hits] == ["the boat sails", "the boat leaks"]
        catalogue.drop(paths[0])
        assert [record.path for record in catalogue.with_id("same-id")] == paths[1:]
        assert catalogue.search('"boat"', -1) == paths[1:]


def test_records_come_in_the_order_asked_for_without_those_that_are_gone() -> None:
    with closing(SqliteCatalogue.in_memory()) as catalogue:
        for name in ("one_first_note", "two_second_note", "three_third_note"):
            put(catalogue, f"{name}.md", "words")
        asked = ["two_second_note.md", "no_such_note.md", "one_first_note.md"]
        assert [record.path for record in catalogue.records_at(asked)] == [asked[0], asked[2]]
        assert catalogue.texts(asked).keys() == {asked[0], asked[2]}
        assert catalogue.body("no_such_note.md") == ""


def test_search_keeps_to_spans_of_creation() -> None:
    with closing(SqliteCatalogue.in_memory()) as catalogue:
        for day in ("01", "02", "03"):
            put(catalogue, f"note_of_day_{day}.md", f"---\ncreated: 2026-01-{day}\n---\nboat\n")
        spans = [("2026-01-02T00:00:00Z", "2026-01-02T23:59:59Z")]
        assert catalogue.search('"boat"', -1, spans) == ["note_of_day_02.md"]
        assert len(catalogue.search('"boat"', -1)) == 3
        assert len(catalogue.search('"boat"', 2)) == 2

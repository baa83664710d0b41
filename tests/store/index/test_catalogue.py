"""The catalogue as the rest of mdmem knows it: memories by path, whatever their ids and rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import product
from random import Random

import pytest

from mdmem.note import memory
from mdmem.note.trust.sensitivity import Clearance
from mdmem.recall import order
from mdmem.recall.gather import RecallContext
from mdmem.store.index import alike
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.index.port import ALL_KINDS, FACT, MEMORY, Catalogue

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def catalogue() -> Iterator[SqliteCatalogue]:
    """An empty catalogue in memory."""
    with closing(SqliteCatalogue.in_memory()) as empty:
        yield empty


def put(catalogue: SqliteCatalogue, path: str, text: str) -> None:
    catalogue.insert(memory.parse(text.encode(), path), "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z")


def test_the_sqlite_catalogue_is_the_port() -> None:
    """mypy reads this: the port is met, method by method."""
    with closing(SqliteCatalogue.in_memory()) as sqlite:
        asked: Catalogue = sqlite
        assert asked.count() == len(sqlite.names()) == len(sqlite.commits_of(["allmemories/no_such_note.md"])) == 0


def test_two_files_of_one_id_are_two_memories(catalogue: SqliteCatalogue) -> None:
    """A note copied by hand keeps its id: each of the two is found, ranked and read for itself."""
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


def test_the_words_of_many_notes_are_written_together(catalogue: SqliteCatalogue) -> None:
    """FTS5 keeps them in memory until then; some statements on other tables make it write them at once."""
    with catalogue._db.transaction():
        for number in range(6):
            put(catalogue, f"note_number_{number}.md", f"the boat {number}")
    assert catalogue._db.column("SELECT count(DISTINCT segid) FROM fts_idx") == [1]
    assert len(catalogue.search('"boat"', -1)) == 6


@pytest.mark.parametrize("gone", [520, 700])
def test_whether_most_notes_go_or_few_the_words_of_the_others_stay(gone: int) -> None:
    paths = [f"allmemories/note_number_{number}.md" for number in range(1100)]
    with closing(SqliteCatalogue.in_memory()) as catalogue, closing(SqliteCatalogue.in_memory()) as fresh:
        for number, path in enumerate(paths):
            for each in (catalogue, fresh) if number >= gone else (catalogue,):
                put(each, path, f"# The boat {number % 7}\n\nIt leaks, 機械 {number}. [[another_note]] #tag")
        catalogue.drop(paths[:gone])
        assert catalogue.vocabulary([""]) == fresh.vocabulary([""])
        for words in ('"boat"', '"機械"', f'"{gone}" OR "leaks"'):
            assert catalogue.search(words, -1) == fresh.search(words, -1) != []
        catalogue.drop(paths)
        assert catalogue.vocabulary([""]) == {"": {}}


def test_records_come_in_the_order_asked_for_without_those_that_are_gone(catalogue: SqliteCatalogue) -> None:
    for name in ("one_first_note", "two_second_note", "three_third_note"):
        put(catalogue, f"{name}.md", "words")
    asked = ["two_second_note.md", "no_such_note.md", "one_first_note.md"]
    assert [record.path for record in catalogue.records_at(asked)] == [asked[0], asked[2]]
    assert catalogue.texts(asked).keys() == {asked[0], asked[2]}
    assert catalogue.body("no_such_note.md") == ""


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM fts_docsize",
        "DELETE FROM fts_data WHERE id = 1",
        "UPDATE fts_data SET block = x'' WHERE id = 1",
    ],
)
def test_a_further_question_of_a_damaged_index_is_left_to_fts5(damage: str, catalogue: SqliteCatalogue) -> None:
    """Its rows are read without FTS5 there; what is missing in them is neither a crash nor an answer."""
    for name in ("one_first_note", "two_second_note", "three_third_note"):
        put(catalogue, f"{name}.md", "the boat")
    catalogue._db.execute(damage)
    for _ in range(2):
        with suppress(sqlite3.DatabaseError):
            assert len(catalogue.search('"boat"', 9)) == 3


def test_search_keeps_to_spans_of_creation(catalogue: SqliteCatalogue) -> None:
    for day in ("01", "02", "03"):
        put(catalogue, f"note_of_day_{day}.md", f"---\ncreated: 2026-01-{day}\n---\nboat\n")
    spans = [("2026-01-02T00:00:00Z", "2026-01-02T23:59:59Z")]
    assert catalogue.search('"boat"', -1, spans) == ["note_of_day_02.md"]
    assert len(catalogue.search('"boat"', -1)) == 3
    assert len(catalogue.search('"boat"', 2)) == 2


def test_a_further_question_is_answered_in_the_order_of_the_first(catalogue: SqliteCatalogue) -> None:
    """FTS5 answers the first and keeps nothing; the next are answered from what words count in rows."""
    random = Random(4)
    words = "boat ship harbour water kiel paint rope sail crew storm".split()
    asked = [alike.match_expression(random.choices(words, k=count)) for count in (1, 2, 3, 5)]
    asked += ['"boat" OR "keel"', '"keel"']

    def assert_alike(catalogue: SqliteCatalogue) -> None:
        further = SqliteCatalogue(catalogue._db)
        further.search('"boat"', 1)
        for expression, kinds, limit in product(asked, ((MEMORY,), (FACT,), ALL_KINDS), (3, 90)):
            first = SqliteCatalogue(catalogue._db)
            assert further.search(expression, limit, kinds=kinds) == first.search(expression, limit, kinds=kinds)

    assert_alike(catalogue)
    for number in range(60):
        title, body = (" ".join(random.choices(words, k=random.randint(1, most))) for most in (3, 200))
        fact = f"## Facts\n\n- Ana · likes · the {title} (preference)\n" if number % 3 else ""
        put(catalogue, f"note_of_number_{number}.md", f"---\ntitle: {title}\n---\n{body}\n\n{fact}")
    assert_alike(catalogue)
    with catalogue._db.transaction():
        for number in range(0, 60, 7):
            catalogue.drop(f"note_of_number_{number}.md")
        assert_alike(catalogue)


TOLD = """---
id: 019ca945-0a00-74e5-8011-50fc113efea2
created: 2026-02-01T00:00:00Z
topic: people
session: conv-7
---
Ana moved.

## Facts

- Ana · lives in · Lisbon (identity, current, 0.9) "I moved to Lisbon."
- Ana · likes · fado (preference)
"""


def test_facts_of_a_note_are_rows_that_only_those_see_who_ask_for_them(catalogue: SqliteCatalogue) -> None:
    """Whoever walks the memories goes on seeing memories only; what asks for facts gets them with their source."""
    put(catalogue, "about_the_boat.md", "the boat leaks")
    assert catalogue.kinds() == []
    put(catalogue, "people/where_ana_lives.md", TOLD)
    memories = ["about_the_boat.md", "people/where_ana_lives.md"]
    assert [record.path for record in catalogue.records()] == memories
    assert {record.path for record in catalogue.newest()} == set(memories)
    assert catalogue.names() == ["about_the_boat", "where_ana_lives"]
    assert catalogue.count() == len(catalogue.digests()) == len(catalogue.marks()) == 2
    assert catalogue.search('"lisbon"', -1) == memories[1:]
    assert catalogue.created_within("2026-02-01", "2026-02-02", -1) == memories[1:]
    assert "subject" not in catalogue.property_names()
    assert [record.path for record in catalogue.marked("", "")] == [memories[1], memories[0]]

    assert catalogue.kinds() == ["fact"]
    assert catalogue.count((FACT,)) == 2
    assert catalogue.count(ALL_KINDS) == 4
    [home] = catalogue.records_at(catalogue.search('"lisbon"', -1, kinds=(FACT,)))
    assert (home.kind, home.type, home.topic, home.session) == ("fact", "identity", "people", "conv-7")
    assert (home.file, home.file_line(1), home.created) == (memories[1], 11, "2026-02-01T00:00:00Z")
    assert (home.title, catalogue.body(home.path)) == ("Ana lives in Lisbon", "I moved to Lisbon.")
    assert home.path == f"{memories[1]}#{home.id}"
    assert catalogue.record(home.path) is None
    assert catalogue.record(home.path, (FACT,)) == home
    assert catalogue.with_id(home.id) == []
    assert catalogue.with_id(home.id, (FACT,)) == [home]
    assert home.meta["entry"] == "019ca945-0a00-74e5-8011-50fc113efea2"
    assert {"subject", "relation", "object"} <= catalogue.property_names((FACT,))
    assert catalogue.neighbours(catalogue.texts([home.path]).values(), 2) == {}

    catalogue.drop(memories[1])
    assert catalogue.count(ALL_KINDS) == 1
    assert catalogue.search('"lisbon"', -1, kinds=ALL_KINDS) == []


@pytest.mark.parametrize("level", ["high", "HYPER ", "weird", '"hi\\0gh"', '"\\0"', '"a\\"b"'])
def test_what_a_level_hides_is_hidden_with_all_that_was_made_of_it(level: str) -> None:
    """Also in a circle, and where nobody knows the level: then it is the highest."""
    catalogue = SqliteCatalogue.in_memory()
    made_of = {"plan": "", "notes": "plan", "digest": "notes", "loop": "digest"}
    for name, source in made_of.items():
        links = f'derived_from: ["[[{source}]]", "[[loop]]"]' if source else f"sensitivity: {level}"
        text = f"---\nid: {name}\n{links}\n---\n\nText.\n"
        catalogue.insert(memory.parse(text.encode(), f"{name}.md"), "", "")
    catalogue.insert(memory.parse(b"---\nsensitivity: low\n---\n\nText.\n", "seen.md"), "", "")
    seen = catalogue.seen_with(Clearance("medium"))
    assert [record.name for record in seen.records()] == ["seen"]
    assert {level for level, _ in (catalogue.trust()[f"{name}.md"] for name in made_of)} <= {"high", "hyper"}

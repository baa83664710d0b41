"""Linking, remembering and recalling chunks, as programs of the public package do it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mdmem.systems.compat.chunks import (
    AutoLinker,
    Chunk,
    ChunkLinks,
    ChunkMetadata,
    ChunkStore,
    RecallOperation,
    RememberOperation,
    calculate_link_strength,
    chunk_and_store,
    create_chunk_with_links,
)
from tests.conftest import NOW

Create = Callable[..., Chunk]


# -- links ---------------------------------------------------------------------------------------------------


def test_links_of_a_conversation(create: Create, store: ChunkStore) -> None:
    linker = AutoLinker(store, temporal_window_minutes=5)
    one = linker.link_on_create(create("First message."))
    two = linker.link_on_create(create("Second message."))
    assert one.links == ChunkLinks()
    assert (two.links.context_of, two.links.follows) == ([one.id], [one.id])
    again = store.get_chunk(one.id)
    assert again
    assert again.links == ChunkLinks(context_of=[two.id])  # both directions; follows is one of time


def test_links_by_tags(create: Create, store: ChunkStore) -> None:
    linker = AutoLinker(store)
    one = create("Of the feature.", "conv-1", tags=["a", "b"])
    two = linker.link_on_create(create("Of the same.", "conv-2", tags=["b", "c"]))
    three = linker.link_on_create(create("Of both.", "conv-1", tags=["a"]))
    assert two.links.related_to == [one.id]
    assert (three.links.related_to, three.links.context_of) == ([], [one.id])
    assert store.peek(one.id).links.related_to == [two.id]


def test_linking_writes_nothing(create: Create, store: ChunkStore, root: Path, git: Callable[..., str]) -> None:
    create()
    made = create()
    head = git(root, "rev-parse", "HEAD")
    AutoLinker(store).link_on_create(made)
    assert git(root, "rev-parse", "HEAD") == head
    assert store.peek(made.id).metadata.access_count == 0


@pytest.fixture
def hours(store: ChunkStore) -> Callable[[float], None]:
    """Let the store's clock stand at so many hours from now."""

    def set_clock(number: float) -> None:
        store._clock = lambda: NOW + timedelta(hours=number)

    return set_clock


def test_chunks_follow_within_five_minutes(create: Create, hours: Callable[[float], None]) -> None:
    hours(0)
    one = create()
    hours(0.08)
    two = create()
    hours(1)
    three = create()
    assert (two.links.follows, three.links.follows) == ([one.id], [])
    assert three.links.context_of == [one.id, two.id]


def test_another_window(create: Create, store: ChunkStore, hours: Callable[[float], None]) -> None:
    hours(0)
    one = create()
    hours(1)
    two = AutoLinker(store, temporal_window_minutes=90).link_on_create(create())
    assert two.links.follows == [one.id]
    assert store.peek(two.id).links.follows == [one.id]
    hours(1.05)
    three = AutoLinker(store, temporal_window_minutes=1).link_on_create(create())
    assert three.links.follows == []


def test_linking_what_is_gone(create: Create, store: ChunkStore) -> None:
    made = create()
    store.delete_chunk(made.id)
    assert AutoLinker(store).link_on_create(made) is made


def test_creating_with_links(store: ChunkStore, root: Path, git: Callable[..., str]) -> None:
    linker = AutoLinker(store)
    one = create_chunk_with_links(store, linker, "One.", "note", "conv-1", 5, ["a"], 0.8)
    before = int(git(root, "rev-list", "--count", "HEAD"))
    two = create_chunk_with_links(store, linker, "Two.", "note", "conv-1", 5)
    assert int(git(root, "rev-list", "--count", "HEAD")) == before + 1
    assert (one.metadata.confidence, two.links.context_of) == (0.8, [one.id])


def test_how_strong_links_are() -> None:
    def at(minutes: float, *tags: str) -> Chunk:
        when = (NOW + timedelta(minutes=minutes)).isoformat()
        return Chunk("chunk-x", "", 1, "note", ChunkMetadata(when), tags=list(tags))

    one, two = at(0, "a", "b", "c", "d"), at(1, "a")
    assert calculate_link_strength(one, two, "context_of") == 1.0
    assert calculate_link_strength(two, one, "follows") == pytest.approx(0.8)
    assert calculate_link_strength(at(99), one, "follows") == 0.3
    assert calculate_link_strength(one, two, "related_to") == pytest.approx(0.5)
    assert calculate_link_strength(one, one, "related_to") == 0.9
    assert calculate_link_strength(one, two, "supports") == 0.5


# -- remembering ---------------------------------------------------------------------------------------------

LONG = "\n\n".join(
    f"{kind} number {n}. " + "word " * 500
    for n in range(3)
    for kind in ("We decided on", "They usually take", "I prefer")
)


def test_one_remember_is_one_commit(store: ChunkStore, root: Path, git: Callable[..., str]) -> None:
    before = int(git(root, "rev-list", "--count", "HEAD"))
    done = RememberOperation(store).remember(LONG, "conv-1", ["a"], 0.9)
    assert done["success"]
    assert done["chunks_created"] == len(done["chunk_ids"]) == 9
    assert int(git(root, "rev-list", "--count", "HEAD")) == before + 1
    made = [store.peek(id) for id in done["chunk_ids"]]
    assert done["total_tokens"] == sum(one.tokens for one in made if one)
    assert {one.type for one in made if one} == {"decision", "pattern", "preference"}
    assert all(one and one.tags == ["a"] and one.metadata.confidence == 0.9 for one in made)
    assert len(made[-1].links.follows) == 8
    assert "Memory-Session: conv-1" in git(root, "log", "-1", "--format=%b")


def test_the_same_twice_is_two_chunks(store: ChunkStore) -> None:
    remember = RememberOperation(store, AutoLinker(store)).remember
    assert remember("The same.", "conv-1")["chunk_ids"] != remember("The same.", "conv-1")["chunk_ids"]
    assert len(store.list_chunks()) == 2


def test_a_type_that_is_given(store: ChunkStore) -> None:
    (id,) = RememberOperation(store).remember("We decided.", "conv-1", chunk_type="fact")["chunk_ids"]
    assert store.peek(id).type == "fact"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((None, "conv-1"), TypeError),
        ((7, "conv-1"), TypeError),
        (("Text.", ""), ValueError),
        (("Text.", "conv-1", None, 1.1), ValueError),
        (("Text.", "conv-1", None, -0.1), ValueError),
        (("Text.", "conv-1", None, 0.5, "no type"), ValueError),
    ],
)
def test_what_cannot_be_remembered(store: ChunkStore, arguments: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        RememberOperation(store).remember(*arguments)
    assert store.list_chunks() == []


@pytest.mark.parametrize("text", ["", "  \n\t\n"])
def test_nothing_to_remember(store: ChunkStore, text: str) -> None:
    done = RememberOperation(store).remember(text, "conv-1")
    assert (done["success"], done["chunk_ids"], done["total_tokens"], done["chunks_created"]) == (False, [], 0, 0)
    assert done["error"]


def test_a_text_cut_and_stored(store: ChunkStore, root: Path, git: Callable[..., str]) -> None:
    before = int(git(root, "rev-list", "--count", "HEAD"))
    made = chunk_and_store(LONG, "conv-1", store, ["a"], max_tokens=300)
    assert len(made) > 9
    assert all(one.tokens <= 300 and one.tags == ["a"] for one in made)
    assert int(git(root, "rev-list", "--count", "HEAD")) == before + 1
    assert chunk_and_store(" ", "conv-1", store) == []


# -- recalling -----------------------------------------------------------------------------------------------


def test_recall_is_that_of_the_vault(create: Create, store: ChunkStore) -> None:
    create("User dislikes long meetings.", "conv-2")
    wanted = create("User prefers tables over prose.", confidence=0.9)
    found = RecallOperation(store).recall("tables or prose?")
    assert (found.source_chunks, found.answer) == ([wanted.id], "User prefers tables over prose.")
    assert (found.confidence, found.iterations_used, found.cost_usd) == (pytest.approx(0.9), 1, 0.0)
    assert found.traversal_path == [wanted.id]
    assert store.peek(wanted.id).metadata.access_count == 1


def test_recall_keeps_to_what_it_is_told(create: Create, store: ChunkStore) -> None:
    mine = [create(f"Tables are good, reason {n}.", "conv-1", confidence=0.6 + n / 10) for n in range(4)]
    create("Tables of another conversation.", "conv-2")
    recall = RecallOperation(store).recall
    assert {*recall("tables", conversation_id="conv-1").source_chunks} == {one.id for one in mine}
    assert len(recall("tables", max_results=2).source_chunks) == 2
    sure = recall("tables", conversation_id="conv-1", min_confidence=0.75).source_chunks
    assert {*sure} == {mine[2].id, mine[3].id}


@pytest.mark.parametrize("query", ["", "  ", None])
def test_recall_of_nothing(store: ChunkStore, query: Any) -> None:
    found = RecallOperation(store).recall(query)
    assert (found.source_chunks, found.confidence) == ([], 0.0)


def test_recall_that_finds_nothing(create: Create, store: ChunkStore) -> None:
    create()
    found = RecallOperation(store).recall("zeppelin")
    assert (found.source_chunks, found.answer) == ([], "No relevant memories found")


def test_recall_of_a_part(store: ChunkStore, remember: Callable[..., str]) -> None:
    """Of a long memory the chunk that holds the passage, not always its first."""
    remember("\n\n".join(["word " * 600, "The zeppelin is moored at noon. " + "word " * 600]), "a_long_memory")
    found = RecallOperation(store).recall("zeppelin")
    assert "zeppelin" in found.answer
    assert found.source_chunks == [store.list_chunks()[1]]


def test_a_model_is_not_asked(create: Create, store: ChunkStore, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "mdmem.chunks")
    made = create("Tables, please.")
    recall = RecallOperation(store, llm_client=lambda *_: pytest.fail("asked"))
    assert recall.recall("tables").source_chunks == [made.id]
    assert "llm_client" in caplog.text
    with pytest.raises(ValueError, match="required"):
        RecallOperation(None)  # type: ignore[arg-type]


def test_the_clock_that_stands_still_keeps_the_order(root: Path) -> None:
    with ChunkStore(root, clock=lambda: NOW) as store:
        ids = [store.create_chunk(f"Number {n}.", "note", "conv-1", 3).id for n in range(5)]
        assert store.list_chunks() == ids
        stamps = [datetime.fromisoformat(store.peek(id).metadata.created) for id in ids]
    assert stamps == sorted(set(stamps))


def test_of_equal_chunks_the_newer_comes_first_also_within_a_second(
    create: Create, store: ChunkStore, hours: Callable[[float], None]
) -> None:
    made = []
    for number in range(4):
        hours(number * 0.1 / 3600)
        made.append(create("The boat is red.").id)
    assert RecallOperation(store).recall("boat").source_chunks == made[::-1]

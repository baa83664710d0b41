"""A chunk written as a note is that chunk, whatever it says; and an edit of it says what was asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import memory, tokens
from mdmem.systems.rlm import projection
from mdmem.systems.rlm.schema import Chunk, ChunkLinks, ChunkMetadata

PATH = "allmemories/some_note_here.md"
EXTRA: dict[str, Any] = {"id": "0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11", "category": "past"}

# What a note has a meaning for is drawn often: headers, fences, conflict marks, line ends, signs of YAML.
pieces = st.sampled_from(
    [
        *("---\n", "a: 1\n", "\n", "\r\n", "\r", "\0", "<<<<<<< x\n", "=======\n", ">>>>>>> y\n", "# T\n", " "),
        *("**Created:** 2026\n", "```\n", "    ", "\t", "- ", "word ", "é", "\u2028", "\x85", "\ufeff", "[[x]]"),
        *("#tag ", "DEPRECATED: "),
    ]
)
plain = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
texts = st.one_of(plain, st.lists(st.one_of(pieces, plain), max_size=8).map("".join))
stamps = st.sampled_from(["2026-02-10T21:37:00Z", "2026-02-10T21:37:00.000001Z", "1969-12-31T23:59:59Z"])

chunks = st.builds(
    Chunk,
    id=st.from_regex(r"chunk-2026-02-10-[a-z0-9]{6,8}", fullmatch=True),
    content=texts,
    tokens=st.integers(0, 10**6),
    type=st.one_of(st.sampled_from(["fact", "preference", "pattern", "note", "decision"]), plain),
    metadata=st.builds(
        ChunkMetadata,
        created=stamps,
        conversation_id=texts,
        source=st.one_of(st.sampled_from(["interaction", "import", "derived"]), texts),
        confidence=st.floats(-1e6, 1e6).map(lambda number: round(number, 6)),
    ),
    tags=st.lists(texts, max_size=4),
)


@given(chunks)
def test_a_chunk_written_as_a_note_is_that_chunk(chunk: Chunk) -> None:
    data = projection.new_note(PATH, chunk, EXTRA, tokens.estimate)
    note = memory.parse(data, PATH)
    assert note.problems == ()
    assert [one.chunk(ChunkLinks()) for one in projection.nodes_of(note, "", tokens.estimate)] == [chunk]
    assert (note.id, note.text("category")) == (EXTRA["id"], "past")


@given(chunks, texts, st.integers(0, 10**6))
def test_a_new_text_is_what_the_chunk_says_then(chunk: Chunk, content: str, count: int) -> None:
    data = projection.new_note(PATH, chunk, EXTRA, tokens.estimate)
    wanted = replace(chunk, content=content, tokens=count)
    edited = projection.with_content(data, PATH, wanted, tokens.estimate)
    (found,) = projection.nodes_of(memory.parse(edited, PATH), "", tokens.estimate)
    assert found.chunk(ChunkLinks()) == wanted

"""A note gives the chunks that it should, and a chunk written as a note comes back as it was."""

from __future__ import annotations

from typing import Any

import pytest

from mdmem.note import memory, tokens
from mdmem.note.properties import CHUNK_TYPES, TYPES
from mdmem.systems.rlm import projection
from mdmem.systems.rlm.projection import Count, new_note, nodes_of
from mdmem.systems.rlm.schema import Chunk, ChunkLinks, ChunkMetadata

ID = "0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11"
CREATED = "2026-02-08T14:05:00Z"


def note(body: str = "Tables, please.", **meta: Any) -> memory.Memory:
    properties = {"id": ID, "title": "User likes tables", "created": CREATED, **meta}
    return memory.parse(memory.render(properties, body), "allmemories/user_likes_tables.md")


def chunks_of(note: memory.Memory, created: str, count: Count) -> list[Chunk]:
    return [node.chunk(ChunkLinks()) for node in nodes_of(note, created, count)]


def only(**meta: Any) -> Chunk:
    (one,) = chunks_of(note(**meta), "", tokens.estimate)
    return one


def test_a_memory_is_one_chunk() -> None:
    made = only(type="preference", tags=["a", "b"], session="conv-1", confidence=0.95, source="import")
    assert made == Chunk(
        "chunk-2026-02-08-ff497b99",
        "Tables, please.",
        4,
        "preference",
        ChunkMetadata(CREATED, "conv-1", "import", 0.95, 0, None),
        tags=["a", "b"],
    )


def test_defaults_are_those_of_the_schema() -> None:
    made = only()
    assert made.metadata == ChunkMetadata(CREATED, "", "interaction", 0.7, 0, None)
    assert (made.type, made.tags) == ("note", [])


def test_every_type_of_a_note_has_a_type_of_chunk() -> None:
    assert CHUNK_TYPES.keys() == set(TYPES)
    assert only(type="competence").type == "pattern"
    assert only(type="person").type == "note"
    assert only(body="We decided on tables.").type == "decision"


def test_the_id_survives_a_rename_and_an_edit() -> None:
    data = memory.render({"id": ID, "created": CREATED}, "Other words")
    (one,) = chunks_of(memory.parse(data, "elsewhere/other.md"), "", tokens.estimate)
    assert one.id == "chunk-2026-02-08-ff497b99"


def test_a_title_alone_is_the_content() -> None:
    assert only(body="").content == "User likes tables"


def test_a_long_memory_is_several_chunks_of_its_type() -> None:
    body = "\n\n".join(f"Paragraph {n} is a usual one. " + "word " * 150 for n in range(12))
    found = chunks_of(note(body, type="fact", chunk_id="chunk-2026-02-08-x9y8z7w6"), "", tokens.estimate)
    assert len(found) > 1
    assert all(one.tokens <= 800 and one.type == "fact" for one in found)
    assert found[0].id == "chunk-2026-02-08-x9y8z7w6"
    assert len({one.id for one in found}) == len(found)
    assert " ".join("".join(one.content for one in found).split()) == " ".join(body.split()).replace(
        "word Paragraph", "wordParagraph"
    )


def test_a_tokenizer_decides_how_many() -> None:
    """1000 Chinese characters are 1000 estimated tokens, and as many or more real ones."""
    assert len(chunks_of(note("word " * 700), "", tokens.estimate)) == 2
    assert len(chunks_of(note("word " * 700), "", tokens.counter("cl100k"))) == 1


def test_history_tells_when_where_the_note_does_not() -> None:
    (one,) = chunks_of(note(created=None), "2025-01-02T03:04:05Z", tokens.estimate)
    assert one.metadata.created == "2025-01-02T03:04:05Z"
    assert one.id.startswith("chunk-2025-01-02-")
    (one,) = chunks_of(note(created=None), "", tokens.estimate)
    assert one.metadata.created == "1970-01-01T00:00:00Z"


def test_an_id_that_leads_elsewhere_is_not_believed() -> None:
    assert only(chunk_id="../../x").id == only().id


def test_values_of_a_chunk_alone_end_with_the_text_they_were_for() -> None:
    chunk = Chunk("chunk-1", " padded ", 99_999, "note", ChunkMetadata(CREATED))
    data = new_note("a.md", chunk, {"id": ID}, tokens.estimate).rstrip(b"\n") + b"more\n"
    (one,) = chunks_of(memory.parse(data, "a.md"), "", tokens.estimate)
    assert (one.content, one.tokens) == (" padded more", 3)


def test_links_stand_in_properties() -> None:
    linked = note(supports=["[[a_b|A]]", "no link"], contradicts="[[c]]", likes=["[[d]]"])
    (node,) = nodes_of(linked, "", tokens.estimate)
    assert node.manual == [["supports", "a_b", "a_b"], ["contradicts", "c", "c"]]


@pytest.mark.parametrize("content", ["", " ", "\n\na\n", "a\r\nb", "---\na: b\n---", "x" * 5000, "\ttab ", "# T"])
def test_contents_that_a_note_cannot_hold_survive(content: str) -> None:
    chunk = Chunk("chunk-1", content, 7, "weird", ChunkMetadata(CREATED, "c", "elsewhere", 7.0), tags=["t"])
    read = memory.parse(new_note("a.md", chunk, {"id": ID}, tokens.estimate), "a.md")
    assert chunks_of(read, "", tokens.estimate) == [chunk]


def test_a_plain_chunk_needs_no_properties_of_its_own_but_the_id() -> None:
    chunk = Chunk("chunk-1", "Some words", 3, "note", ChunkMetadata(CREATED))
    read = memory.parse(new_note("a.md", chunk, {"id": ID}, tokens.estimate), "a.md")
    assert [key for key in read.meta if key.startswith("chunk_")] == ["chunk_id"]
    assert projection.digest("a") == projection.digest("\na\n")

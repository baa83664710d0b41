"""The JSON document is the schema's to the letter, and a damaged one is a ValueError, nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.systems.rlm import schema
from mdmem.systems.rlm.schema import Chunk, ChunkLinks, ChunkMetadata, ChunkType

# the example of the schema document
DOCUMENT = """{
  "id": "chunk-2026-02-10-a1b2c3d4",
  "content": "User decided to use RLM architecture instead of RAG...",
  "tokens": 145,
  "type": "decision",
  "metadata": {
    "created": "2026-02-10T21:37:00Z",
    "conversation_id": "conv-abc123",
    "source": "interaction",
    "confidence": 0.95,
    "access_count": 3,
    "last_accessed": "2026-02-10T22:15:00Z"
  },
  "links": {
    "context_of": [
      "conv-abc123"
    ],
    "follows": [
      "chunk-2026-02-10-x9y8z7w6"
    ],
    "related_to": [
      "chunk-2026-02-09-p4q5r6s7"
    ],
    "supports": [],
    "contradicts": []
  },
  "tags": [
    "architecture",
    "rlm",
    "decision"
  ]
}"""
LEAST = {
    "id": "chunk-1",
    "content": "",
    "tokens": 0,
    "type": "note",
    "metadata": {"created": "2026-02-10T21:37:00Z"},
}
texts = st.text(st.characters(exclude_categories=["Cs"]))
chunks = st.builds(
    Chunk,
    *(texts, texts, st.integers(), texts),
    st.builds(ChunkMetadata, texts, texts, texts, st.floats(allow_nan=False), st.integers(), st.none() | texts),
    st.builds(ChunkLinks, *[st.lists(texts, max_size=2)] * 5),
    st.lists(texts, max_size=2),
)


def test_the_example_of_the_document_comes_back_byte_for_byte() -> None:
    assert Chunk.from_json(DOCUMENT).to_json() == DOCUMENT


@given(chunks)
def test_reading_gives_what_was_written(one: Chunk) -> None:
    assert Chunk.from_json(one.to_json()) == one


def test_letters_of_all_languages_are_written_as_they_are() -> None:
    assert '"content": "né 机"' in Chunk.from_dict(LEAST | {"content": "né 机"}).to_json()


def test_links_tags_and_most_metadata_may_be_absent() -> None:
    made = Chunk.from_dict(LEAST)
    assert (made.links, made.tags) == (ChunkLinks(), [])
    assert made.metadata == ChunkMetadata("2026-02-10T21:37:00Z", "", "interaction", 0.7, 0, None)


def test_unknown_keys_are_no_error() -> None:
    metadata = {**LEAST["metadata"], "mood": "good"}  # type: ignore[dict-item]
    made = Chunk.from_dict(LEAST | {"metadata": metadata, "links": {"likes": []}, "extra": 1})
    assert made == Chunk.from_dict(LEAST)


@pytest.mark.parametrize("key", ["id", "content", "tokens", "type", "metadata"])
def test_a_missing_field_is_named(key: str) -> None:
    data = {name: value for name, value in LEAST.items() if name != key}
    with pytest.raises(ValueError, match=f"missing required field: {key}"):
        Chunk.from_json(json.dumps(data))


@pytest.mark.parametrize(
    "text",
    [
        *("null", "[]", "1", '"x"', "{}", "[" * 100_000),
        json.dumps(LEAST | {"metadata": {}}),
        json.dumps(LEAST | {"metadata": None}),
        json.dumps(LEAST | {"metadata": {"created": None}}),
        json.dumps(LEAST | {"metadata": {"created": "", "confidence": "high"}}),
        json.dumps(LEAST | {"tokens": "12"}),
        json.dumps(LEAST | {"tokens": True}),
        json.dumps(LEAST | {"tags": "a"}),
        json.dumps(LEAST | {"tags": [1]}),
        json.dumps(LEAST | {"links": [1]}),
        json.dumps(LEAST | {"links": {"follows": None}}),
    ],
)
def test_what_is_no_chunk_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any message; TypeError would be the defect
        Chunk.from_json(text)


def test_bad_json_is_a_decode_error() -> None:
    with pytest.raises(json.JSONDecodeError):
        Chunk.from_json("{")


def test_types_compare_as_texts() -> None:
    assert ChunkType.DECISION == "decision"
    assert sorted(ChunkType) == ["decision", "fact", "note", "pattern", "preference"]


@pytest.mark.parametrize("id", ["chunk-2026-02-08-x9y8z7w6", "chunk-2026-02-10-abc123", "a.b_C-1"])
def test_ids_of_other_programs_are_allowed(id: str) -> None:
    assert schema.is_id(id)


@pytest.mark.parametrize(
    "id", ["", ".", "..", "...", "a/b", "../a", "a\\b", "a b", "a\n", "ä", "a" * 201, None, 7]
)
def test_ids_that_could_lead_elsewhere_are_refused(id: object) -> None:
    assert not schema.is_id(id)


def test_derived_ids_have_the_day_and_eight_hex_digits() -> None:
    one = schema.derived_id("0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11", "2026-02-08T14:05:00Z")
    assert one == "chunk-2026-02-08-ff497b99"
    others = {
        schema.derived_id("0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11", "2026-02-08T14:05:00Z", part, attempt)
        for part in range(3)
        for attempt in range(3)
    }
    assert len(others) == 9
    assert all(schema.is_id(other) for other in others)


def test_a_chunk_lies_in_the_month_of_its_id() -> None:
    assert schema.month("chunk-2026-02-08-x9y8z7w6", "2025-01-01T00:00:00Z") == "2026-02"
    assert schema.month("my-own", "2025-01-01T00:00:00Z") == "2025-01"
    assert schema.month("chunk-..-..-x", "") == "1970-01"

"""Chunks keep their limits, lose nothing, and are the same each time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import tokens
from mdmem.systems.rlm import cut
from mdmem.systems.rlm.cut import ChunkingEngine, detect_type

real = tokens.counter("cl100k")
words = st.text(st.characters(exclude_categories=["Cs", "Z", "C"]), min_size=1, max_size=12)
texts = st.text(alphabet="ab. \n\t!?A-1机。é", max_size=400) | st.lists(
    st.sampled_from([". ", " ", "\n", "\n\n", "\n- "]) | words, max_size=120
).map("".join)
limits = st.tuples(st.integers(0, 10), st.integers(10, 40))


@given(texts, limits)
def test_nothing_is_lost_and_no_piece_is_too_long(text: str, limit: tuple[int, int]) -> None:
    for count in (tokens.estimate, real):
        found = ChunkingEngine(*limit, count).chunk(text, "conv-1", ["a"])
        assert "".join("".join(one.content for one in found).split()) == "".join(text.split())
        assert all(one.tokens == count(one.content) <= limit[1] for one in found)
        assert all(one.content.strip() and one.tags == ["a"] for one in found)


@given(st.lists(st.text("abc", min_size=1, max_size=9), max_size=200), limits)
def test_words_are_never_cut(some: list[str], limit: tuple[int, int]) -> None:
    found = ChunkingEngine(*limit).split(" ".join(some))
    assert [word for piece in found for word in piece.split()] == some


def test_a_word_longer_than_any_chunk_is_cut_at_the_limit() -> None:
    found = ChunkingEngine().chunk("See data:" + "x" * 20_000 + " there.", "")
    assert [one.tokens for one in found] == [1, *[800] * 6, 203]


@pytest.mark.parametrize("sign", ["👨‍👩‍👧", "🇩🇪", "👍🏽", "e\u0301\u0323", "ที่", "か\u3099", "\u1112\u1161\u11ab"])
def test_what_is_one_sign_to_a_reader_is_not_cut(sign: str) -> None:
    for start in ("", "a", "aaa"):
        for piece in ChunkingEngine(0, 10).split(start + sign * 100):
            assert piece.replace(sign, "").strip("a") == ""


def test_a_sign_longer_than_any_chunk_is_cut() -> None:
    assert [len(piece) for piece in ChunkingEngine(0, 10).split("a" + "\u0301" * 20)] == [10, 10, 1]


def test_lines_that_end_as_on_windows_part_paragraphs() -> None:
    assert ChunkingEngine(0, 9).split("one word\r\n\r\ntwo words\r\n \r\n\r\nthree") == [
        "one word",
        "two words",
        "three",
    ]


def test_the_joined_text_is_what_is_counted() -> None:
    """Two paragraphs that fit only without the blank line between them stay two."""
    exact = ChunkingEngine(10, 10).split("a" * 20 + "\n\n" + "b" * 20)
    assert exact == ["a" * 20, "b" * 20]
    assert ChunkingEngine(11, 11).split("a" * 20 + "\n\n" + "b" * 20) == ["a" * 20 + "\n\n" + "b" * 20]


def test_short_paragraphs_are_joined_with_their_kind_alone() -> None:
    text = "We decided on tabs.\n\nIt was chosen, we selected it.\n\nPlain words."
    found = ChunkingEngine().chunk(text, "c")
    assert [(one.type, one.content.count("\n\n")) for one in found] == [("decision", 1), ("note", 0)]


def test_a_short_end_is_joined_with_what_is_before() -> None:
    engine = ChunkingEngine(10, 30)
    assert engine.split("a " * 25 + "\n\nend") == ["a " * 25 + "\n\nend"]


def test_long_paragraphs_are_cut_at_sentence_ends_and_list_items() -> None:
    sentences = [f"Sentence number {n} stands here." for n in range(200)]
    for piece in ChunkingEngine().split(" ".join(sentences)):
        assert piece.startswith("Sentence")
        assert piece.endswith(".")
    for piece in ChunkingEngine().split("\n".join(f"- item {n} of a list, without an end" for n in range(300))):
        assert piece.startswith("- item")
        assert piece.endswith("end")


def test_indented_lines_keep_their_indent() -> None:
    assert ChunkingEngine(0, 800).split("text\n\n    code\n      more") == ["text", "    code\n      more"]


def test_a_large_text_takes_time_in_proportion() -> None:
    """One sentence of two million words: counting each beginning anew would never end."""
    found = ChunkingEngine().split("word " * 400_000)
    assert sum(piece.count("word") for piece in found) == 400_000


def test_limits_that_cannot_be_kept_are_refused() -> None:
    for limit in ((5, 4), (-1, 4), (1, 3)):
        with pytest.raises(ValueError, match="no chunks can have"):
            ChunkingEngine(*limit)


def test_blank_texts_have_no_chunks() -> None:
    assert ChunkingEngine().chunk("", "c") == ChunkingEngine().chunk(" \n\n ", "c") == []
    assert ChunkingEngine().count_tokens(None) == 0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("User decided to use RLM architecture instead of RAG...", "decision"),
        ("We went with the second", "decision"),
        ("He usually opted for tea", "decision"),
        ("She generally likes it", "pattern"),
        ("Most of the time it rains", "pattern"),
        ("I'd rather not", "preference"),
        ("would like tea", "preference"),
        ("User prefers Python over JavaScript", "note"),
        ("It is unlikely", "note"),
        ("Berlin is a city", "fact"),
        ("They were an item", "fact"),
        ("Located in Rome", "fact"),
        ("She works at ACME", "fact"),
        ("The house has 3rd-party doors", "fact"),
        ("There are 12 of them", "fact"),
        ("there is no end", "fact"),
        ("There are many", "note"),
        ("This analysis", "note"),
    ],
)
def test_what_kind_a_text_seems_to_be(text: str, kind: str) -> None:
    assert detect_type(text) == kind
    assert cut.ChunkingEngine().detect_content_type(text) == kind

"""The scorers: what each signal says of a note, and how repetitions give way."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.recall import order, question, score
from mdmem.recall.reading import ReadNote
from mdmem.recall.score import NOTHING, WEIGHTS, InSession, TextMatches, WordMatch
from mdmem.store.index.port import NoteText

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SENSES = {
    "boat": WordMatch(0, 1.0),
    "boats": WordMatch(0, 1.0),
    "leak": WordMatch(1, 1.0),
    "ship": WordMatch(0, 1.0, 2.0),
}
RARITIES = (3.0, 2.0)  # of boat and leak
PART = " / "  # between the passages of a note


def read(body: str, title: str = "") -> TextMatches:
    note = score.Words(title.split(), [part.lower().split() for part in body.split(PART)], asks=score.asks(body))
    return score.read(note, SENSES, SENSES.keys())


def note_of(body: str, created: str = "", importance: float | None = None) -> ReadNote:
    return ReadNote(NoteText("a.md", "", "", "", "", (), "", "", "", created, {"importance": importance}, 1, body))


def signals(
    own: TextMatches,
    around: tuple[TextMatches, ...] = (),
    before: TextMatches = NOTHING,
    created: str = "",
    importance: float | None = None,
    **apart: float,
) -> dict[str, float]:
    said = InSession(own, [near.body for near in around], before)
    note = note_of("", created, importance)
    asked = question.parse("boat leak", ())
    return score.signals(asked, RARITIES, said, note, NOW, {"subject": 0.0, **apart})


def test_a_note_is_read_for_words_titles_and_similar_ones() -> None:
    found = read("boats and a boat beside a ship", "the boat")
    assert found.body == {0: 2.0}
    assert found.title == {0: 1.0}
    assert found.similar == {0: 2.0}


def test_a_note_is_read_alike_by_each_question() -> None:
    """How often a word stands in a note is kept; what it means to one question does not carry over to the next."""
    note = score.Words(["boat"], [["boat", "and", "boat"]], ["boat", "leak"])
    other = {"boat": WordMatch(3, 0.5), "leak": WordMatch(4, 1.0)}
    assert score.read(note, SENSES, ["boat"])[:3] == ({0: 2.0}, {0: 1.0}, {0: 1.0})
    assert score.read(note, other, ["boat", "leak"])[:3] == ({3: 1.0}, {3: 0.5}, {3: 0.5, 4: 1.0})


def test_a_title_says_what_a_note_is_about_and_a_link_only_where_it_is_told() -> None:
    """A note called so comes before one that links to it."""
    note = score.read(score.Words(["boat", "leak"], [["water"]]), SENSES, SENSES.keys())
    link = score.read(score.Words([], [["see"]], ["boat", "leak"]), SENSES, SENSES.keys())
    said = score.read(score.Words([], [["boat", "leak"]]), SENSES, SENSES.keys())
    assert sum(signals(note).values()) >= sum(signals(said).values()) > sum(signals(link).values()) > 0


def test_a_note_asks_if_its_first_line_does() -> None:
    assert read("where?  \nthere").asks
    assert not read("there\nwhere?").asks


def test_a_word_counts_less_each_further_time_and_less_in_a_long_text() -> None:
    once, twice, often = (signals(read("boat " * times))["words"] for times in (1, 2, 50))
    assert once < twice < often < 2.2 * once + 0.001
    assert signals(read("boat" + " other" * 500))["words"] < once


def test_a_long_note_is_found_by_its_best_passage() -> None:
    """Words that stand together say more than the same words here and there, the more so the longer the note."""
    filling = " other" * 600
    together = read(f"boat leak{filling}{PART}{filling}{PART}{filling}")
    apart = read(f"boat{filling}{PART}leak{filling}{PART}{filling}")
    assert signals(together)["words"] > 1.2 * signals(apart)["words"]
    assert [sorted(passage.times) for passage in apart.passages] == [[0], [1]]


@pytest.mark.parametrize(
    ("query", "body", "there"),
    [
        ("when was it", "last week", True),
        ("when was it", "in 2024", True),
        ("when was it", "the 3rd one", True),
        ("when was it", "lasting 20240", False),
        ("what was it", "last week", False),
    ],
)
def test_a_time_is_in_the_note_if_one_is_wanted(query: str, body: str, there: bool) -> None:
    found = score.signals(question.parse(query, ()), (), InSession(NOTHING), note_of(body), NOW)
    assert ("when" in found) == there


def test_a_rare_word_counts_more() -> None:
    assert signals(read("boat"))["words"] > signals(read("leak"))["words"]
    assert score.idf(1, 100) > score.idf(99, 100) > 0


def test_a_similar_word_counts_only_where_the_word_is_missing() -> None:
    assert signals(read("ship"))["similar"] == pytest.approx(WEIGHTS["similar"] * 2.0)
    assert "similar" not in signals(read("ship boat"))
    assert "similar" not in signals(read("ship", "boat"))


def test_neighbours_count_less_than_the_note_itself() -> None:
    near = signals(read("x"), (read("boat leak"),))
    assert 0 < near["nearby"] < signals(read("boat leak"))["words"]


def test_the_answer_follows_the_question() -> None:
    assert "answer" in signals(read("x"), (), read("boat leak?"))
    assert "answer" not in signals(read("x"), (), read("boat leak"))


def test_a_subject_counts_more_beside_a_word() -> None:
    assert signals(read("boat"), subject=2.0)["subject"] == pytest.approx(WEIGHTS["subject"] * 5.0)
    assert signals(read("x"), subject=2.0)["subject"] == pytest.approx(WEIGHTS["subject"] * 2.0)


@pytest.mark.parametrize(
    ("value", "weight"), [(0, -1.0), (0.5, None), (1, 1.0), (7, 1.0), (-3, -1.0), (None, None)]
)
def test_importance_is_weighed_from_0_to_1(value: float | None, weight: float | None) -> None:
    assert signals(read("boat"), importance=value).get("importance") == weight


@pytest.mark.parametrize(
    ("phrase", "text", "there"),
    [
        ("blue green", "a Blue\n   GREEN one", True),
        ("blue green", "blues greens", False),
        ("art", "a party", False),
        ("art", "(art)", True),
        ("c++", "in C++.", True),
        ("--force", "push --force", True),
        ("学习", "机器学习课", True),
        ("straße", "STRASSE", True),
        ("", "", True),
    ],
)
def test_phrases(phrase: str, text: str, there: bool) -> None:
    assert score.phrases([phrase], "", text) == there


def test_recency_halves_in_a_year() -> None:
    now, year = (signals(read("x"), created=f"{year}-03-01T00:00:00Z")["recent"] for year in (2026, 2025))
    assert [now, year] == pytest.approx([0.2, 0.1])
    assert signals(read("x"), created="2999-01-01T00:00:00Z")["recent"] == 0.2


def bags(*texts: str) -> list[tuple[float, frozenset[str]]]:
    return [(10.0 - at, frozenset(text.split())) for at, text in enumerate(texts)]


def test_a_repetition_gives_way_to_something_else() -> None:
    assert order.diverse(bags("a b c d", "a b c d", "x y z"), 3) == [0, 2, 1]
    assert order.diverse(bags("a b c d", "a b", "x y z"), 3) == [0, 1, 2]
    assert order.diverse(bags("", "", ""), 3) == [0, 1, 2]


def test_what_must_stand_under_another_waits_for_it() -> None:
    notes = bags("a b c d", "a b c d e", "x y z")
    assert order.diverse(notes, 3) == [0, 2, 1]
    assert order.diverse(notes, 3, {2: 1}) == [0, 1, 2]
    assert order.diverse(notes, 3, {0: 1, 1: 0}) == [2, 0, 1]
    assert order.diverse(notes, 2, {0: 7}) == [0, 2]


def test_a_repetition_gains_nothing_where_all_scores_are_below_zero() -> None:
    assert order.diverse([(-1.0, frozenset("ab")), (-2.0, frozenset("xy")), (-2.1, frozenset("ab"))], 3) == [
        0,
        1,
        2,
    ]


@given(st.lists(st.tuples(st.floats(-9, 9), st.frozensets(st.sampled_from("abcd")))), st.integers(0, 9))
def test_each_note_comes_once_and_the_best_first(found: list[tuple[float, frozenset[str]]], limit: int) -> None:
    ranked = sorted(found, key=lambda one: -one[0])
    places = order.diverse(ranked, limit)
    assert len(set(places)) == len(places) == min(limit, len(ranked))
    assert not places or places[0] == 0


def test_a_heading_counts_for_each_passage_under_it_and_not_for_the_note() -> None:
    parts = [["boat"], ["leak"]]
    found = score.read(score.Words([], parts, headings=[{"boat"}, {"boat"}]), SENSES, SENSES.keys())
    assert [passage.times for passage in found.passages] == [{0: 2.0}, {0: 1.0, 1: 1.0}]
    assert found.whole.times == {0: 1.0, 1: 1.0}


def test_the_best_of_many_passages_counts_for_less_than_the_best_of_few() -> None:
    """Among many passages there is a good one by chance: by the best alone long pages stand before all others."""
    few, many = (read(PART.join(["the boat has a leak", *["some water below"] * others])) for others in (1, 60))
    assert few.passages[0].times == many.passages[0].times
    assert many.passages[0].length > 1.5 * few.passages[0].length

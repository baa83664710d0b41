"""The one splitter of sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three? Four… five", ["One.", "Two!", "Three?", "Four…", "five"]),
        ("One\nTwo", ["One", "Two"]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("Use tabs, e.g. in Go. Ask Dr. Who.", ["Use tabs, e.g. in Go.", "Ask Dr. Who."]),
        ("Books of Ursula K. Le Guin", ["Books of Ursula K. Le Guin"]),
        ("Boil it for 45 s. Then stir.", ["Boil it for 45 s.", "Then stir."]),
        ("An abbreviation ends a line, too, etc.\nNext", ["An abbreviation ends a line, too, etc.", "Next"]),
        ("Version 1.10 of a.py", ["Version 1.10 of a.py"]),
        ("它在柏林。港口是八十！", ["它在柏林。", "港口是八十！"]),
        ("他说「好。」然后走了。", ["他说「好。」", "然后走了。"]),
        ("It costs 10. Not more.", ["It costs 10.", "Not more."]),
        ("Am 28. und nicht am 30., sagt er.", ["Am 28. und nicht am 30., sagt er."]),
        ("One; two, three", ["One; two, three"]),
        ("...", ["..."]),
        (" \n ", []),
    ],
)
def test_a_text_is_cut_where_its_sentences_end(text: str, parts: list[str]) -> None:
    assert list(sentences.split(text)) == parts


def test_other_characters_end_a_part_where_they_are_asked_to() -> None:
    assert list(sentences.split("One; two, three: four", also=";")) == ["One;", "two, three: four"]
    assert list(sentences.split("At 9:30, or 1,000 times", also=",;:")) == ["At 9:30,", "or 1,000 times"]


@given(st.text(alphabet="ab.!?… \n\"'。e.g;"))
def test_nothing_but_white_space_is_lost(text: str) -> None:
    assert "".join("".join(sentences.split(text, also=";")).split()) == "".join(text.split())


def test_the_first_sentence_of_nothing_is_nothing() -> None:
    assert sentences.first("One. Two.") == "One."
    assert sentences.first(" ") == ""


def test_a_long_run_of_dots_takes_no_long_time() -> None:
    """Quadratic work on a megabyte would hang here."""
    run = "." * 1_000_000
    assert list(sentences.split(run)) == [run]


def test_the_number_of_an_item_is_no_sentence() -> None:
    """Else a memory that begins with a list is called "1"."""
    assert sentences.first("1. Buy tea. 2. Boil water.") == "1. Buy tea."

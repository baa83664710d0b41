"""What recall knows of English."""

from __future__ import annotations

import pytest

from mdmem.language import words


@pytest.mark.parametrize("form", ["go", "went", "gone", "going"])
def test_forms_of_an_irregular_word_know_each_other(form: str) -> None:
    assert words.forms(form) == ("go", "went", "gone", "goes", "going")


@pytest.mark.parametrize(
    ("word", "first"),
    [
        ("buying", "buy"),
        ("makes", "make"),
        ("making", "make"),
        ("founded", "founded"),
        ("table", "table"),
        ("", ""),
    ],
)
def test_regular_forms_of_irregular_words_are_known(word: str, first: str) -> None:
    """`founded` is no form of `find`."""
    assert words.forms(word)[0] == first


@pytest.mark.parametrize(
    ("word", "other"), [("trips", "vacation"), ("bought", "purchase"), ("parties", "celebration")]
)
def test_synonyms_are_known_by_any_form(word: str, other: str) -> None:
    assert other in words.synonyms(word)
    assert word not in words.synonyms(word)


def test_synonyms_go_both_ways() -> None:
    for word, others in words._groups().items():
        assert all(word in words._groups()[other] for other in others)
    assert words.synonyms("xylophone") == ()

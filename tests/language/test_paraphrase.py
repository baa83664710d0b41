"""Whether two texts say the same in other words."""

from __future__ import annotations

import pytest

from mdmem.language import paraphrase
from mdmem.language.alignment.sides import Weights
from mdmem.language.paraphrase import Text

EVEN = Weights({}, 100)  # every word tells as much


def sureness(one: str, two: str) -> float:
    return paraphrase.sureness(Text("", one), Text("", two), EVEN)


def test_other_words_for_the_same_are_the_same() -> None:
    first = "The client wants a new invoice for the boat repair in the harbour"
    second = "A new invoice for repairing the boat in the harbour is what the client wishes"
    assert sureness(first, second) >= 0.8


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("port 80", "port 81"),
        ("the production database", "the staging database"),
        ("every monday", "every friday"),
        ("caching enabled", "caching disabled"),
    ],
)
def test_another_value_is_another_thing(one: str, other: str) -> None:
    text = "The nightly backup job of the billing service writes to the archive with {}"
    assert sureness(text.format(one), text.format(one)) >= 0.8
    assert sureness(text.format(one), text.format(other)) == 0.0


def test_a_yes_is_not_a_no() -> None:
    text = "The nightly backup job of the billing service writes to the archive"
    assert sureness(text, text.replace("writes", "never writes")) == 0.0


def test_what_is_alike_only_in_common_words_is_not_the_same() -> None:
    assert sureness("The user likes long walks by the sea", "The printer on the second floor is broken") == 0.0


def test_rare_words_weigh_more_than_common_ones() -> None:
    weights = Weights({"port": 90, "kestrel": 1}, 100)
    assert weights.of("kestrel") > weights.of("port") > 0
    assert weights.total(["port", "kestrel"]) == weights.of("port") + weights.of("kestrel")


def test_a_word_in_the_same_place_of_like_sentences_is_a_substitute() -> None:
    assert paraphrase.substituted("Ana leads the web team", "Ben leads the web team") == {"ana", "ben"}
    assert paraphrase.substituted("Ana leads the web team", "Ana leads the web team") == set()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "They meet the band under the stairs of the hall",
            "They encounter the band under the stairs of the hall",
        ),
        ("Login and drinks are safe just this night", "Login and beverage are safe just this night"),
    ],
)
def test_which_note_comes_first_makes_no_difference(one: str, other: str) -> None:
    """The thesaurus lists `beverage` under `drinks`, and not the other way round."""
    assert sureness(one, other) == sureness(other, one)

"""The words by which a pattern is passed over never pass over a text that it matches."""

from __future__ import annotations

import pytest

from mdmem.language.lapse import days
from mdmem.language.sieve import Sieve, all_needed, needed


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\bno longer\b", {"no longer"}),
        (r"(?:old|outdated) (?:rule|plan)s?", {"rule", "plan"}),
        (r"cancell?ed", {"cancel"}),
        (r"(?:a week)?", set()),
        (r"\d+", set()),
        (r"(?:week|\d+)", set()),
        (r"(?!never)\w+ day", {" day"}),
        (r"(?=.*gone)\w", {"gone"}),
        (r"(?i:gone)", set()),
        (r"(?i)gone", set()),
        (r"(?:ab)+c*", {"ab"}),
        (r"\b(?:oct|october|late october)\b", {"oct"}),
    ],
)
def test_what_a_match_must_have_is_read_off_the_pattern(pattern: str, words: set[str]) -> None:
    assert needed(pattern) == words


def test_only_patterns_whose_words_are_there_may_match() -> None:
    patterns = [r"\bred\b", r"\d", r"\bgr[ae]y\b", r"red|blue"]
    assert Sieve(patterns).may_match("a red sky") == [0, 1, 3]


def test_every_way_to_name_a_day_is_known_by_a_word() -> None:
    patterns = [pattern for pattern, _ in days._readers()]
    assert len(patterns) > 80
    assert all(needed(pattern) for pattern in patterns)


def test_of_branches_one_word_of_each_way_to_take_them_is_needed() -> None:
    assert all_needed(r"(?:is \w+ gone|no \w+ good)") == [
        {"is ", "no "},
        {"is ", " good"},
        {" gone", "no "},
        {" gone", " good"},
    ]


@pytest.mark.parametrize("word", [" a good deal ", " is ", " a", " end", "a", "; or", "ship"])
@pytest.mark.parametrize("others", [[], [f"{number}x" for number in range(300)]])
def test_a_word_of_any_length_is_found_behind_a_blank_and_within_another(word: str, others: list[str]) -> None:
    sieve = Sieve(["|".join((word, *others))])
    assert sieve.may_match(f"he{word}ed") == [0]
    assert sieve.may_match("nothing") == ([0] if len(word) == 1 else [])

"""The texts by which a pattern is passed over never pass over a text that it matches."""

from __future__ import annotations

import pytest

from mdmem.language.lapse import days
from tests.needed import all_needed, needed


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


def test_no_way_to_name_a_day_is_passed_over() -> None:
    readers = days._readers()
    assert len(readers) > 80
    for texts, pattern, _ in readers:
        source = pattern.pattern
        assert all(texts), source
        assert any(all(any(text in own for text in texts) for own in one) for one in all_needed(source)), source


def test_of_branches_one_word_of_each_way_to_take_them_is_needed() -> None:
    assert all_needed(r"(?:is \w+ gone|no \w+ good)") == [
        {"is ", "no "},
        {"is ", " good"},
        {" gone", "no "},
        {" gone", " good"},
    ]

"""The words by which a pattern is passed over never pass over a text that it matches."""

from __future__ import annotations

import pytest

from mdmem.language.lapse import days
from mdmem.language.replacement import forms, sayings
from mdmem.language.sieve import Sieve, needed


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
    ],
)
def test_what_a_match_must_have_is_read_off_the_pattern(pattern: str, words: set[str]) -> None:
    assert needed(pattern) == words


def test_only_patterns_whose_words_are_there_may_match() -> None:
    patterns = [r"\bred\b", r"\d", r"\bgr[ae]y\b", r"red|blue"]
    assert Sieve(patterns).may_match("a red sky") == [0, 1, 3]


def test_no_form_of_replacement_is_passed_over_where_it_matches() -> None:
    sieve = sayings._sieve()
    for example in (form.example.lower() for form in forms.FORMS):
        matching = {at for at in range(len(forms.FORMS)) if sieve.pattern(at).search(example)}
        assert matching
        assert matching <= set(sieve.may_match(example))


def test_every_way_to_name_a_day_is_known_by_a_word() -> None:
    assert all(needed(reader.pattern) for reader in days._readers())

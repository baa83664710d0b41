"""The one notion of a word's root."""

from __future__ import annotations

import pytest

from mdmem.language import roots


@pytest.mark.parametrize(
    ("word", "one"),
    [
        ("ports", "port"),
        ("cities", "city"),
        ("movies", "movie"),
        ("ties", "tie"),
        ("uses", "use"),
        ("os", "os"),
        ("bus", "bus"),
        ("status", "status"),
        ("address", "address"),
        ("analysis", "analysis"),
        ("ipv6s", "ipv6s"),
    ],
)
def test_a_plural_is_known_by_its_ending(word: str, one: str) -> None:
    assert roots.singular(word) == one


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("deployed", "deploying"),
        ("went", "going"),
        ("repair", "fix"),
        ("utilise", "used"),
        ("twelve", "12"),
        ("forty", "40"),
    ],
)
def test_forms_synonyms_and_numbers_of_one_sense_have_one_root(one: str, other: str) -> None:
    assert roots.root(one) == roots.root(other)


@pytest.mark.parametrize(
    ("one", "other"), [("port", "part"), ("enabled", "disabled"), ("ten", "20"), ("a1", "a2")]
)
def test_other_words_have_other_roots(one: str, other: str) -> None:
    assert roots.root(one) != roots.root(other)

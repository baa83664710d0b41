"""Words of one sense are found by their forms, in four languages."""

from __future__ import annotations

import pytest

from mdmem.language import senses
from mdmem.language.alignment.reading import root
from mdmem.language.roots import folded


def meanings(word: str, tongue: str) -> frozenset[int]:
    return senses.of(root(folded(word), tongue), tongue)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("cellar", "en"), ("basements", "en")),
        (("rent", "en"), ("Miete", "de")),
        (("Schlüssel", "de"), ("clés", "fr")),
        (("horno", "es"), ("four", "fr")),
    ],
)
def test_words_of_one_sense_share_it(one: tuple[str, str], two: tuple[str, str]) -> None:
    assert meanings(*one) & meanings(*two)


def test_words_of_other_senses_share_none_and_most_words_have_none() -> None:
    assert not meanings("cellar", "en") & meanings("kitchen", "en")
    assert meanings("Halvorsen", "en") == frozenset()


def test_every_sense_has_words_in_each_language() -> None:
    for row in senses.ROWS:
        assert [bool(words) for words in row.values()] == [True] * len(senses.TONGUES), row

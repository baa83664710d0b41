"""Sentences that lack their subject are known by how they begin."""

from __future__ import annotations

import pytest

from mdmem.language import ellipsis


@pytest.mark.parametrize(("language", "example"), ellipsis.EXAMPLES)
def test_each_beginning_reads_its_example(language: str, example: str) -> None:
    assert ellipsis.is_elliptical(example, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Found by the gate, it is ours."),
        ("en", "The lease ends in June."),
        ("de", "Der Schalter klemmt."),
        ("de", "Ist der Schalter neu?"),
        ("es", "El sifón tiene una raja."),
        ("fr", "Le joint fuit depuis mars."),
    ],
)
def test_a_whole_sentence_is_not_one(language: str, text: str) -> None:
    assert not ellipsis.is_elliptical(text, language)

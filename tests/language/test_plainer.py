"""Sentences said more plainly."""

from __future__ import annotations

import pytest

from mdmem.language.statement import plainer


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        ("The user has stopped drinking coffee", "The user does not drinking coffee"),
        ("The team switched from vim to emacs", "The team does not use vim"),
        ("Ana moved to Berlin", "Ana lives in Berlin"),
        ("Ana moved from Bonn to Berlin", "Ana lives in Berlin"),
        ("Since 2024 the API runs on port 80", " the API runs on port 80"),
        ("The API uses tabs instead of spaces", "The API uses tabs"),
        ("According to Ben, the port is 80", "the port is 80"),
        ("Meetings start at ten, even when it rains", "Meetings start at ten"),
        ("Ich wohne seit drei Jahren in Berlin", "i lives in Berlin"),
        ("Anna trinkt keinen Kaffee mehr", "Anna drinks not Kaffee"),
        ("Der Server läuft nicht montag", "the Server runs not monday"),
        ("The port is 80", "The port is 80"),
    ],
)
def test_a_sentence_says_the_same_in_plainer_words(sentence: str, plain: str) -> None:
    assert plainer.plain(sentence) == plain


def test_only_sentences_with_a_telling_word_are_looked_at() -> None:
    assert plainer.may_be_plainer(["she", "moved", "to"])
    assert plainer.may_be_plainer(["wohnt"])
    assert not plainer.may_be_plainer(["the", "port", "is", "80"])


def test_every_german_verb_is_in_the_table_of_words() -> None:
    assert plainer.GERMAN_VERBS.items() <= plainer.GERMAN_WORDS.items()

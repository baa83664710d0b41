"""What people have, speak, play or are for good is remembered, in four languages; what they do with it is not."""

from __future__ import annotations

import re

import pytest

from mdmem.capture import triggers
from mdmem.language.doubt import normal
from mdmem.language.persons import tongue
from mdmem.language.speech import lasting

ROWS = [(language, *row) for language, rows in lasting.LASTING.items() for row in rows]


@pytest.mark.parametrize(("language", "pattern", "example"), ROWS)
def test_each_form_is_found_by_its_example(language: str, pattern: str, example: str) -> None:
    assert re.search(pattern, normal(example))
    assert tongue.of(example, language) == language
    match = triggers.best(example, "user")
    assert match is not None
    assert match.confidence >= 0.6


@pytest.mark.parametrize(
    "sentence",
    [
        *("Ich habe eine Katzenallergie.", "Wir haben einen alten Kater.", "Ich vertrage keine Nüsse."),
        *("I have a nut allergy.", "We have two cats and a dog.", "No tengo coche.", "Je n'ai pas de voiture."),
    ],
)
def test_other_words_in_the_same_forms_are_found(sentence: str) -> None:
    assert triggers.best(sentence, "user") is not None


@pytest.mark.parametrize(
    "sentence",
    [
        *("Ich habe ein Rad gekauft.", "Wir haben ein Kind im Park getroffen.", "Ich habe 38 Grad."),
        *("Ich habe Angst.", "Ich spreche morgen mit dem Chef.", "Ich habe eine Frage."),
        *("I have a car to catch.", "We have two cars in the test data.", "Do I have an allergy?"),
        *("He visto un gato.", "Tengo prisa.", "J'ai vu deux chats.", "Je parle avec lui demain."),
    ],
)
def test_what_is_done_asked_or_felt_is_not(sentence: str) -> None:
    assert triggers.best(sentence, "user") is None

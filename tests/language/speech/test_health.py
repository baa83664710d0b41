"""The health of others is a fact about them, in four languages; what the user cannot take is a preference."""

from __future__ import annotations

import pytest

from mdmem.capture import triggers
from mdmem.language.persons import tongue
from mdmem.language.speech import health

EXAMPLES = [(language, example) for language, rows in health.HEALTH_OF_OTHERS.items() for _, example in rows]


@pytest.mark.parametrize(("language", "example"), EXAMPLES)
def test_each_language_has_its_form(language: str, example: str) -> None:
    assert tongue.of(example, language) == language
    match = triggers.best(example, "user")
    assert match is not None
    assert (match.trigger, match.why) == ("fact", "tells of somebody's health")


@pytest.mark.parametrize(
    ("sentence", "trigger"),
    [
        *(("Our son Ben is lactose intolerant.", "fact"), ("She has a severe nut allergy.", "fact")),
        *(
            ("Mein Vater hat Asthma.", "fact"),
            ("Mon frère a de l'asthme.", "fact"),
            ("Mi padre tiene asma.", "fact"),
        ),
        *(("I'm allergic to peanuts.", "preference"), ("No nuts for me, allergy!", "preference")),
    ],
)
def test_whose_health_it_is_decides(sentence: str, trigger: str) -> None:
    match = triggers.best(sentence, "user")
    assert match is not None
    assert match.trigger == trigger
    assert match.why != "says how they want it"

"""What a sentence declares by its cues: what stays so, and no errand, mood, joke or supposition."""

from __future__ import annotations

import pytest

from mdmem.language.cues import signs
from mdmem.language.speech import declared, evidence
from mdmem.language.speech.declared import ANYWHERE, Declared, SentencePlace

EXAMPLES = [
    pytest.param(name, example, id=f"{language.__name__.rsplit('.', 1)[1]}: {name}")
    for language in declared.LANGUAGES.values()
    for name, (_, example) in language.CUES.items()
]


def weighed(sentence: str, place: SentencePlace = ANYWHERE) -> Declared:
    return declared.weigh(declared.features(sentence, place))


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_the_example_of_a_cue_has_it(name: str, example: str) -> None:
    assert name in declared.cues_of(example)


def test_every_language_has_the_cues_that_speak_for_or_against() -> None:
    """But for two that are seen by English endings alone, and those that any language has."""
    anywhere = {"names", *declared.anywhere.CUES}
    for language in (declared.english, declared.german, declared.spanish, declared.french):
        missing = (signs.FOR | signs.AGAINST) - anywhere - language.CUES.keys()
        assert missing <= {"names who does", "goes on"}, language.__name__


def test_weights_have_the_sign_that_their_cues_are_meant_to_have() -> None:
    assert [name for name in signs.FOR if evidence.WEIGHTS.get(name, 0) < 0] == []
    assert [name for name in signs.AGAINST if evidence.WEIGHTS.get(name, 0) > 0] == []


def test_more_evidence_never_makes_less_sure() -> None:
    scores, shares = zip(*evidence.CONFIDENCE, strict=True)
    assert sorted(set(scores)) == list(scores)
    assert sorted(shares) == list(shares)
    assert declared.confidence(-100) == shares[0]
    assert declared.confidence(100) == shares[-1]


@pytest.mark.parametrize(
    "sentence",
    [
        "The cleaners have come every Wednesday since March.",
        "Unser Hausmeister kommt seit Mai immer dienstags.",
        "Desde enero dirijo la biblioteca de Lugo.",
        "Chez nous, Inès ne mange jamais de poisson.",
        "Okay, we go with the slate roof for every shed from now on.",
    ],
)
def test_what_stays_so_is_declared(sentence: str) -> None:
    assert weighed(sentence).confidence >= 0.6


@pytest.mark.parametrize(
    "sentence",
    [
        "Is the library open every Wednesday?",
        "If we moved to Lugo, I'd sell the piano.",
        "My neighbour says she never sells eggs.",
        "I'm so tired today.",
        "Please fix the third line.",
        "lol maybe I'll open a zoo one day",
        "Danke, das reicht heute.",
    ],
)
def test_what_passes_is_not(sentence: str) -> None:
    assert weighed(sentence).confidence < 0.5


def test_what_stands_beside_a_request_or_opens_a_chat_is_less_sure() -> None:
    sentence = "The spare key always hangs behind the door."
    plain = weighed(sentence).confidence
    assert weighed(sentence, SentencePlace(in_request=True)).confidence < plain
    assert weighed(sentence, SentencePlace(opens=True)).confidence < plain


@pytest.mark.parametrize("question", ["Shall I add it?", "Done. Want me to push?", "Soll ich?", "¿Lo cambio?"])
def test_an_offer_is_known(question: str) -> None:
    assert declared.offers(question)


def test_a_question_for_a_fact_is_not_an_offer() -> None:
    assert not declared.offers("Which day suits you?")

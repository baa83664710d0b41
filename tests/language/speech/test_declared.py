"""What a sentence declares by its cues: what stays so, and no errand, mood, joke or supposition."""

from __future__ import annotations

import pytest

from mdmem.language.speech import declared
from mdmem.language.speech.evidence import AGAINST, FOR, Cue

CUE_TABLE = sorted({**FOR, **AGAINST}.items())


@pytest.mark.parametrize(("name", "cue"), CUE_TABLE, ids=[name for name, _ in CUE_TABLE])
def test_the_example_of_a_cue_has_it(name: str, cue: Cue) -> None:
    assert name in declared.cues_of(cue.example)


@pytest.mark.parametrize("name", sorted(FOR))
def test_what_speaks_for_a_memory_has_a_positive_weight(name: str) -> None:
    assert FOR[name].weight > 0


@pytest.mark.parametrize("name", sorted(AGAINST))
def test_what_speaks_against_a_memory_has_a_negative_weight(name: str) -> None:
    assert AGAINST[name].weight < 0


@pytest.mark.parametrize(
    "sentence",
    [
        "The cleaners have come every Wednesday since March.",
        "Unser Hausmeister kommt immer dienstags.",
        "Desde enero dirijo la biblioteca de Lugo.",
        "Chez nous, Inès ne mange jamais de poisson.",
        "Okay, we go with the slate roof for every shed from now on.",
    ],
)
def test_what_stays_so_is_declared(sentence: str) -> None:
    assert declared.weigh(sentence).confidence >= 0.7


@pytest.mark.parametrize(
    "sentence",
    [
        "Is the library open every Wednesday?",
        "If we moved to Lugo, I'd sell the piano every year.",
        "My neighbour says she never sells eggs.",
        "I'm so tired today.",
        "Please fix the third line.",
        "lol maybe I'll open a zoo one day",
        "Danke, das reicht heute.",
    ],
)
def test_what_passes_is_not(sentence: str) -> None:
    assert declared.weigh(sentence).confidence < 0.5


def test_an_answer_to_a_question_is_surer_and_one_sentence_of_many_is_less_sure() -> None:
    def sure(before: float) -> float:
        return declared.weigh("The spare key hangs behind the door.", before).confidence

    plain = sure(declared.prior(False, 1))
    assert sure(declared.prior(True, 1)) > plain > sure(declared.prior(False, 6))

"""Numbers, measures and times are the same however they are told."""

from __future__ import annotations

import pytest

from mdmem.language.alignment.reading import read


def values(text: str, kind: str) -> list[str]:
    return [word.root for word in read(text).words if word.kind == kind]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The dog weighs 2 kg.", "The dog weighs 2000 grams."),
        ("Der Sack hat einen halben Liter.", "Der Sack hat 500 ml."),
        ("The budget is 18k.", "The budget is eighteen thousand."),
        ("The tracks are kept one year.", "The tracks are kept twelve months."),
        ("The wall is 1.5 m long.", "The wall is 150 cm long."),
    ],
)
def test_an_amount_is_the_same_in_another_unit(one: str, two: str) -> None:
    assert values(one, "number") == values(two, "number") != []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("She is fed at six in the evening.", "She is fed at 18:00."),
        ("Das Tor schließt um Mitternacht.", "Das Tor schließt um 24:00."),
        ("La tienda abre a las 8 de la mañana.", "La tienda abre a las 8:00."),
        ("Le bus part à six heures du soir.", "Le bus part à 18h00."),
        ("Wir essen um sieben Uhr abends.", "Wir essen um 19 Uhr."),
    ],
)
def test_a_time_of_day_is_the_same_in_words(one: str, two: str) -> None:
    assert values(one, "time") == values(two, "time") != []

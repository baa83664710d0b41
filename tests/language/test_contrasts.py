"""Small words keep pairs that are much alike from being merged, or settled, without a person."""

from __future__ import annotations

import pytest

from mdmem.language.disagreement import contrasts


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The cat gets 5 mg every morning.", "Every morning 5 ml for the cat."),
        ("The key of the boathouse is kept by Anna.", "Berta keeps the key of the boathouse."),
        ("Parcels are left at the north gate.", "At the south gate they leave parcels."),
        ("Volunteers may enter during feeding.", "Volunteers are forbidden to enter during feeding."),
        ("Jeden ersten Samstag wird abgetaut.", "Abgetaut wird jeden dritten Samstag."),
        ("The left winch is for sails, the right one for anchors.", "Right winch: sails. Left winch: anchors."),
        ("anna keeps the spare key in the tin", "the spare key is kept by berta in the tin"),
    ],
)
def test_texts_that_differ_in_a_small_word_differ(one: str, two: str) -> None:
    assert contrasts.differ(one, two)
    assert contrasts.differ(two, one)
    assert not contrasts.differ(one, one)


def test_the_same_in_other_words_does_not_differ() -> None:
    assert not contrasts.differ(
        "The mower gets 5 l of oil each spring.", "In spring the mower needs 5 l of new oil."
    )


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The kayak rental takes cards.", "Does the kayak rental no longer take cards?"),
        ("The press is oiled on Mondays.", "The press is now also oiled on Thursdays."),
        ("The staging server uses Postgres 14.", "The production server now uses Postgres 16."),
        ("The pool closes at ten.", "Someone said the pool closes at nine, unconfirmed."),
        ("The rent is 850 euros.", "Maybe the rent is 900 euros now."),
        ("Bus 12 to the quarry leaves at 7:40.", "Bus 14 to the quarry now leaves at 8:10."),
        ("Bus 12 stops at the mill.", "Bus 14 now stops at the harbour."),
        ("Under-14s train on Tuesdays at six.", "The under-12s train on Tuesdays at half past four now."),
        ("In winter the pool closes at six.", "In summer the pool closes at ten now."),
        ("Members pay 12 euros.", "Guests pay 20 euros now."),
        ("The fair is on the green.", "This year the fair is in the hall."),
        ("Montags kocht Rieke.", "Heuer kocht montags Tim."),
    ],
)
def test_what_is_asked_supposed_added_or_elsewhere_contradicts_nothing_for_sure(older: str, newer: str) -> None:
    assert contrasts.may_both_hold(older, newer)
    assert not contrasts.may_both_hold(older, older)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("A plot costs 45 pounds.", "From this year a plot costs 60 pounds."),
        ("Gotify listens on port 8070.", "Gotify listens on port 8071 now."),
        ("The pool closes at six in winter.", "In winter the pool closes at seven now."),
    ],
)
def test_another_value_of_the_same_case_may_contradict(older: str, newer: str) -> None:
    assert not contrasts.may_both_hold(older, newer)

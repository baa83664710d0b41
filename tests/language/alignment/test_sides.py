"""Two texts side by side: the words they share, the slots in which they differ, and who is nearest to whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.language.alignment.neighbours import NearPair, Neighbours
from mdmem.language.alignment.reading import read
from mdmem.language.alignment.sides import Alignment, Weights, align

EVEN = Weights({}, 100)  # every word tells as much


def sides(one: str, two: str) -> Alignment:
    return align(read(one), read(two), EVEN)


def slots(one: str, two: str) -> list[tuple[str, str, str, str]]:
    """Each slot as (what one says, what the other says, kind, place)."""
    return [
        (" ".join(word.text for word in slot.first), " ".join(word.text for word in slot.second), *slot[2:])
        for slot in sides(one, two).slots
    ]


@pytest.mark.parametrize(
    ("one", "two", "slot"),
    [
        (
            "The search service listens on 9200.",
            "The search service listens on 9280.",
            ("9200", "9280", "number", "value"),
        ),
        (
            "The mail service listens on 9200.",
            "The search service listens on 9200.",
            ("mail", "search", "word", "key"),
        ),
        (
            "Le poissonnier livre le jeudi.",
            "Le poissonnier livre le vendredi.",
            ("jeudi", "vendredi", "day", "value"),
        ),
        ("Registration is open.", "Registration is closed.", ("open", "closed", "opposite", "value")),
    ],
)
def test_one_exchange_is_one_slot_of_its_kind_and_place(one: str, two: str, slot: tuple[str, ...]) -> None:
    assert slots(one, two) == [slot]
    there, here, *rest = slot
    assert slots(two, one) == [(here, there, *rest)]


def test_the_same_in_other_forms_differs_in_nothing() -> None:
    found = sides("The Lessons begin at half past four.", "The lesson begins at 16:30.")
    assert (found.share, found.slots, found.turned) == (1.0, (), False)


def test_what_one_says_more_is_no_slot() -> None:
    found = sides(
        "The bin is emptied on Thursdays.", "The bin is emptied on Thursdays after dinner. Bring gloves."
    )
    (pair,) = found.pairs
    assert [word.text for word in pair.more_second] == ["after", "dinner"]
    assert (pair.more_first, pair.slots) == ((), ())
    assert [sentence.text for sentence in found.left_second] == ["Bring gloves."]


def test_a_clause_put_in_front_keeps_the_order_and_an_exchange_does_not() -> None:
    rotated = sides("Das Glas der Fenster im Erdgeschoss ist neu", "Im Erdgeschoss ist das Glas der Fenster neu")
    swapped = sides("Ana pays Ben every Friday evening", "Ben pays Ana every Friday evening")
    assert rotated.pairs[0].in_order
    assert not swapped.pairs[0].in_order


def test_polarity_is_that_of_the_sentence_that_fits() -> None:
    said = "Aunt Berit cannot stand garlic."
    assert sides(said, "It is not true that Aunt Berit cannot stand garlic.").turned
    assert not sides(said, "Aunt Berit cannot stand garlic. No wine for her.").turned


def test_a_third_as_near_tells_of_a_family() -> None:
    family = Neighbours([NearPair(0, 1, 0.9), NearPair(1, 2, 0.9), NearPair(0, 2, 0.9)])
    couple = Neighbours([NearPair(0, 1, 0.9), NearPair(1, 2, 0.3)])
    assert (family.third(0, 1), couple.third(0, 1)) == (1.0, pytest.approx(1 / 3))
    assert couple.third(0, 5) == float("inf")


@given(st.text(), st.text())
def test_which_text_comes_first_makes_no_difference_to_what_they_share(one: str, two: str) -> None:
    first, second = sides(one, two), sides(two, one)
    assert first.share == pytest.approx(second.share)
    assert sides(one, one).share in (0.0, 1.0)

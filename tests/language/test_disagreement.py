"""When a newer text contradicts an older one: one other value, a denial, words of change; and what is none."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from mdmem.language.alignment.reading import read
from mdmem.language.alignment.sides import Weights, align
from mdmem.language.disagreement import tables, verdict


def kind(older: str, newer: str) -> str:
    aligned = align(read(older), read(newer), Weights(Counter(), 100))
    return verdict.kind(aligned, verdict.words_of(older), verdict.words_of(newer))


TABLES = "CHANGED MAY_HAVE_CHANGED UNREAL ONCE ENDS_OBJECT ENDS_DOING ENDS_SUBJECT ONE_DAY ONE".split()


@pytest.mark.parametrize("name", TABLES)
def test_each_pattern_reads_its_example(name: str) -> None:
    unread = []
    for pattern, example in getattr(tables, name):
        if not re.search(pattern.replace(" ~", "~").replace("~", "[^.]{0,40}?"), example.lower()):
            unread.append(example)
    assert unread == []


@pytest.mark.parametrize(
    ("older", "newer", "way"),
    [
        ("The search service listens on 9200.", "The search service listens on 9280.", "slot"),
        ("Le poissonnier livre le jeudi.", "Le poissonnier livre le vendredi.", "slot"),
        ("The school has no lift.", "The school has a lift.", "denial"),
        ("I work in OmegaT.", "Quit OmegaT over the holidays; everything lives in memoQ.", "ended"),
        ("La cooperativa vende aceite.", "La cooperativa cerró.", "ended"),
        ("I eat meat on Sundays.", "I do not eat meat any more.", "ended"),
        ("Je cours trois fois par semaine.", "Depuis l'opération je ne cours plus.", "ended"),
        ("Der Garten hat kein Wasser.", "Im Garten gibt es jetzt Wasser.", "changed.value"),
        ("Lessons are with Mrs. Haldane.", "Mrs. Ode gives the lessons from now on.", "changed.value"),
        ("Nadia wants her honey creamed.", "These days Nadia eats liquid honey.", "changed"),
        ("The train to Lyon leaves at 7:10.", "The train to Lyon leaves at 8:10.", "slot"),
        ("Train to Lyon leaves at 7:10.", "Train to Lyon leaves at 8:10.", "slot.several"),
        ("Standup is at 9:30.", "Standup is at 10:00.", "slot"),
        ("I am at home on Friday.", "I am at home on Tuesday.", "slot.several"),
        ("Les serveurs sont à Gravelines.", "Depuis janvier, les serveurs tournent à Francfort.", "changed.maybe"),
    ],
)
def test_ways_to_contradict(older: str, newer: str, way: str) -> None:
    assert kind(older, newer) == way


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Hive 3 weighs 20 kilos.", "Hive 4 weighs 25 kilos."),  # another key
        ("The pot sells for 8 euros.", "Would the pot sell for 9 euros?"),
        ("Pi-hole answers DNS for the house.", "Thinking of moving DNS of the house to a second Pi."),
        ("In 2023 the pot sold for 7 euros, it was cheap.", "The pot sells for 8 euros."),
        ("The ball of the juniors is size one.", "The ball of the men is size three."),
        ("Chapter 3 has 20 pages.", "Chapter 4 has 32 pages."),
        ("Room 12 seats 40 people.", "Room 14 seats 40 people."),
        ("Otto drives us in his van.", "Otto sold his motorbike."),  # another thing is over
        ("Finn takes the bus to school.", "Finn no longer needs a snack for the bus."),
        ("The course on Monday has 12 places.", "The course on Friday has 8 places now."),
        ("The tank is empty.", "Ben believes that the tank is not empty."),
        ("Support answers the phone from eight to six.", "From eight to six support answers the phone."),
    ],
)
def test_what_is_no_contradiction(older: str, newer: str) -> None:
    assert kind(older, newer) == ""


def test_a_part_of_a_word_is_not_denied() -> None:
    older, newer = (
        "Die Kinder dürfen am Wochenende fernsehen.",
        "Die Kinder dürfen unter der Woche nicht fernsehen.",
    )
    assert kind(older, newer) != "denial"

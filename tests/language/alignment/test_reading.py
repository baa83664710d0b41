"""What a text says word by word: language, roots, quantities, the place of the verb, and what is denied."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.language.alignment import reading
from mdmem.language.alignment.reading import ReadSentence, read


def only(text: str) -> ReadSentence:
    (sentence,) = read(text).sentences
    return sentence


def roots_of(text: str, kind: str) -> list[str]:
    return [word.root for word in read(text).words if word.kind == kind]


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("The hives stand behind the orchard.", "en"),
        ("Der Drucker hat die feste Adresse 10.0.20.15.", "de"),
        ("El coro tiene veinte voces.", "es"),
        ("Le poissonnier livre le jeudi.", "fr"),
        ("Gotify 8070", "en"),
    ],
)
def test_the_language_is_told_by_its_small_words(text: str, tongue: str) -> None:
    assert read(text).tongue == tongue


@pytest.mark.parametrize(
    ("one", "other", "root"),
    [
        ("The loan is for forty-four thousand", "It is 44,000 now", "44000"),
        ("wait half an hour", "wait for 30 minutes", "1800s"),
        ("it takes a month and a half", "it takes 45 days", "3888000s"),
        ("on laisse sécher cinq minutes", "on laisse sécher trois cents secondes", "300s"),
        ("media hora a fuego lento", "treinta minutos a fuego lento", "1800s"),
        ("Es sind zweiundfünfzig Grad im Ofen", "Es sind 52 Grad im Ofen", "52"),
        ("one and a half cups of rice", "1.5 cups of rice", "1.5"),
        ("a job may take 48 h", "a job may take forty-eight hours", "172800s"),
        ("it times out after 500 ms", "it times out after half a second", "0.5s"),
        ("she takes 75 µg", "she takes 75 micrograms", "0.000075g"),
    ],
)
def test_a_quantity_is_the_same_in_words_and_in_digits(one: str, other: str, root: str) -> None:
    assert (roots_of(one, "number"), roots_of(other, "number")) == ([root], [root])


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("We meet at half past four.", "@4:30"),
        ("We meet at 16:30.", "@4:30"),
        ("Das Netz geht um elf Uhr aus.", "@11:00"),
        ("Wir kommen um halb fünf.", "@4:30"),
        ("El coro ensaya a las siete y media.", "@7:30"),
        ("We leave at quarter to five.", "@4:45"),
        ("Der Laden schließt erst gegen 17.30 Uhr.", "@5:30"),
        ("Wir treffen uns um 17 Uhr 30.", "@5:30"),
        ("On ferme la salle à 18 h 05.", "@6:05"),
        ("The shop opens at 9.15 on Mondays.", "@9:15"),
        ("The call is at 5 p.m. on Mondays.", "@5:00"),
    ],
)
def test_a_time_of_day_is_one_of_twelve_hours(text: str, root: str) -> None:
    assert roots_of(text, "time") == [root]


@pytest.mark.parametrize("text", ["We meet at five places", "Sold at 3.50 euros", "It needs version 3.10"])
def test_a_number_that_counts_is_no_time_of_day(text: str) -> None:
    assert roots_of(text, "time") == []


def test_a_word_with_a_capital_names_something_where_it_is_all_that_stands_behind_a_colon() -> None:
    assert roots_of("Owner of the feature store: Wilhelmina.", "name") == [reading.root("wilhelmina", "en")]
    assert roots_of("Rule of the store: Close the door.", "name") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Parser 3.1", "Parser 3.10"),
        ("PIN 0420", "PIN 420"),
        ("Konto 12345.61", "Konto 12345.64"),
        ("Serial 123456789012345678", "Serial 123456789012345679"),
    ],
)
def test_other_digits_are_another_number(one: str, other: str) -> None:
    assert roots_of(one, "number") != roots_of(other, "number")


def test_weekdays_are_the_same_in_each_language() -> None:
    texts = ("We train on Mondays", "Wir üben montags", "El coro canta los lunes", "Le club joue le lundi")
    assert [roots_of(text, "day") for text in texts] == [["day:0"]] * 4


def test_the_key_stands_before_the_verb_or_colon() -> None:
    assert [word.text for word in only("The search service listens on 9200").key] == ["search", "service"]
    assert [word.text for word in only("Port of Gotify: 8071").key] == ["port", "gotify"]


@pytest.mark.parametrize(
    ("text", "denies"),
    [
        ("The school has no lift.", True),
        ("The school has a lift.", False),
        ("No patient can have more than three appointments.", False),
        ("A patient has no more than three appointments.", False),
        ("The door is never not open.", False),
        ("Zum Üben benutze ich kein Metronom.", True),
        ("Je ne touche à aucun morceau.", True),
        ("Con lluvia no salgo nunca.", True),
    ],
)
def test_a_clause_denies_where_its_own_words_say_no(text: str, denies: bool) -> None:
    assert bool(only(text).denied) is denies


def test_a_no_holds_for_its_own_clause() -> None:
    sentence = only("The pump fits Presta valves, not car valves.")
    assert [(word.text, sentence.denies(word)) for word in sentence.words] == [
        *(("pump", False), ("fits", False), ("presta", False), ("valves", False)),
        *(("car", True), ("valves", True)),
    ]


def test_what_a_link_points_to_is_not_text() -> None:
    assert read("As [[ports_of_the_house]] says, it is so.").roots == read("As says, it is so.").roots


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert all(sentence.words for sentence in read(text).sentences)
    assert all(reading.telling(text))

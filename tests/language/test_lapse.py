"""Days as four languages name them, moments that pass, and texts that say nothing."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from mdmem.language.lapse import days, passing

FRIDAY = date(2025, 2, 14)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Send the offer tomorrow.", "2025-02-15"),
        ("The day after tomorrow, the dentist.", "2025-02-16"),
        ("Call Ruben by Wednesday", "2025-02-26"),
        ("Tidy up this weekend.", "2025-02-16"),
        ("In three days the skip comes.", "2025-02-17"),
        ("Party on March 3rd", "2025-03-03"),
        ("Exam on 3 January", "2026-01-03"),
        ("Pay before the end of the month.", "2025-02-28"),
        ("Übermorgen beim Finanzamt anrufen.", "2025-02-16"),
        ("Bis zum 15. Juni 2024 überweisen.", "2024-06-15"),
        ("Abgabe am 3.4.2025", "2025-04-03"),
        ("Foto am kommenden Dienstag", "2025-02-25"),
        ("Nächste Woche den Keller räumen", "2025-02-23"),
        ("Pasado mañana toca limpiar.", "2025-02-16"),
        ("Reunión el 4 de marzo", "2025-03-04"),
        ("La semana que viene, inventario", "2025-02-23"),
        ("Après-demain, livraison", "2025-02-16"),
        ("Rendez-vous le 1er avril", "2025-04-01"),
        ("Rappeler lundi prochain", "2025-02-24"),
        ("Due 2025-03-01", "2025-03-01"),
    ],
)
def test_a_day_is_reckoned_from_the_day_of_writing(text: str, last: str) -> None:
    assert max(day.last for _, day in days.named_days([text], FRIDAY)).isoformat() == last


@pytest.mark.parametrize(
    "text", ["Jeden Morgen um sechs", "31 February 2025", "por la mañana", "Fridays are free"]
)
def test_what_names_no_day(text: str) -> None:
    assert list(days.named_days([text], FRIDAY)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Every year on 1 March",
        "Fridays: soup",
        "freitags Suppe",
        "Los viernes, sopa",
        "Chaque lundi",
        "Le lundi",
        "Mum's birthday is on 4 May",
    ],
)
def test_what_comes_again(text: str) -> None:
    assert days.recurs(text)


@pytest.mark.parametrize(
    ("passes", "text"),
    [
        (True, "Staging is down, Pilar is on it."),
        (True, "Strom weg, Kerzen an"),
        (True, "Sin luz, volvemos luego"),
        (True, "fog, no stars"),
        (False, "The shed is locked at night, the key is with Ruth and the spare one with the caretaker."),
        (False, "Tess is allergic to nuts."),
        (False, "Rosa is waiting for a kidney transplant."),
        (False, "Living in Bonn, working in Cologne."),
        (False, "Opa ist krank am Herzen."),
        (False, "Mamá está enferma del corazón."),
        (False, "Papa est malade du cœur."),
        (False, "The lift is out of order since 2019."),
        (False, "Waiting list is full."),
        (False, ""),
        (False, "Tea"),
        (False, "Buy milk"),
        (False, "日本語のメモです"),
        (False, "Ваня любит чай."),
        (False, "Today Mum heard me on the radio for the first time and rang in, pretending to be from Leith."),
    ],
)
def test_the_state_of_an_hour_passes_and_what_lasts_does_not(text: str, passes: bool) -> None:
    assert (passing.sureness(text) >= 0.5) is passes


@pytest.mark.parametrize(
    ("is_noise", "text"),
    [
        (True, "test test 123"),
        (True, "aaa bbb"),
        (True, "qwertz"),
        (True, "Hello, this is a test of the notes thing"),
        (True, "asdf"),
        (True, "azeazeaze aze"),
        (True, "asdf does this save"),
        (True, "test upload pls ignore"),
        (False, "The test of the pump"),
        (False, "123"),
        (False, "ok 1234 is the code of the door"),
        (False, "Hello world in Rust"),
    ],
)
def test_trials_of_the_keyboard_say_nothing_and_few_words_may_say_something(text: str, is_noise: bool) -> None:
    assert passing.is_noise(text) is is_noise


@pytest.mark.parametrize(("which", "least", "most_wrong"), [(1, 34, 2), (2, 15, 2)])
def test_states_of_an_hour_are_told_from_what_lasts(which: int, least: int, most_wrong: int) -> None:
    """Of 40 and 24 that pass so many are found at 0.5, and of 40 and 20 that last so many wrongly."""
    lines = (Path(__file__).parents[1] / "data/moments.jsonl").read_text(encoding="utf-8").splitlines()
    given = [item for item in map(json.loads, lines) if item["round"] == which]
    found = [item["passes"] for item in given if passing.sureness(item["text"]) >= 0.5]
    assert sum(found) >= least
    assert len(found) - sum(found) <= most_wrong

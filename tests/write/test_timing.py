"""When a new memory is about: by its first words, and by the one day that its text names, in four languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mdmem.language.lapse import days
from mdmem.write.remember import timing

MONDAY = datetime(2026, 11, 23, 12, tzinfo=UTC)


def told(text: str, **given: str) -> dict[str, object]:
    return dict(timing(text, given, "2026-11-23T12:00:00Z", MONDAY))


@pytest.mark.parametrize(
    "text",
    [
        "Next: write the migration.",
        "**Next steps:** write the migration",
        "- TODO: ask Ada.",
        "TODO ask Ada",
        "To do: ask Ada",
        "Open: who signs the lease?",
        "- [ ] Sign the lease",
        "Remind me to sign the lease",
        "Don't forget the keys",
        "Nächster Schritt: Vertrag unterschreiben",
        "Noch offen: der Vertrag",
        "Zu tun: Vertrag unterschreiben",
        "Erinnere mich an den Vertrag",
        "Prochaine étape : signer",
        "À faire : signer",
        "Rappelle-moi de signer",
        "N’oublie pas les clés",
        "Siguiente paso: firmar",
        "Pendiente: firmar",
        "Recuérdame firmar",
    ],
)
def test_what_begins_as_a_task_does_is_one(text: str) -> None:
    assert told(text) == {"category": "future"}
    assert "category" not in told(text, category="past")


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Dentist tomorrow at 9.", "2026-11-24"),
        ("Dentist the day after tomorrow", "2026-11-25"),
        ("Ada visits next Friday.", "2026-11-27"),
        ("The fair opens in two weeks.", "2026-12-07"),
        ("The lease is up next month.", "2026-12-31"),
        ("Dentist on 12 December at 9:30", "2026-12-12"),
        ("The lease ends on 2027-03-01.", "2027-03-01"),
        ("Kai is off until next Friday", "2026-11-27"),
        ("Morgen kommt der Monteur.", "2026-11-24"),
        ("Der Monteur kommt am nächsten Freitag.", "2026-11-27"),
        ("In zwei Wochen kommt der Monteur.", "2026-12-07"),
        ("Zahnarzt am 12. Dezember", "2026-12-12"),
        ("Le plombier vient demain.", "2026-11-24"),
        ("Le plombier vient vendredi prochain.", "2026-11-27"),
        ("Le plombier vient dans deux semaines.", "2026-12-07"),
        ("El fontanero viene mañana.", "2026-11-24"),
        ("El fontanero viene el próximo viernes.", "2026-11-27"),
        ("El fontanero viene dentro de dos semanas.", "2026-12-07"),
    ],
)
def test_one_day_ahead_is_when_it_is_due(text: str, due: str) -> None:
    assert told(text) == {"category": "future", "due": due}


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Mara moved to Munich last month.", "2026-10-01"),
        ("Mara moved to Munich yesterday.", "2026-11-22"),
        ("Mara moved to Munich last Friday.", "2026-11-20"),
        ("Mara moved to Munich last week.", "2026-11-16"),
        ("Mara moved to Munich three months ago.", "2026-08-01"),
        ("Mara moved to Munich last year.", "2025-01-01"),
        ("Letzten Monat ist Mara nach Bonn gezogen.", "2026-10-01"),
        ("Vor drei Tagen ist Mara umgezogen.", "2026-11-20"),
        ("Gestern ist Mara umgezogen.", "2026-11-22"),
        ("Zoé a quitté Lyon le mois dernier.", "2026-10-01"),
        ("Zoé a quitté Lyon il y a trois jours.", "2026-11-20"),
        ("Ana dejó Madrid el mes pasado.", "2026-10-01"),
        ("Ana dejó Madrid hace tres días.", "2026-11-20"),
    ],
)
def test_one_past_day_that_counts_from_now_is_since_when_it_holds(text: str, start: str) -> None:
    assert told(text) == {"valid_from": start}


@pytest.mark.parametrize(
    "text",
    [
        "The dentist moved from tomorrow to next Friday.",  # two days
        "Standup is every Friday, also next Friday.",  # recurs
        "The team met on Friday.",  # the last or the next one
        "Mara lived in Bonn until last month.",  # ended then
        "Mara wohnte bis letzten Monat in Bonn.",
        "Sales grew over the last month.",  # no calendar month
        "Last week's report is on the wiki.",
        "The server is down today.",  # that is its date anyway
        "The club met on 12 October.",  # the last one, or in a year
        "Ada was told 12 December.",
        "The boat is green.",
        "The meeting on 31 February",
        f"Dentist tomorrow. {'And much more was said about many other things. ' * 5}",
        "Dentist tomorrow.\n\nAda likes tea.",
        # the words of a task within a sentence
        "Next we moved to Rust.",
        "Open source is what the team prefers.",
        "The next step of the proof uses induction.",
        "A todo app is what Ada builds.",
        "Offen gesagt mag Ada keinen Tee.",
        "Pendientes de plata le gustan a Ana.",
        "Until 2024 the team used MySQL.",
        "Do: that is a note.",
    ],
)
def test_nothing_is_guessed(text: str) -> None:
    assert told(text) == {}


def test_what_is_given_comes_first() -> None:
    assert told("Dentist tomorrow", category="past") == {}
    assert told("Dentist tomorrow", category="present") == {}
    assert told("Dentist on Friday", category="future") == {"category": "future", "due": "2026-11-27"}
    assert told("Next: call Ada on Friday") == {"category": "future", "due": "2026-11-27"}
    assert told("Sign the lease", due="2026-12-24") == {"category": "future"}
    assert told("Sign the lease", due="2026-10-24") == {}
    assert told("Mara moved last month", valid_until="2026-12-24") == {}


def test_a_day_is_counted_from_when_the_words_were_said() -> None:
    """A chat of last year that is captured today tells of no task, and of the month before that chat."""
    assert timing("Dentist tomorrow", {}, "2025-03-10T12:00:00Z", MONDAY) == {}
    assert timing("Mara moved last month", {}, "2025-03-10T12:00:00Z", MONDAY) == {"valid_from": "2025-02-01"}


@pytest.mark.parametrize("kind", ["weekdays", "months", "dated", "day", "named", "counted", "label", "opening"])
def test_each_language_has_every_kind_of_row(kind: str) -> None:
    assert {language for language, table in days._tables().items() if table.get(kind)} >= {"en", "de", "fr", "es"}

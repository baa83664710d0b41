"""Conflicts: what a link says is certain, what the scorer finds waits, and the newer is trusted and says so."""

from __future__ import annotations

import pytest

from mdmem.garden.gardeners import conflicts, pairing
from mdmem.garden.gardeners.pairing import NotePair
from mdmem.garden.gardeners.proposal import Evidence, GardenSettings, JudgedPair
from mdmem.garden.verdicts import Judgement
from mdmem.note import memory

from .conftest import Garden, as_notes, made

OLD, NEW = "User lives in Berlin.", "User lives in Munich."


def garden_of(one: str = OLD, two: str = NEW, conflict: float = 0.9, **properties: str) -> Garden:
    """Two notes that the scorer takes for a conflict."""
    notes = (
        made("what_was_said_first", one, title="A home"),
        made("what_was_said_later", two, "2026-02-08", title="A home", **properties),
    )
    said = [Evidence(path, 9, text) for (path, _), text in zip(notes, (one, two), strict=True)]
    pair = JudgedPair(notes[0][0], notes[1][0], 0.1, conflict, *said)
    return Garden(conflicts.plan, *notes, judged=(pair,))


def test_what_the_scorer_finds_is_proposed_and_is_not_certain() -> None:
    (one,) = garden_of().look().proposals
    assert (one.action, one.confidence, one.certain) == ("deprecate", 0.9, False)


@pytest.mark.parametrize("properties", [{"type": "episodic"}, {"category": "future"}, {"status": "deprecated"}])
def test_what_happened_lies_ahead_or_is_over_is_in_no_conflict(properties: dict[str, str]) -> None:
    assert garden_of(**properties).look().proposals == ()


def test_a_pair_that_rather_says_the_same_is_left_to_the_twins() -> None:
    assert garden_of(conflict=0.05).look().proposals == ()


def test_the_older_is_superseded_and_the_newer_says_when() -> None:
    files = garden_of().settle()
    older, newer = (memory.parse(data, path) for path, data in sorted(files.items()))
    assert (older.status, older.strings("superseded_by")) == ("deprecated", ("[[what_was_said_later]]",))
    assert older.body.lstrip().startswith(
        "> [!warning] DEPRECATED: See valid architecture in [[what_was_said_later]]"
    )
    assert newer.strings("supersedes") == ("[[what_was_said_first]]",)
    assert newer.body.endswith("Corrected 2026-02-08.\n")  # a fact; nobody changed their mind


@pytest.mark.parametrize(("keep", "status"), [("contest", "contested"), ("fork", "active")])
def test_both_are_kept_if_asked(keep: str, status: str) -> None:
    found = garden_of()
    found.settings = found.settings._replace(keep_both=keep)
    assert {memory.parse(data, path).status for path, data in found.settle().items()} == {status}


def test_a_link_that_says_so_is_certain(garden: type[Garden]) -> None:
    link = made("the_view_of_today", "Quite another view.", "2026-02-08", contradicts='["[[the_view_of_old]]"]')
    (one,) = garden(conflicts.plan, made("the_view_of_old", "One view."), link).look().proposals
    assert one.certain


def test_of_two_as_old_nobody_is_trusted_unasked(garden: type[Garden]) -> None:
    link = made("the_view_of_today", "Quite another view.", contradicts='["[[the_view_of_old]]"]')
    (one,) = garden(conflicts.plan, made("the_view_of_old", "One view."), link).look().proposals
    assert (one.certain, one.confidence < 0.8) == (False, True)


def test_facts_as_triples_exclude_each_other(garden: type[Garden]) -> None:
    facts = [
        made(name, value, day, type="fact", subject="Orchid", predicate=predicate, object=value)
        for name, predicate, value, day in (
            ("fact_of_orchid_one", "database", "MySQL", "2026-01-01"),
            ("fact_of_orchid_two", "database", "Postgres", "2026-02-01"),
            ("fact_of_orchid_three", "cache", "Redis", "2026-02-01"),
        )
    ]
    (one,) = garden(conflicts.plan, *facts).proposals()
    assert "trust fact_of_orchid_two" in one.title


def test_what_somebody_judged_goes_before_what_words_say() -> None:
    """Each note goes once, and of two notes that both hold neither goes."""
    days = {"first_of_three": "2026-01-01", "second_of_three": "2026-01-02", "third_of_three": "2026-01-03"}
    one, two, three = as_notes(dict(made(name, "x", day) for name, day in days.items()))
    both_hold = Judgement("both hold", "pair", (one.path, two.path), ("", ""))
    settings = GardenSettings(ruled={frozenset(both_hold.paths): both_hold})
    judged = NotePair(one, three, 0.9, (), ruled=True)
    pairs = (NotePair(two, three, 0.98, (), certain=True), NotePair(one, two, 0.9, ()), judged)
    assert list(pairing.grouped(pairs, settings)) == [[judged]]

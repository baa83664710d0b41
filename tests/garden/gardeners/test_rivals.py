"""Contradictions in free words: between each other's nearest, weeks apart, and never about what is linked."""

from __future__ import annotations

import pytest

from mdmem.garden.gardeners import conflicts
from mdmem.note import memory

from .conftest import Garden, made

OLD = made("notes_work_in_omegat", "I work in OmegaT.", "2025-06-01")
NEW = made("quit_omegat", "Quit OmegaT over the holidays; everything lives in memoQ.", "2026-01-10")
OTHERS = [made(f"plant_number_{at}", f"Herb{at} grows behind shed{at}.") for at in range(40)]


def test_a_newer_note_that_says_a_thing_is_over_is_trusted(garden: type[Garden]) -> None:
    (one,) = garden(conflicts.plan, OLD, NEW, *OTHERS).look().proposals
    assert one.title == "trust quit_omegat, which contradicts the older notes_work_in_omegat"
    assert one.confidence >= 0.8
    assert [why.path for why in one.evidence] == [OLD[0], NEW[0]]
    assert one.evidence[1].text == "Quit OmegaT over the holidays;"


def test_a_newer_note_that_says_what_changed_is_left_to_a_person(garden: type[Garden]) -> None:
    newer = made("moved_on", "Finally no fees for OmegaT, I work with friends.", "2026-01-10")
    (one,) = garden(conflicts.plan, OLD, newer, *OTHERS).look().proposals
    assert one.title.startswith("contest ")
    assert 0.5 <= one.confidence < 0.8


def test_one_other_value_is_trusted_in_the_newer_note(garden: type[Garden]) -> None:
    old = made("fish_on_thursday", "Le poissonnier livre le jeudi.", "2025-06-01")
    new = made("fish_on_friday", "Le poissonnier livre le vendredi.", "2026-01-10")
    assert memory.parse(garden(conflicts.plan, old, new, *OTHERS).settle()[old[0]], old[0]).status == "deprecated"


def test_notes_of_the_same_days_episodes_and_linked_ones_are_no_rivals(garden: type[Garden]) -> None:
    soon = made("quit_omegat", NEW[1].decode().split("---\n\n")[1], "2025-06-05")
    episode = made("quit_omegat", "Quit OmegaT over the holidays.", "2026-01-10", type="episodic")
    linked = made("quit_omegat", "Quit OmegaT, see [[notes_work_in_omegat]].", "2026-01-10")
    for newer in (soon, episode, linked):
        assert not garden(conflicts.plan, OLD, newer, *OTHERS).look().proposals


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Deploys go out on Fridays.", "Deploys no longer go out on Fridays; they go out on Tuesdays at noon."),
        ("Die Abgabe ist freitags.", "Die Abgabe ist nicht mehr freitags, sondern dienstags."),
        ("El equipo se reúne los lunes.", "El equipo ya no se reúne los lunes, sino los martes."),
        ("L'équipe se réunit le lundi.", "L'équipe ne se réunit plus le lundi, mais le mardi."),
    ],
)
def test_what_is_over_within_days_is_left_to_a_person(garden: type[Garden], before: str, after: str) -> None:
    old, new = made("what_is_said", before, "2026-01-09"), made("what_is_said_next", after, "2026-01-10")
    (one,) = garden(conflicts.plan, old, new, *OTHERS[:3]).look().proposals
    assert one.title.startswith("contest ")
    assert one.confidence == 0.5
    alike = made("what_is_said_next", before.replace(".", ", too."), "2026-01-10")
    assert not any("contest" in each.title for each in garden(conflicts.plan, old, alike).look().proposals)


def test_a_third_as_near_tells_of_a_family(garden: type[Garden]) -> None:
    lamps = [made(f"lamp_{room}", f"The {room} lamp hums.", "2025-06-01") for room in ("kitchen", "hall")]
    newer = made("lamp_bedroom", "The bedroom lamp hums again.", "2026-01-10")
    assert not garden(conflicts.plan, *lamps, newer, *OTHERS).proposals()

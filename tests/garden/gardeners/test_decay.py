"""Only what policy allows goes, and only when nothing holds it."""

from __future__ import annotations

from typing import Any

import pytest

from mdmem.garden.gardeners import decay, note
from mdmem.note import memory

from .conftest import TODAY, Garden, made

FADED = {"deletion_policy": "auto_prune", "decay": "{max_age_seconds: 86400, half_life_seconds: 3600}"}


def test_a_faded_note_is_removed_and_the_loss_is_named(garden: type[Garden]) -> None:
    found = garden(decay.plan, made("weather_of_last_week", "Rain.", **FADED), made("a_note_that_stays", "x"))
    (one,) = found.proposals()
    assert (one.action, one.lost) == (
        "delete",
        "the text of weather_of_last_week (mdmem restore weather_of_last_week brings it back); "
        "the name weather_of_last_week and the date 2026-01-01",
    )
    assert list(found.settle()) == ["allmemories/a_note_that_stays.md"]


@pytest.mark.parametrize(
    "change",
    [
        {"deletion_policy": "never"},
        {"deletion_policy": "manual_only"},
        {"pinned": "true"},
        {"decay": "{max_age_seconds: 864000000}"},
        {"decay": "{half_life_seconds: 3600, min_salience: 0.1}"},
        {"last_reinforced_at": "2026-03-01T11:59:00Z"},
    ],
)
def test_policy_pins_floors_and_reinforcement_hold_a_note(garden: type[Garden], change: dict[str, str]) -> None:
    assert not garden(decay.plan, made("weather_of_last_week", "Rain.", **{**FADED, **change})).proposals()


def test_without_a_policy_nothing_goes(garden: type[Garden]) -> None:
    assert not garden(decay.plan, made("weather_of_last_week", "Rain.", decay=FADED["decay"])).proposals()


def test_a_link_or_a_recall_of_late_holds_a_note(garden: type[Garden]) -> None:
    faded = made("weather_of_last_week", "Rain.", **FADED)
    assert not garden(decay.plan, faded, made("a_note_that_stays", "[[weather_of_last_week]]")).proposals()

    def looked(days: int) -> Any:
        used = int(TODAY.timestamp()) - days * 86400
        seen = note.read(memory.parse(faded[1], faded[0]), faded[1], last_used=used)
        return Garden(decay.plan).found([seen]).proposals

    assert not looked(10)
    assert looked(100)


def test_a_trial_of_the_keyboard_goes_unless_something_holds_it(garden: type[Garden]) -> None:
    (one,) = garden(decay.plan, made("test_123_memory", "test test 123")).proposals()
    assert (one.action, one.title) == ("delete", "remove test_123_memory, which says nothing")
    assert not garden(decay.plan, made("test_123_memory", "test", deletion_policy="never")).look().proposals
    assert not garden(decay.plan, made("test_123_memory", "test", pinned="true")).look().proposals
    assert not garden(decay.plan, made("door_code_is_a_test", "test")).look().proposals
    linking = made("how_to_try_it", "See [[test_123_memory]].")
    assert not garden(decay.plan, made("test_123_memory", "test"), linking).look().proposals

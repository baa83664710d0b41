"""Effective salience: the formulas of D10-D15."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import decay

CREATED = "2026-01-01T00:00:00Z"
START = datetime(2026, 1, 1, tzinfo=UTC)
DAY = 86400


def at(days: float, **properties: object) -> float | None:
    return decay.effective(properties, CREATED, START + timedelta(days=days))


def test_salience_halves_in_each_half_life() -> None:
    profile = {"curve": "exponential", "half_life_seconds": DAY}
    assert [at(days, salience=0.8, decay=profile) for days in (0, 1, 2)] == [0.8, 0.4, 0.2]


def test_linear_decay_ends_after_one_half_life() -> None:
    profile = {"curve": "linear", "half_life_seconds": DAY, "min_salience": 0.1}
    assert [at(days, salience=0.8, decay=profile) for days in (0, 0.5, 1, 9)] == [0.8, 0.4, 0.1, 0.1]


def test_the_floor_holds_and_the_age_ends_it() -> None:
    profile = {"half_life_seconds": DAY, "min_salience": 0.3, "max_age_seconds": 10 * DAY}
    assert [at(days, salience=0.8, decay=profile) for days in (9, 10)] == [0.3, 0.0]


@pytest.mark.parametrize("pinned", [True, "yes", "on"])
def test_what_is_pinned_does_not_decay(pinned: object) -> None:
    assert at(99, salience=0.8, pinned=pinned, decay={"half_life_seconds": DAY}) == 0.8


def test_time_runs_from_the_last_reinforcement() -> None:
    profile = {"half_life_seconds": DAY}
    assert at(2, salience=0.8, decay=profile, last_reinforced_at="2026-01-03T00:00:00Z") == 0.8
    assert at(2, salience=0.8, decay=profile, last_reinforced_at="2027-01-01") == 0.8


def test_no_profile_no_decay_and_no_salience_none() -> None:
    assert at(99, salience=0.8) == 0.8
    assert at(99, salience="0.8", decay="fast") == 0.8
    assert at(99) is None
    assert at(99, salience="much") is None
    assert at(99, salience=10**400) is None
    assert decay.effective({"salience": 0.8, "decay": {"half_life_seconds": DAY}}, "", START) == 0.8


numbers = st.one_of(st.none(), st.booleans(), st.integers(-(10**400), 10**400), st.floats(), st.text(max_size=5))


@given(
    st.floats(0, 1e6),
    st.floats(0, 1e12),
    st.dictionaries(
        st.sampled_from(["curve", "half_life_seconds", "min_salience", "max_age_seconds"]),
        numbers | st.just("linear"),
    ),
)
def test_any_profile_gives_a_number_that_never_grows_over_time(
    salience: float, seconds: float, profile: dict[str, object]
) -> None:
    now, later = decay.decayed(salience, seconds, profile), decay.decayed(salience, seconds * 2 + 1, profile)
    assert 0 <= later <= now or profile.get("min_salience") is not None

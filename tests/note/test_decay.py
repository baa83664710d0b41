"""Effective salience: the formulas, and what reinforcing and penalising do to what is written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import UsageError
from mdmem.note import decay

CREATED = "2026-01-01T00:00:00Z"
START = datetime(2026, 1, 1, tzinfo=UTC)
DAY = 86400


def at(days: float, **properties: object) -> float | None:
    return decay.effective(properties, CREATED, START + timedelta(days=days))


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


HOUR = 3600


@pytest.mark.parametrize(
    ("salience", "hours", "half_life", "floor", "left"),
    [(0.8, 1, HOUR, 0.2, 0.4), (0.3, 10, HOUR, 0.2, 0.2), (0.1, 1, 0, 0.2, 0.2)],
)
def test_published_vectors_with_a_floor(
    salience: float, hours: float, half_life: int, floor: float, left: float
) -> None:
    profile = {"curve": "exponential", "half_life_seconds": half_life, "min_salience": floor}
    assert decay.decayed(salience, hours * HOUR, profile) == pytest.approx(left)


@pytest.mark.parametrize(
    ("curve", "hours", "left"),
    [
        *(("exponential", 12, 0.707), ("exponential", 24, 0.5), ("exponential", 48, 0.25)),
        *(("exponential", 72, 0.125), ("linear", 6, 0.75), ("linear", 12, 0.5), ("linear", 24, 0.0)),
        *(("custom", 12, 0.707), ("unheard-of", 24, 0.5)),
    ],
)
def test_published_vectors_by_curve(curve: str, hours: float, left: float) -> None:
    profile = {"curve": curve, "half_life_seconds": 24 * HOUR}
    assert decay.decayed(1.0, hours * HOUR, profile) == pytest.approx(left, abs=5e-4)


def test_only_a_curve_that_is_not_known_is_told_of() -> None:
    assert decay.warning({"decay": {"curve": "custom"}}) == "decay: the curve 'custom' is read as exponential"
    assert [decay.warning({"decay": {"curve": curve}}) for curve in ("linear", "exponential", None)] == [""] * 3


@pytest.mark.parametrize("salience", [float("nan"), float("inf")])
def test_what_is_no_number_has_the_floor(salience: float) -> None:
    assert decay.decayed(salience, 0, {"half_life_seconds": DAY, "min_salience": 0.2}) == 0.2


DAILY = {"curve": "exponential", "half_life_seconds": DAY, "min_salience": 0.1, "reinforcement_gain": 0.2}


def test_asking_again_never_compounds() -> None:
    """Each question starts from what is written, so three of them give what one does."""
    asked = [at(days, salience=1.0, decay=DAILY) for days in (1, 1, 1, 2)]
    assert asked == [0.5, 0.5, 0.5, 0.25]


def test_a_reinforcement_adds_to_what_is_left_and_never_lowers() -> None:
    note = {"salience": 0.8, "decay": DAILY, "decay_anchor": "2026-01-01T12:00:00Z"}
    later = START + timedelta(days=1.5)
    changed = decay.reinforced(note, CREATED, later, 0.2)
    assert changed == {"salience": 0.6, "last_reinforced_at": "2026-01-02T12:00:00Z", "decay_anchor": None}
    assert decay.reinforced({"salience": 1.7}, CREATED, START, 0.2)["salience"] == 1.7
    assert decay.reinforced({"salience": 0.9}, CREATED, START, 0.2)["salience"] == 1.0


def test_a_penalty_starts_decay_anew_but_not_the_age() -> None:
    profile = {**DAILY, "max_age_seconds": 10 * DAY}
    note: dict[str, object] = {"salience": 0.8, "decay": profile, "last_reinforced_at": CREATED}
    note |= decay.penalized(note, CREATED, START + timedelta(days=1), 0.2)
    assert (note["salience"], note["last_reinforced_at"]) == (0.2, CREATED)
    assert [at(days, **note) for days in (1, 2, 10)] == [0.2, 0.1, 0.0]


def test_a_penalty_stops_at_the_floor() -> None:
    assert decay.penalized({"salience": 0.3, "decay": DAILY}, CREATED, START, 5)["salience"] == 0.1


@pytest.mark.parametrize("amount", [-0.1, float("nan"), float("inf")])
def test_no_odd_penalty(amount: float) -> None:
    with pytest.raises(UsageError, match="cannot be taken"):
        decay.penalized({"salience": 0.3}, CREATED, START, amount)


def test_a_year_of_daily_reinforcements_stays_within_bounds() -> None:
    note: dict[str, object] = {"salience": 0.5, "decay": DAILY}
    for day in range(366):
        note |= decay.reinforced(note, CREATED, START + timedelta(days=day), 0.2)
        assert 0.1 <= float(str(note["salience"])) <= 1.0
    assert note["salience"] == pytest.approx(0.4, abs=1e-5)  # s = s/2 + 0.2


@pytest.mark.parametrize(
    ("change", "by_default", "strictly"),
    [
        ({}, True, True),
        ({"pinned": True}, False, False),
        ({"deletion_policy": "manual_only"}, False, False),
        ({"deletion_policy": None}, False, False),
        ({"decay": None}, False, False),
        ({"decay": {"half_life_seconds": DAY, "min_salience": 0.01}}, False, True),
        ({"decay": {"half_life_seconds": DAY, "min_salience": 0.5, "max_age_seconds": DAY}}, True, True),
        ({"salience": 2.0**51}, False, False),
    ],
)
def test_what_may_be_pruned(change: dict[str, object], by_default: bool, strictly: bool) -> None:
    """A floor of 0.001 or more keeps a memory until its age, unless the stricter rule is asked for."""
    note = {"salience": 1.0, "deletion_policy": "auto_prune", "decay": {"half_life_seconds": DAY}, **change}
    now = START + timedelta(days=50)
    assert decay.is_spent(note, CREATED, now) is by_default
    assert decay.is_spent(note, CREATED, now, strict=True) is strictly


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

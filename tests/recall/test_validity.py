"""A memory holds from a day, until a day, and under conditions; what is not given is not known."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mdmem.errors import UsageError
from mdmem.recall.validity import Circumstances, Standing, conditions, given, standing


def at(text: str, *facts: str, **properties: object) -> Standing:
    moment = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return standing(properties, Circumstances(moment, given(facts)))


@pytest.mark.parametrize(
    ("moment", "holds", "why"),
    [
        ("2026-02-28T23:59:59", False, "valid from 2026-03-01"),
        ("2026-03-01T00:00:00", True, ""),
        ("2026-03-31T23:59:59", True, ""),
        ("2026-04-01T00:00:00", False, "valid until 2026-03-31"),
    ],
)
def test_a_day_counts_whole(moment: str, holds: bool, why: str) -> None:
    assert at(moment, valid_from="2026-03-01", valid_until="2026-03-31") == (holds, why)


def test_times_and_months_are_understood() -> None:
    noon = "2026-03-01T12:00:00Z"
    assert at("2026-03-01T12:00:01", valid_until=noon).reservation == f"valid until {noon}"
    assert at("2026-03-01", valid_from=2027).reservation == "valid from 2027-01-01"
    assert at("2026-03-31T12:00:00", valid_until="2026-03").holds


def test_what_is_not_a_date_is_not_a_limit() -> None:
    assert at("2026-03-01", valid_from="soon", valid_until=["never"], valid_if=None) == (True, "")


@pytest.mark.parametrize(
    ("valid_if", "facts", "holds", "why"),
    [
        ("env=prod", [], True, "valid if env=prod"),
        ("env=prod", ["env=PROD"], True, ""),
        ("env=prod", ["env=test"], False, "valid only if env=prod"),
        ("env=prod", ["env!=prod"], False, "valid only if env=prod"),
        ("env=prod", ["env!=test"], True, "valid if env=prod"),
        ("env=prod", ["os=linux"], True, "valid if env=prod"),
        ("env=prod", ["env=test", "env=prod"], True, ""),
        ("env!=prod", ["env=prod"], False, "valid only if env!=prod"),
        ("env!=prod", ["env=test"], True, ""),
        ("env!=prod", ["env!=prod"], True, ""),
        (["env=prod", "os!=linux"], ["env=prod"], True, "valid if os!=linux"),
        ("env=prod, os=linux", [], True, "valid if env=prod and os=linux"),
        ("env=prod, os=linux", ["os=mac"], False, "valid only if os=linux"),
        ("on weekends", ["env=prod"], True, "valid if on weekends"),
        ({"env": "prod"}, ["env=test"], False, "valid only if env=prod"),
    ],
)
def test_conditions(valid_if: object, facts: list[str], holds: bool, why: str) -> None:
    assert at("2026-03-01", *facts, valid_if=valid_if) == (holds, why)


def test_the_days_come_before_the_conditions() -> None:
    said = at("2026-03-01", "env=test", valid_until="2025", valid_if="env=prod").reservation
    assert said == "valid until 2025-12-31"


def test_what_is_given_has_to_be_a_condition() -> None:
    with pytest.raises(UsageError, match="'prod' is not a condition"):
        given(["prod"])
    assert str(given(["env != prod"])[0]) == "env!=prod"
    assert conditions(None) == []

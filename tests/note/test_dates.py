"""Dates in a question, and how near a note is to them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import dates
from mdmem.note.dates import Window

TODAY = date(2026, 3, 1)


@pytest.mark.parametrize(
    ("text", "windows"),
    [
        ("in 2022", [(2022, 0, 0)]),
        ("on 8 May", [(0, 5, 8)]),
        ("May 8th, 2023", [(2023, 5, 8)]),
        ("the 1st of June 2023", [(2023, 6, 1)]),
        ("in Sept. 2023", [(2023, 9, 0)]),
        ("2023-05-08 and 2024-06", [(2023, 5, 8), (2024, 6, 0)]),
        ("in May", [(0, 5, 0)]),
        ("before March", [(0, 3, 0)]),
        ("mid-March", [(0, 3, 0)]),
        ("may I ask", []),
        ("the march of time", []),
        ("what Jan said", []),
        ("in Jan", [(0, 1, 0)]),
        ("June", [(0, 6, 0)]),
        ("last February", [(2026, 2, 0)]),
        ("last March", [(2025, 3, 0)]),
        ("last April", [(2025, 4, 0)]),
        ("this April", [(2026, 4, 0)]),
        ("next February", [(2027, 2, 0)]),
        ("next April", [(2026, 4, 0)]),
        ("last May 2020", [(2020, 5, 0)]),
        ("May 10:30", []),
        ("99 May 2023", [(2023, 0, 0)]),
        ("2023-13-45", [(2023, 0, 0)]),
        ("31 February 2023", [(2023, 2, 31)]),
        ("route 66, 12345, 1850", []),
        ("maybe marching decades", []),
        ("", []),
    ],
)
def test_windows(text: str, windows: list[tuple[int, int, int]]) -> None:
    assert list(dates.windows(text, TODAY)) == windows


def test_without_a_today_last_march_is_any_march() -> None:
    assert dates.windows("last March") == (Window(0, 3, 0),)


def near(day: str, *window: int) -> float:
    return dates.closeness(datetime.fromisoformat(day).replace(tzinfo=UTC), Window(*window))


def test_within_a_window_a_note_is_as_near_as_can_be() -> None:
    assert near("2023-05-08 23:59", 2023, 5, 8) == 1
    assert near("2023-05-07 01:00", 2023, 5, 8) == 1
    assert near("2023-05-31 12:00", 2023, 5, 0) == 1
    assert near("2023-12-31 12:00", 2023, 0, 0) == 1
    assert near("2021-05-08", 0, 5, 8) == 1


def test_after_a_date_is_nearer_than_before_it() -> None:
    assert 1 > near("2023-05-14", 2023, 5, 8) > near("2023-05-02", 2023, 5, 8) > 0
    assert 1 > near("2023-06-10", 2023, 5, 0) > near("2023-04-20", 2023, 5, 0) > 0
    assert near("2022-12-31", 2023, 0, 0) == 0


def test_a_day_without_a_year_is_near_across_new_year() -> None:
    assert near("2024-01-02", 0, 12, 31) == near("2023-01-02", 0, 12, 31) > 0.5


@pytest.mark.parametrize("window", [(2023, 2, 31), (0, 2, 30), (2023, 4, 31)])
def test_a_day_that_does_not_exist_is_near_to_nothing(window: tuple[int, int, int]) -> None:
    assert near("2023-02-28", *window) == 0
    assert dates.span(Window(*window), 2023) is None


@given(
    st.datetimes(timezones=st.just(UTC)),
    st.builds(Window, st.just(0) | st.integers(1900, 2099), st.integers(0, 12), st.integers(0, 31)),
)
def test_closeness_is_from_0_to_1_for_every_date(moment: datetime, window: Window) -> None:
    assert 0 <= dates.closeness(moment, window) <= 1


@given(st.datetimes(timezones=st.just(UTC)), st.integers(1, 12), st.integers(0, 31))
def test_what_is_near_lies_in_the_span(moment: datetime, month: int, day: int) -> None:
    window = Window(moment.year, month, day)
    span = dates.span(window, 0)
    if dates.closeness(moment, window) == 1:
        assert span is not None
        assert span[0] <= moment <= span[1] or timedelta(0) > span[1] - span[0]


@given(
    st.text()
    | st.lists(st.sampled_from("may 8 31 99 2023 -02 last of , th 2023-02-31 december".split())).map(" ".join)
)
def test_no_text_raises(text: str) -> None:
    for window in dates.windows(text, TODAY):
        assert 0 <= window.month <= 12
        dates.span(window, 9999)


@given(
    st.lists(st.sampled_from(["May", "march", "8", "\u0663", "2nd", "of", "2023", "2023-05-08", "-", " ", "x"]))
)
def test_a_text_without_a_digit_names_no_day(pieces: list[str]) -> None:
    """Such a text is not searched at all."""
    text = " ".join(pieces)
    assert dates.days(text) == [window for window in dates.windows(text) if window.day]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('Ada sang "Here today, gone tomorrow" yesterday.', 'Ada sang "Here today, gone tomorrow" on 2026-05-03.'),
        ("Er sagte „bis tomorrow“ und kam today", "Er sagte „bis tomorrow“ und kam on 2026-05-04"),
        ('A "b" today and a 5" nail', 'A "b" on 2026-05-04 and a 5" nail'),
    ],
)
def test_what_is_quoted_keeps_its_words(text: str, written: str) -> None:
    """A title or what somebody once said names no day from which to count."""
    assert dates.resolved(text, date(2026, 5, 4)) == written

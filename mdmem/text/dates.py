"""Dates in a question: "in May 2023", "on 8 May", "last March", "2022" as windows of time."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from math import exp
from typing import NamedTuple

from mdmem.text.calendar import AMBIGUOUS, MONTH_NUMBERS

_NAMES = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
_WORDY = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+)?(?P<month>{_NAMES})\b\.?"
    r"(?:\s+(?P<d2>\d{1,2})(?:st|nd|rd|th)?\b(?!\d|:))?,?(?:\s+(?:of\s+)?(?P<year>(?:19|20)\d{2}))?\b"
)
_ISO = re.compile(r"\b(?P<year>(?:19|20)\d{2})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?\b")
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_MONTH_COMES = re.compile(
    r"\b(?:in|last|next|this|since|until|till|before|after|around|during|of|early|late|mid|by|from|every)[\s-]+$"
)
_RELATIVE = re.compile(r"\b(last|this|next)\s+$")

_DAY_AFTER, _DAY_BEFORE, _MONTH_SPREAD = 7.0, 4.0, 15.0  # days in which a near miss still counts 1/e


class Window(NamedTuple):
    """A day, month or year that was named; 0 where it was not said. There may be no such day."""

    year: int
    month: int
    day: int


def windows(text: str, today: date | None = None) -> tuple[Window, ...]:
    """The points in time that a question names; "last March" is reckoned from `today`, or else any March."""
    lower = text.lower()
    iso = [
        Window(int(match["year"]), int(match["month"]), int(match["day"] or 0)) for match in _ISO.finditer(lower)
    ]
    wordy = [_wordy(match, today) for match in _WORDY.finditer(lower) if _is_month(match)]
    dated = [window for window in (*iso, *wordy) if window.month <= 12 and window.day <= 31]
    known = {window.year for window in dated}
    years = [int(match[0]) for match in _YEAR.finditer(lower)]
    alone = [Window(year, 0, 0) for year in years if year not in known]
    return tuple(dict.fromkeys((*dated, *alone)))


def _is_month(match: re.Match[str]) -> bool:
    """Whether a word that may be a month is one."""
    if match["month"] not in AMBIGUOUS or match["d1"] or match["d2"] or match["year"]:
        return True
    return _MONTH_COMES.search(match.string, 0, match.start("month")) is not None


def _wordy(match: re.Match[str], today: date | None) -> Window:
    """A month in words, with its day and year where they are said: "8 May 2023", "last March"."""
    month = MONTH_NUMBERS[match["month"]]
    day = int(match["d1"] or match["d2"] or 0)
    if match["year"]:
        return Window(int(match["year"]), month, day)
    relative = _RELATIVE.search(match.string, 0, match.start("month"))
    year = _nearest_year(relative[1], month, today) if relative and today else 0
    return Window(year, month, day)


def _nearest_year(which: str, month: int, today: date) -> int:
    """The year of the last, this or next month of that number."""
    if which == "last":
        return today.year - (month >= today.month)
    return today.year + (which == "next" and month <= today.month)


def closeness(moment: datetime, window: Window) -> float:
    """How well a note's date fits a window, 0 to 1.

    1 within it (a named day: within a day), falling off after it faster than it would before: notes are
    written on the day or soon after.
    """
    if not window.month:
        return 1.0 if moment.year == window.year else 0.0
    years = (window.year,) if window.year else (moment.year - 1, moment.year, moment.year + 1)
    return max(_in_year(moment, window, year) for year in years)


def span(window: Window, year: int) -> tuple[datetime, datetime] | None:
    """From when to when notes are worth a look for a window; `year` stands in where it names none."""
    year = window.year or year
    try:
        start = datetime(year, window.month or 1, window.day or 1, tzinfo=UTC)
        end = start + timedelta(days=1 if window.day else 31 if window.month else 366)
        return start - timedelta(days=_DAY_BEFORE), end + timedelta(days=_MONTH_SPREAD)
    except (ValueError, OverflowError):
        return None


def _in_year(moment: datetime, window: Window, year: int) -> float:
    try:
        start = datetime(year, window.month, window.day or 1, tzinfo=UTC)
    except ValueError:  # 31 February
        return 0.0
    days = (moment - start) / timedelta(days=1)
    if window.day:
        if -1.0 <= days < 2.0:
            return 1.0
        return exp(-days / _DAY_AFTER) if days > 0 else exp(days / _DAY_BEFORE)
    return exp((-max(days - 31, 0.0) if days >= 0 else 2 * days) / _MONTH_SPREAD)

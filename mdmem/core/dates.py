"""Dates in a question: "in May 2023", "on 8 May", "last March", "2022" as windows of time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from math import exp
from typing import NamedTuple

_MONTH_NAMES = "january february march april may june july august september october november december".split()
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WORDY = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+)?(?P<month>{_NAMES})\b\.?"
    r"(?:\s+(?P<d2>\d{1,2})(?:st|nd|rd|th)?\b(?!\d|:))?,?(?:\s+(?:of\s+)?(?P<year>(?:19|20)\d{2}))?\b"
)
_ISO = re.compile(r"\b(?P<year>(?:19|20)\d{2})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?\b")
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
# "may" and "march" are words, too: alone they are months only where the text says so.
_AMBIGUOUS = re.compile(r"(?:\b(?:in|last|next|this|since|until|till|during|of|early|late|mid|by)\s+)$")

_DAY_AFTER, _DAY_BEFORE, _MONTH_SPREAD = 7.0, 4.0, 15.0  # days in which a near miss still counts 1/e


class Window(NamedTuple):
    """A day, month or year that was named; 0 where it was not said."""

    year: int
    month: int
    day: int


def windows(text: str, year: int = 0) -> tuple[Window, ...]:
    """The points in time that a question names; `year` stands in where a relative one is meant ("last March")."""
    lower = text.lower()
    found = [Window(int(m["year"]), int(m["month"]), int(m["day"] or 0)) for m in _ISO.finditer(lower)]
    for match in _WORDY.finditer(lower):
        day, said = match["d1"] or match["d2"], match["year"]
        before = lower[: match.start("month")]
        if match["month"] in ("may", "march") and not (day or said or _AMBIGUOUS.search(before)):
            continue
        relative = year if re.search(r"\b(?:last|this|next)\s+$", before) else 0
        found.append(Window(int(said) if said else relative, _MONTHS[match["month"]], int(day or 0)))
    years = {window.year for window in found}
    found += [Window(int(m[0]), 0, 0) for m in _YEAR.finditer(lower) if int(m[0]) not in years]
    return tuple(dict.fromkeys(window for window in found if window.month <= 12 and window.day <= 31))


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
    if window.day:
        days = (moment - start) / timedelta(days=1)
        if -1.0 <= days < 2.0:
            return 1.0
        return exp(-days / _DAY_AFTER) if days > 0 else exp(days / _DAY_BEFORE)
    end = datetime(year + window.month // 12, window.month % 12 + 1, 1, tzinfo=UTC)
    if start <= moment < end:
        return 1.0
    days = (moment - end) / timedelta(days=1) if moment >= end else 2 * ((start - moment) / timedelta(days=1))
    return exp(-days / _MONTH_SPREAD)

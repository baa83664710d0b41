"""Dates in a text: "in May 2023", "on 8 May", "last March", "2022" as windows of time; "last week" as a period."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from math import exp
from typing import NamedTuple

from mdmem.note import patterns
from mdmem.note.calendar import AMBIGUOUS, COUNTS, MONTH_NUMBERS, WEEKDAY_NAMES

_NAMES = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
_WORDY = patterns.late(
    rf"\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+)?(?P<month>{_NAMES})\b\.?"
    r"(?:\s+(?P<d2>\d{1,2})(?:st|nd|rd|th)?\b(?!\d|:))?,?(?:\s+(?:of\s+)?(?P<year>(?:19|20)\d{2}))?\b"
)
_ISO = patterns.late(r"\b(?P<year>(?:19|20)\d{2})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?\b")
_DIGIT = patterns.late(r"\d")  # no day is named without one
_YEAR = patterns.late(r"\b(?:19|20)\d{2}\b")
_MONTH_COMES = patterns.late(
    r"\b(?:in|last|next|this|since|until|till|before|after|around|during|of|early|late|mid|by|from|every)[\s-]+$"
)
_RELATIVE = patterns.late(r"\b(last|this|next)\s+$")
_NEAR = 40  # characters before a month that are searched for a word that belongs to it

_WEEKDAYS = "|".join(WEEKDAY_NAMES)
_SPOKEN = patterns.late(
    r"(?i)\b(?:(?P<day>yesterday|today|tonight|tomorrow)"
    rf"|(?P<which>last|past|previous|this|current|next)\s+(?P<unit>week|weekend|month|year|{_WEEKDAYS})"
    rf"|on\s+(?P<weekday>{_WEEKDAYS})"
    rf"|(?P<count>\d{{1,4}}|{'|'.join(COUNTS)})\s+(?P<ago>day|week|month|year)s?\s+ago)\b"
)
_SPOKEN_OF = ("day", "week", "month", "year", "tonight", "tomorrow")  # _SPOKEN never matches without one of these
_WORD = patterns.late(r"\w+")
_PREPOSITION = patterns.late(r"(?i)\b(?:in|on|at|since|until|till|by|for|from|of|before|after|during|over|to)\s+$")
_UNTIL_NOW = patterns.late(r"(?i)\bthe\s+$")  # "over the last year" is a year that ends today
_JOINTS = (".", "/", "-", "_", "@", "#")
_JOINED = patterns.late(r"[./@_-]\w|['’]s\b")  # joins what is before it and after it into one word
# within a quotation
_UNCLOSED = patterns.late(r"(?:[^\"“„«]|\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»)*+[\"“„«]")
_DAYS_FROM_TODAY = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1}

_DAY_AFTER, _DAY_BEFORE, _MONTH_SPREAD = 7.0, 4.0, 15.0  # days after which a near miss scores 1/e


class Window(NamedTuple):
    """A day, month or year named in a text; 0 for a part that is not given. There may be no such day."""

    year: int
    month: int
    day: int


class Period(NamedTuple):
    """The days from the first to the last, both included."""

    first: date
    last: date


def spoken(text: str, today: date) -> tuple[Period, ...]:
    """The periods that a text names in everyday words: yesterday, last week, this month, on Tuesday, 3 days ago.

    Weeks begin on Monday. "On Tuesday" is the last one, today included.
    """
    if not _may_speak_of_days(text):
        return ()
    found = (_period_of(match, today) for match in _SPOKEN.finditer(text))
    return tuple(dict.fromkeys(filter(None, found)))


def _may_speak_of_days(text: str) -> bool:
    """Whether a text has one of the words without which it names no period."""
    lower = text.lower()
    return any(word in lower for word in _SPOKEN_OF)


def resolved(text: str, today: date, ahead: bool = False) -> str:
    """A text with its periods in everyday words written out as dates: "yesterday" as "on 2023-05-07".

    A month is written 2023-05, a year 2023, a week by its first day. With `ahead`, "on Tuesday" is the next one.
    Words that are part of a quotation, a name or another word stay: Yesterday Lane, yesterday.py, tomorrow's.
    """

    def written_out(match: re.Match[str]) -> str:
        said, name = _meant(match, today, ahead)
        has_preposition = not said or bool(_PREPOSITION.search(match.string, 0, match.start()))
        return name if has_preposition else f"{said} {name}"

    return _SPOKEN.sub(written_out, text)


def meant(text: str, today: date) -> dict[str, str]:
    """Everyday words of a text -> the date that they mean, as in `resolved`: yesterday -> 2023-05-07."""
    matches = _SPOKEN.finditer(text) if _may_speak_of_days(text) else ()
    named = ((match[0], _meant(match, today)) for match in matches)
    return {words: name for words, (said, name) in named if said}


def _meant(match: re.Match[str], today: date, ahead: bool = False) -> tuple[str, str]:
    """The preposition and the date for a match; "" and the match itself for words that name no period."""
    period = _period_of(match, today)
    if period is None or _UNTIL_NOW.search(match.string, 0, match.start()) or _is_within_name(match):
        return "", match[0]
    if ahead and match["weekday"] and period.first < today:
        period = _one_day(period.first, 7)
    return _written_out(period, (match["unit"] or match["ago"] or "").lower())


def _is_within_name(match: re.Match[str]) -> bool:
    """Whether a match is quoted, capitalised within a sentence, or joined to another word."""
    before = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
    behind = match.string[match.end() :].partition("\n")[0]
    is_quoted = bool(_UNCLOSED.match(before)) and any(map(behind.__contains__, '"”“»'))
    is_capital = match[0][0].isupper() and before.rstrip()[-1:] not in ("", ".", "!", "?", ":")
    return is_quoted or is_capital or before.endswith(_JOINTS) or bool(_JOINED.match(behind))


def _written_out(period: Period, unit: str) -> tuple[str, str]:
    """The preposition and the date for a period."""
    if period.first == period.last:
        return "on", period.first.isoformat()
    if unit in ("month", "year"):
        return "in", period.first.isoformat()[: 7 if unit == "month" else 4]
    named = "weekend" if unit == "weekend" else "week"
    return "in" if named == "week" else "on", f"the {named} of {period.first.isoformat()}"


def unspoken(text: str) -> str:
    """A text without the words that name such periods. A weekday stays: notes name it, too."""
    return _SPOKEN.sub(lambda match: match["weekday"] or " ", text)


def period(text: str, today: date) -> Period | None:
    """The period that a text consists of: as in `spoken`, or "12 November", "last March"; else None.

    A day without a year is the last one of that name, today included.
    """
    match = _SPOKEN.fullmatch(text.strip()) or _SPOKEN.fullmatch(f"on {text.strip()}")
    if match:
        return _period_of(match, today)
    if not _WORDY.fullmatch(text.strip().lower().removeprefix("last ").removeprefix("this ")):
        return None
    (named,) = windows(text, today) or (Window(0, 0, 0),)
    if not named.day and not named.year:
        return None
    years = (named.year,) if named.year else (today.year, today.year - 1)
    days = (_days_of(named, year) for year in years)
    return next((found for found in days if found and (named.year or found.first <= today)), None)


def _period_of(match: re.Match[str], today: date) -> Period | None:
    try:
        if match["day"]:
            return _one_day(today, _DAYS_FROM_TODAY[match["day"].lower()])
        if match["weekday"]:
            back = (today.weekday() - WEEKDAY_NAMES.index(match["weekday"].lower())) % 7
            return _one_day(today, -back)
        if match["count"]:
            count = COUNTS.get(match["count"].lower()) or int(match["count"])
            return stepped(-count, match["ago"].lower(), today)
        return stepped(_STEPS[match["which"].lower()], match["unit"].lower(), today)
    except (OverflowError, ValueError):  # outside the calendar
        return None


def _one_day(today: date, days: int) -> Period:
    day = today + timedelta(days=days)
    return Period(day, day)


def stepped(step: int, unit: str, today: date) -> Period:
    """The day, week, weekend, month, year or weekday that is `step` units from today's: -1 the last, 1 the next.

    Weeks begin on Monday. Raises OverflowError or ValueError outside the calendar.
    """
    if unit == "day":
        return _one_day(today, step)
    if unit in WEEKDAY_NAMES:
        ahead = WEEKDAY_NAMES.index(unit) - today.weekday()
        if step < 0 <= ahead or ahead <= 0 < step:
            ahead += 7 * step
        return _one_day(today, ahead)
    if unit == "month":
        months = 12 * today.year + today.month - 1 + step
        return Period(_first_of_month(months), _first_of_month(months + 1) - timedelta(days=1))
    if unit == "year":
        return Period(date(today.year + step, 1, 1), date(today.year + step, 12, 31))
    monday = today + timedelta(days=7 * step - today.weekday())
    return Period(monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=6))


def _first_of_month(months: int) -> date:
    """The first day of a month; `months` counts from January of the year 0."""
    return date(months // 12, months % 12 + 1, 1)


def _days_of(window: Window, year: int) -> Period | None:
    try:
        if window.day:
            return _one_day(date(year, window.month, window.day), 0)
        return stepped(0, "month" if window.month else "year", date(year, window.month or 1, 1))
    except ValueError:  # 31 February
        return None


def days(text: str) -> list[Window]:
    """The days that a text names, with or without a year."""
    return [window for window in windows(text) if window.day] if _DIGIT.search(text) else []


def whole_days(text: str) -> list[date]:
    """The days that a text names with a year."""
    return _dated(days(text))


def _dated(named: Sequence[Window]) -> list[date]:
    """Those of the days that have a year."""
    found = (_days_of(window, window.year) for window in named if window.year)
    return [period.first for period in found if period]


def names_one_of(named: Sequence[Window], wanted: Sequence[Window], periods: Sequence[Period]) -> bool:
    """Whether one of the days that a text names is among the windows, or within the periods.

    Years are compared only if both have one.
    """
    if periods and any(first <= day <= last for day in _dated(named) for first, last in periods):
        return True
    return any(_is_same_day(one, other) for one in named for other in wanted if other.day)


def _is_same_day(one: Window, other: Window) -> bool:
    return (one.month, one.day) == (other.month, other.day) and (
        one.year == other.year or not one.year * other.year
    )


def bounds(period: Period) -> tuple[datetime, datetime]:
    """The beginning of a period, and that of the day after it (UTC)."""
    first = datetime(*period.first.timetuple()[:3], tzinfo=UTC)
    return first, first + (period.last - period.first) + timedelta(days=1)


def within(moment: datetime, period: Period) -> float:
    """How well a note's date fits a period, 0 to 1: 1 within it, and less the further away, as for a day."""
    day = moment.date()
    if day > period.last:
        return exp(-(day - period.last).days / _DAY_AFTER)
    return exp(-max((period.first - day).days, 0) / _DAY_BEFORE)


def written(wanted: Sequence[Window], periods: Sequence[Period]) -> Iterator[str]:
    """The days of windows, and of periods up to a week, as notes write them: numbers separated by spaces."""
    for window in wanted:
        if window.day:
            year = f"{window.year} " if window.year else ""
            yield f"{year}{window.month:02} {window.day:02}"
    for period in periods:
        count = (period.last - period.first).days + 1
        for days_on in range(count if count <= 7 else 0):
            yield f"{period.first + timedelta(days=days_on):%Y %m %d}"


def windows(text: str, today: date | None = None) -> tuple[Window, ...]:
    """The points in time that a text names; "last March" is relative to `today`, and any March without it."""
    from mdmem.note import segment

    lower = text.lower()
    iso, years = _numbered(lower) if "19" in lower or "20" in lower else ([], [])
    words = segment.words(lower) if lower.isascii() else _WORD.findall(lower)
    has_month = not MONTH_NUMBERS.keys().isdisjoint(words)
    wordy = [_wordy(match, today) for match in _WORDY.finditer(lower) if _is_month(match)] if has_month else []
    dated = [window for window in (*iso, *wordy) if window.month <= 12 and window.day <= 31]
    known = {window.year for window in dated}
    alone = [Window(year, 0, 0) for year in years if year not in known]
    return tuple(dict.fromkeys((*dated, *alone)))


def _numbered(text: str) -> tuple[list[Window], list[int]]:
    """The days and months that a text names in digits only, and all its years."""
    iso = [
        Window(int(match["year"]), int(match["month"]), int(match["day"] or 0)) for match in _ISO.finditer(text)
    ]
    return iso, [int(match[0]) for match in _YEAR.finditer(text)]


def _is_month(match: re.Match[str]) -> bool:
    """Whether a match that may be the name of a month is one."""
    if match["month"] not in AMBIGUOUS or match["d1"] or match["d2"] or match["year"]:
        return True
    return _before(_MONTH_COMES, match) is not None


def _before(pattern: re.Pattern[str], month: re.Match[str]) -> re.Match[str] | None:
    """What a pattern finds just before a month."""
    end = month.start("month")
    return pattern.search(month.string, max(0, end - _NEAR), end)


def _wordy(match: re.Match[str], today: date | None) -> Window:
    """A month in words, with its day and year if they are given: "8 May 2023", "last March"."""
    month = MONTH_NUMBERS[match["month"]]
    day = int(match["d1"] or match["d2"] or 0)
    if match["year"]:
        return Window(int(match["year"]), month, day)
    relative = _before(_RELATIVE, match)
    year = _nearest_year(relative[1], month, today) if relative and today else 0
    return Window(year, month, day)


def _nearest_year(which: str, month: int, today: date) -> int:
    """The year of the last, this or next month with that number."""
    if which == "last":
        return today.year - (month >= today.month)
    return today.year + (which == "next" and month <= today.month)


def closeness(moment: datetime, window: Window) -> float:
    """How well a note's date fits a window, 0 to 1.

    1 within it (for a named day: within a day). It falls off more slowly after it than before it, because notes
    are written on the day or soon after.
    """
    if not window.month:
        return 1.0 if moment.year == window.year else 0.0
    years = (window.year,) if window.year else (moment.year - 1, moment.year, moment.year + 1)
    return max(_in_year(moment, window, year) for year in years)


def span(window: Window, year: int) -> tuple[datetime, datetime] | None:
    """The range of dates in which notes may fit a window; `year` stands in if it names none.

    None if there is no such day.
    """
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

"""The days that a text names, counted from the day it was written: "tomorrow", "by Friday", "am 15. Juni".

In four languages; a day without a year is the next such day.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import cache, partial
from typing import NamedTuple

from mdmem.language.doubt import normal
from mdmem.language.lapse.tables import TABLES, DayTable
from mdmem.language.sieve import Sieve

_ISO = r"\b(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)-(?P<day>\d\d)\b"
_DIGIT = re.compile(r"\d")
_WEEK = 7
_LEAST_SHORT = 3  # letters up to which the name of a weekday may be another word: "sun", "so"


class NamedDay(NamedTuple):
    """The last day that some words can mean, and the words."""

    last: date
    words: str


def named_days(lines: Iterable[str], written: date) -> Iterator[tuple[int, NamedDay]]:
    """(position of the line, day) for every day or stretch of days that the lines name.

    Plural weekdays and the like name none.
    """
    said = list(map(normal, lines))
    text = "\n".join(said)
    likely = [*(_by_number().likely(text) if _DIGIT.search(text) else ()), *_by_name().likely(text)]
    for at, line in enumerate(said):
        for pattern, read in likely:
            for match in pattern.finditer(line):
                yield from ((at, day) for day in read(match, written))


def recurs(text: str) -> bool:
    """Whether a text is about something that recurs: every week, on Fridays, jeden Tag."""
    said = normal(text)
    return any(table.often.search(said) for table in _tables())


def _dated(match: re.Match[str], written: date, months: Mapping[str, int]) -> Iterator[NamedDay]:
    """The day of a month that a match names; the next such day if it gives no year."""
    named = match.groupdict()
    month = int(named["number"]) if named.get("number") else months[named["month"]]
    day = int(named["day"].removesuffix("er"))
    years = [int(named["year"])] if named.get("year") else [written.year, written.year + 1]
    for year in years:
        try:
            found = date(year, month, day)
        except ValueError:  # 31 February
            return
        if named.get("year") or found >= written:
            yield NamedDay(found, match[0])
            return


ReadDays = Callable[[re.Match[str], date], Iterator[NamedDay]]


class _DayReader(NamedTuple):
    """A pattern, and the function that reads the days from a match of it, given the day of writing."""

    pattern: str
    read: ReadDays


class _DayReaders:
    """Day readers behind a sieve, so that few patterns have to be tried on a text."""

    def __init__(self, readers: Iterable[_DayReader]) -> None:
        self._readers = list(readers)
        self._sieve = Sieve([reader.pattern for reader in self._readers])

    def likely(self, text: str) -> list[tuple[re.Pattern[str], ReadDays]]:
        """The patterns that may match a text, each with the function that reads days from a match."""
        return [(self._sieve.pattern(at), self._readers[at].read) for at in self._sieve.may_match(text)]


class _Days:
    """The day readers of one language: `by_number` for days of a month, `by_name` for all others."""

    def __init__(self, table: DayTable) -> None:
        self._table = table
        self._months = _numbered(table.months)
        self._weekdays = {name: at - 1 for name, at in _numbered(table.weekdays).items()}
        self._numbers = _numbered(table.numbers)
        self.often = re.compile(table.often)
        self.by_number = tuple(self._calendar())
        self.by_name = (*self._relative(), *self._of_names())

    def _pattern(self, form: str) -> str:
        for mark, names in (("month", self._months), ("unit", self._table.units), ("number", self._numbers)):
            form = form.replace(f"<{mark}>)", f"{'|'.join(sorted(names, key=len, reverse=True))})")
        return form

    def _calendar(self) -> Iterator[_DayReader]:
        for form in self._table.dated:
            yield _DayReader(self._pattern(form), partial(_dated, months=self._months))

    def _relative(self) -> Iterator[_DayReader]:
        for form, days in self._table.near.items():
            yield _DayReader(form, partial(_days_on, days=days))
        for form, days in self._table.stretches.items():
            yield _DayReader(form, partial(_days_from_monday, days=days))
        for form, months in self._table.months_on.items():
            yield _DayReader(form, partial(_months_on, months=months))

    def _of_names(self) -> Iterator[_DayReader]:
        yield _DayReader(self._pattern(self._table.counted), self._counted)
        long = [name for name in self._weekdays if len(name) > _LEAST_SHORT]
        yield _DayReader(rf"(?<!\w)(?P<weekday>{'|'.join(long)})(?!\w)", self._weekday)

    def _counted(self, match: re.Match[str], written: date) -> Iterator[NamedDay]:
        number = self._numbers.get(match["number"]) or int(match["number"])
        return _days_on(match, written, number * self._table.units[match["unit"]])

    def _weekday(self, match: re.Match[str], written: date) -> Iterator[NamedDay]:
        """The weekday after the next one: "next Friday" may be that of next week."""
        ahead = (self._weekdays[match["weekday"]] - written.weekday() - 1) % _WEEK + 1
        return _days_on(match, written, ahead + _WEEK)


def _days_on(match: re.Match[str], written: date, days: int) -> Iterator[NamedDay]:
    yield NamedDay(written + timedelta(days=days), match[0])


def _days_from_monday(match: re.Match[str], written: date, days: int) -> Iterator[NamedDay]:
    return _days_on(match, written, days - written.weekday())


def _months_on(match: re.Match[str], written: date, months: int) -> Iterator[NamedDay]:
    yield NamedDay(_month_end(written, months), match[0])


def _month_end(written: date, months: int) -> date:
    """The last day of the month that is so many months after the day of writing."""
    count = 12 * written.year + written.month + months
    return date(count // 12, count % 12 + 1, 1) - timedelta(days=1)


def _numbered(names: tuple[str, ...]) -> dict[str, int]:
    """Each name in a row -> its number, from 1 on."""
    return {name: number for number, forms in enumerate(names, 1) for name in forms.split("/")}


@cache
def _by_number() -> _DayReaders:
    """The readers of days of a month in all languages; each of their matches has a digit."""
    of_languages = (reader for table in _tables() for reader in table.by_number)
    return _DayReaders([_DayReader(_ISO, partial(_dated, months={})), *of_languages])


@cache
def _by_name() -> _DayReaders:
    """The readers of all other days in all languages."""
    return _DayReaders(reader for table in _tables() for reader in table.by_name)


@cache
def _tables() -> tuple[_Days, ...]:
    return tuple(_Days(table) for table in TABLES)

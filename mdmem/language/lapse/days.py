"""The days that a text names, counted from the day it was written: "tomorrow", "by Friday", "am 15. Juni".

In four languages; a day without a year is the next such day. The words are in `data/days.tsv`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from functools import cache, partial
from typing import NamedTuple

from mdmem.language.doubt import normal
from mdmem.note import dates, tsv
from mdmem.note.calendar import WEEKDAY_NAMES
from mdmem.note.dates import Period
from mdmem.note.patterns import late

_WEEK = timedelta(days=7)
_NEAR = timedelta(days=183)  # a day of a month without a year may be the last one, if the next one is further away
_LEAST_SHORT = 3  # letters up to which the name of a weekday may be another word: "sun", "so"
_UNITS = {1: "day", 7: "week", 31: "month", 366: "year"}  # at most so many days -> the unit

ReadDay = Callable[
    [re.Match[str], date], "NamedDay"
]  # raises ValueError, OverflowError for no day of the calendar
Table = Mapping[str, list[tuple[str, str, str]]]  # kind -> (value, needs, pattern or words) of rows of a language


class NamedDay(NamedTuple):
    """The last day that some words can mean, where they stand, and the days that they most likely mean.

    `is_clear` is false where these could well be others: "on Friday" may be the last or the next one.
    `is_relative` is true for words that count from the day of writing.
    """

    last: date
    match: re.Match[str]
    meant: Period
    is_clear: bool = True
    is_relative: bool = True


def named_days(lines: Iterable[str], written: date) -> Iterator[tuple[int, NamedDay]]:
    """(position of the line, day) for every day or stretch of days that the lines name.

    Plural weekdays and the like name none.
    """
    said = list(map(normal, lines))
    whole = "\n".join(said)
    found = {need for needs, *_ in _readers() for need in needs if need in whole}
    likely = [(pattern, read) for needs, pattern, read in _readers() if not found.isdisjoint(needs)]
    for at, line in enumerate(said):
        for pattern, read in likely:
            for match in pattern.finditer(line):
                with suppress(ValueError, OverflowError):
                    yield at, read(match, written)


def last_day(text: str, written: date) -> date | None:
    """The last day that a text names from the day of writing on; None if there is none, or for what recurs."""
    last = max((day.last for _, day in named_days(text.split("\n"), written)), default=None)
    return last if last and last >= written and not recurs(text) else None


def timing(text: str, written: date, is_task: bool) -> dict[str, str]:
    """When a text is about, if it names exactly one day or stretch of days, and that is clear; else nothing.

    `due` is the last one of days to come. For a task "on Friday" is the next one, and this week is to come, too.
    `valid_from` is the first one of past days that are counted from the day of writing: "last month".
    """
    named = _widest(text, written)
    if recurs(text) or len({day.meant for day in named}) != 1:
        return {}
    last, match, meant, is_clear, is_relative = named[0]
    is_sure = is_clear and (is_relative or str(last.year) in match[0] or not told(text))
    if (meant.first > written and is_sure) or (is_task and meant.last >= written):
        return {"due": meant.last.isoformat()}
    is_past = is_relative and is_clear and meant.last < written
    ended = pattern_of("limit").search(match.string[: match.start()])
    return {"valid_from": meant.first.isoformat()} if is_past and not ended else {}


def _widest(text: str, written: date) -> list[NamedDay]:
    """The days that a text names, without those whose words are a part of others: Friday in "next Friday"."""
    found = [(*day.match.span(), day) for _, day in named_days([text], written)]
    return [
        day
        for start, end, day in found
        if not any(first <= start and end <= last and (first, last) != (start, end) for first, last, _ in found)
    ]


def recurs(text: str) -> bool:
    """Whether a text is about something that recurs: every week, on Fridays, jeden Tag."""
    return bool(pattern_of("often").search(normal(text)))


def told(text: str) -> bool:
    """Whether a text tells what was said, done or begun: a day beside that is seldom ahead."""
    return bool(pattern_of("told").search(normal(text)))


def begins_a_task(text: str) -> bool:
    """Whether a text begins as notes of tasks do: "Next: ...", "TODO ...", "[ ] ...", "Rappelle-moi ..."."""
    label, opening = pattern_of("label").pattern, pattern_of("opening").pattern
    mark = rf"\s*(?:[-*+•>] *)?[*_]*(?:(?i:{label})[*_ ]*(?::|[-–—] )|{opening})"
    return bool(re.match(mark, text.replace("’", "'")))


@cache
def pattern_of(kind: str) -> re.Pattern[str]:
    """The pattern, in any of the languages, of the rows of a kind in the table."""
    return re.compile("|".join(f"(?:{form})" for table in _tables().values() for *_, form in table[kind]))


@cache
def _tables() -> Mapping[str, Table]:
    """Language -> its rows."""
    found: dict[str, dict[str, list[tuple[str, str, str]]]] = defaultdict(lambda: defaultdict(list))
    for language, kind, value, needs, words in tsv.rows(__file__, "days.tsv", 5):
        found[language][kind].append((value, needs, words))
    return found


class _Days:
    """How one language names days."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._names = {  # kind -> name -> its number from 0 on, or the days of a unit
            mark: {name: at for at, forms in enumerate(names.split()) for name in forms.split("/")}
            for mark in ("weekday", "month", "number")
            for *_, names in table[f"{mark}s"]
        }
        self._names["unit"] = {name: int(days) for days, _, names in table["units"] for name in names.split()}

    def readers(self) -> Iterator[tuple[list[str], re.Pattern[str], ReadDay]]:
        """(texts, pattern, function that reads the day of a match, given the day of writing).

        Each match contains at least one of the texts.
        """
        for kind in "dated day week weekend month year named alone counted".split():
            for step, needs, pattern in self._table[kind]:
                form, texts = pattern, needs
                for mark, names in self._names.items():
                    long = [name for name in names if kind != "alone" or len(name) > _LEAST_SHORT]
                    either = "|".join(sorted(long, key=len, reverse=True))
                    form = form.replace(f"<{mark}>)", f"{either})")
                    texts = texts.replace(f"<{mark}>", either)
                read = partial(self._stepped, step=int(step), unit=kind) if step else self._dated
                yield texts.split("|"), late(form), read

    def _dated(self, match: re.Match[str], written: date) -> NamedDay:
        """The day of a month; the next such day if there is no year."""
        named = match.groupdict()
        month = int(named.get("number") or self._names["month"].get(named.get("month", ""), 0) + 1)
        day, year = int(named["day"].removesuffix("er")), named.get("year")
        found = date(int(year or written.year), month, day)
        if not year and found < written:
            found = date(written.year + 1, month, day)
        is_clear = bool(year) or found - written < _NEAR
        return NamedDay(found, match, Period(found, found), is_clear, is_relative=False)

    def _stepped(self, match: re.Match[str], written: date, step: int, unit: str) -> NamedDay:
        """So many units after the day of writing; a weekday alone may also be the one after the next."""
        is_clear = unit != "alone"
        if unit in ("alone", "named"):
            unit = WEEKDAY_NAMES[self._names["weekday"][match["weekday"]]]
        if unit == "counted":
            number = match["number"]
            step *= int(number) if number.isdigit() else self._names["number"][number] + 1
            days = self._names["unit"][match["unit"]]
            step, unit = (step * days, "day") if step > 0 else (step, _UNITS[days])
        found = dates.stepped(step, unit, written)
        return NamedDay(found.last if is_clear else found.last + _WEEK, match, found, is_clear)


@cache
def _readers() -> tuple[tuple[list[str], re.Pattern[str], ReadDay], ...]:
    return tuple(reader for table in _tables().values() for reader in _Days(table).readers())

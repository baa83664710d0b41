"""Numbers, durations and times of day by what they mean: "fifty-two" is 52, "half an hour" is 30 minutes.

Words are as `reading.plain` returns them. Times of day are on a twelve-hour clock: "half past four" is also 16:30.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from mdmem.language.alignment.tables import (
    ABBREVIATIONS,
    DAY_PARTS,
    MEASURES,
    MIDNIGHT,
    SECONDS,
    SYMBOLS,
    TONGUES,
    Tongue,
)

_PLAIN = re.compile(r"\d+(?:[.,]\d+)?")
_GROUPED = re.compile(r"\d{1,3}(?:[,.]\d{3})+")
_CLOCK = re.compile(r"(\d{1,2})[:h](\d\d)")
_DOTTED_CLOCK = re.compile(r"([01]?\d|2[0-4])\.([0-5]\d)")
_MINUTES = re.compile(r"[0-5]\d")
_HALF_DAY = 12
_NOON = frozenset("am pm a.m p.m uhr oclock clock h heures heure".split())
_ARTICLES = frozenset("a an of de d une un et y and e the".split())
_TO, _PAST = frozenset("to vor menos moins".split()), frozenset("past nach y et".split())
_MOST_HOURS, _MONTHS = 24, 12
_JOINING = frozenset("y et and".split())  # in treinta y dos
_TEN, _TWENTY, _HUNDRED, _THOUSAND = 10, 20, 100, 1000


class Quantity(NamedTuple):
    """A number with its unit: how many words of the text it takes, its root, and the number without its unit.

    `root` is "52", "1800s" or, for a time of day, "@4:30"; `kind` is "number" or "time".
    """

    length: int
    root: str
    kind: str
    bare: str


class _Counted(NamedTuple):
    """A number, and how many words of the text it takes."""

    value: float
    length: int


def quantity(words: Sequence[str], at: int, tongue: str) -> Quantity | None:
    """The quantity that begins at a word; None if none does."""
    if not _may_begin(words[at], tongue):
        return None
    table = TONGUES[tongue]
    return (
        _clock(words, at, table)
        or _span(words, at, table)
        or _measure(words, at, table)
        or _bare(words, at, table)
    )


@lru_cache(1 << 14)
def _may_begin(word: str, tongue: str) -> bool:
    table = TONGUES[tongue]
    known = word in table.numbers or word in table.fractions or word in table.clock or word in MIDNIGHT
    return known or word[0].isdigit() or bool(_unit((word,), 0))


def _number(words: Sequence[str], at: int, table: Tongue) -> _Counted | None:
    """The number that begins at a word: digits, or words such as forty-four thousand."""
    if at >= len(words):
        return None
    digits = _digits(words[at])
    if digits is not None:
        return _Counted(digits * _THOUSAND, 2) if _is_in_thousands(words, at) else _Counted(digits, 1)
    values: list[int] = []
    end = at
    while end < len(words):
        joined = end + (bool(values) and values[-1] >= _TWENTY and words[end] in _JOINING)
        value = table.numbers.get(words[joined]) if joined < len(words) else None
        if value is None or (values and not _may_follow(values[-1], value)):
            break
        values.append(value)
        end = joined + 1
    return _Counted(_composed(values), end - at) if values else None


def _may_follow(before: int, value: int) -> bool:
    """Whether two number words make one number: forty-four, six hundred, not three four."""
    return value >= _HUNDRED or before >= _HUNDRED or (before >= _TWENTY and value < _TEN)


def _composed(values: Sequence[int]) -> float:
    """Forty, four, thousand as 44,000."""
    total = part = 0
    for value in values:
        part = max(part, 1) * value if value >= _HUNDRED else part + value
        if value >= _THOUSAND:
            total, part = total + part, 0
    return float(total + part)


def _is_in_thousands(words: Sequence[str], at: int) -> bool:
    return words[at + 1 : at + 2] == ["k"]


def _digits(word: str) -> float | None:
    if _GROUPED.fullmatch(word):
        return float(re.sub(r"[.,]", "", word))
    return float(word.replace(",", ".")) if _PLAIN.fullmatch(word) else None


def _unit(words: Sequence[str], at: int) -> float:
    """The seconds of the unit of time at a place; 0 if there is none."""
    if at >= len(words):
        return 0
    return SECONDS.get(ABBREVIATIONS.get(words[at], words[at]), 0)


def _symbol(words: Sequence[str], at: int) -> float:
    """The seconds of a symbol for a unit of time right after a number (48 h, 500 ms); 0 if there is none."""
    return SYMBOLS.get(ABBREVIATIONS.get(words[at], words[at]), 0.0) if at < len(words) else 0.0


def _skip(words: Sequence[str], at: int) -> int:
    while at < len(words) and words[at] in _ARTICLES:
        at += 1
    return at


def _span(words: Sequence[str], at: int, table: Tongue) -> Quantity | None:
    """Half an hour, a quarter of an hour, 25 minutes, a month and a half, one and a half cups."""
    if words[at] in table.fractions:
        end = _skip(words, at + 1)
        seconds = _unit(words, end)
        return _of_seconds(end + 1 - at, table.fractions[words[at]] * seconds) if seconds else None
    counted = _number(words, at, table)
    value, end = (counted.value, at + counted.length) if counted else (1.0, at)
    more, behind = _and_a_half(words, end, table) if counted else (0.0, end)
    if more and not _unit(words, behind):
        return Quantity(behind - at, _written(value + more), "number", _written(value + more))
    seconds = _unit(words, behind) or (_symbol(words, behind) if counted else 0.0)
    if not seconds:
        return None
    later, end = _and_a_half(words, behind + 1, table)
    if not (counted or later):
        return None  # "the hour" is not one hour
    return _of_seconds(end - at, (value + more + later) * seconds)._replace(bare=_written(value + more + later))


def _and_a_half(words: Sequence[str], at: int, table: Tongue) -> tuple[float, int]:
    """(what "and a half" at that place adds, where it ends); (0, at) if there is no such phrase."""
    end = _skip(words, at)
    if not at < end < len(words) or words[end] not in table.fractions:
        return 0.0, at
    return table.fractions[words[end]], end + 1


def _of_seconds(length: int, seconds: float) -> Quantity:
    years = seconds / (_MONTHS * SECONDS["month"])
    if years and not years % 1:  # twelve months of thirty days
        seconds = years * SECONDS["year"]
    return Quantity(length, f"{_written(seconds)}s", "number", "")


def _bare(words: Sequence[str], at: int, table: Tongue) -> Quantity | None:
    """A number without a unit, by its digits: room 007 is not room 7, nor version 3.10 version 3.1."""
    is_plain = _PLAIN.fullmatch(words[at]) and not _GROUPED.fullmatch(words[at])
    if is_plain and not _is_in_thousands(words, at):
        digits = words[at].replace(",", ".")
        return Quantity(1, digits, "number", digits)
    if words[at] in table.numbers or _digits(words[at]) is not None:
        counted = _number(words, at, table)
        if counted:
            return Quantity(counted.length, _written(counted.value), "number", _written(counted.value))
    return Quantity(1, words[at], "number", words[at]) if words[at][0].isdigit() else None


def _clock(words: Sequence[str], at: int, table: Tongue) -> Quantity | None:
    """7:30, 7.30 Uhr, at five, um elf Uhr, a las siete y media, half past four, halb funf, midnight."""
    if words[at] in MIDNIGHT:
        return _time(0, 0, 1)
    found = _CLOCK.fullmatch(words[at])
    if found:
        return _time(int(found[1]), int(found[2]), 1 + _is_at(words, at + 1, _NOON))
    dotted = _DOTTED_CLOCK.fullmatch(words[at])
    if dotted and _is_at(words, at + 1, _NOON):
        return _time(int(dotted[1]), int(dotted[2]), 2)
    return _half_past(words, at, table) or _led_clock(words, at, table) or _marked(words, at, table)


def _half_past(words: Sequence[str], at: int, table: Tongue) -> Quantity | None:
    """Half past four, quarter to five; halb funf is half an hour before five."""
    share = table.fractions.get(words[at])
    if words[at] == "halb":
        hour = _number(words, at + 1, table)
        return _time(int(hour.value) - 1, 30, 1 + hour.length) if hour and hour.value <= _HALF_DAY else None
    if not share or at + 2 >= len(words) or words[at + 1] not in _TO | _PAST:
        return None
    hour = _number(words, at + 2, table)
    if not hour or hour.value > _MOST_HOURS:
        return None
    minutes = int(60 * share)
    is_before = words[at + 1] in _TO
    return _time(int(hour.value) - is_before, 60 - minutes if is_before else minutes, 2 + hour.length)


def _led_clock(words: Sequence[str], at: int, table: Tongue) -> Quantity | None:
    """A time of day after `at`, `um` or `las`: a clock time, or a number that counts nothing."""
    if words[at] not in table.clock:
        return None
    inner = _clock(words, at + 1, table) if at + 1 < len(words) and words[at + 1] not in table.clock else None
    if inner:
        return inner._replace(length=inner.length + 1)
    return _led_dotted(words, at + 1) or _led_hour(words, at, table)


def _led_dotted(words: Sequence[str], at: int) -> Quantity | None:
    """14.30 after such a word, which counts as part of it."""
    dotted = _DOTTED_CLOCK.fullmatch(words[at]) if at < len(words) and _ends(words, at + 1) else None
    return _time(int(dotted[1]), int(dotted[2]), 2) if dotted else None


def _led_hour(words: Sequence[str], at: int, table: Tongue) -> Quantity | None:
    """At five, a las siete y media: a whole hour after such a word, and the fraction that may follow."""
    hour = _number(words, at + 1, table)
    if not hour or not 1 <= hour.value <= _MOST_HOURS or hour.value % 1:
        return None
    end = at + 1 + hour.length
    has_noon = _is_at(words, end, _NOON)
    if not has_noon and not _ends(words, end):
        return None
    end += has_noon
    joined, share = end, 0.0
    if _is_at(words, end, _PAST | _TO) and end + 1 < len(words):
        share = table.fractions.get(words[end + 1], 0.0) * (-1 if words[end] in _TO else 1)
        joined = end + 2 if share else end
    minutes = int(hour.value) * 60 + int(60 * share)
    return _time(minutes // 60, minutes % 60, joined - at)


_BEHIND_TIME = frozenset("on every in with for and o sharp the at am a de des du y et und para mit jeden".split())


def _ends(words: Sequence[str], at: int) -> bool:
    """Whether the word at a place, if any, cannot be something that the number before it counts."""
    return at >= len(words) or not words[at][0].isalnum() or words[at] in _BEHIND_TIME


def _marked(words: Sequence[str], at: int, table: Tongue) -> Quantity | None:
    """5 pm, elf Uhr, six in the evening."""
    hour = _number(words, at, table)
    if not hour or hour.value > _MOST_HOURS or hour.value % 1:
        return None
    end = at + hour.length
    has_noon = _is_at(words, end, _NOON)
    may_be_span = has_noon and ABBREVIATIONS.get(words[end]) == "hour"  # cinq heures
    end += has_noon
    minutes = _minutes(words, end) if has_noon else None
    if minutes is not None:
        return _time(int(hour.value), minutes, end + 1 - at)
    part = _day_part(words, end)
    is_time = part > 0 or (has_noon and not may_be_span)
    return _time(int(hour.value), 0, end + part - at) if is_time else None


def _minutes(words: Sequence[str], at: int) -> int | None:
    """The minutes that follow the hour: 17 Uhr 30, 18 h 05."""
    if at < len(words) and _MINUTES.fullmatch(words[at]) and _ends(words, at + 1):
        return int(words[at])
    return None


def _day_part(words: Sequence[str], at: int) -> int:
    """How many words from there on name a part of the day: in the evening, du soir; 0 if none do."""
    return next((len(part) for part in DAY_PARTS if tuple(words[at : at + len(part)]) == part), 0)


def _measure(words: Sequence[str], at: int, table: Tongue) -> Quantity | None:
    """2 kg, 2000 g, half a litre."""
    is_fraction = words[at] in table.fractions
    counted = _fraction(words, at, table) if is_fraction else _number(words, at, table)
    unit_at = at + counted.length if counted else len(words)
    if counted is None or unit_at >= len(words):
        return None
    base, count = MEASURES.get(ABBREVIATIONS.get(words[unit_at], words[unit_at]), ("", 0.0))
    if not base:
        return None
    return Quantity(
        unit_at + 1 - at, f"{_written(counted.value * count)}{base}", "number", _written(counted.value)
    )


def _fraction(words: Sequence[str], at: int, table: Tongue) -> _Counted:
    """Half a, eine halbe: a fraction with the article that follows it."""
    return _Counted(table.fractions[words[at]], _skip(words, at + 1) - at)


def _is_at(words: Sequence[str], at: int, known: frozenset[str]) -> bool:
    return at < len(words) and words[at] in known


def _time(hour: int, minute: int, length: int) -> Quantity:
    return Quantity(length, f"@{hour % _HALF_DAY}:{minute:02}", "time", str(hour))


def _written(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.9f}".rstrip("0")

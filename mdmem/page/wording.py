"""Dates in the words of the reader's language."""

from __future__ import annotations

from datetime import datetime

from mdmem.note import moments

ENGLISH, GERMAN = LANGUAGES = ("en", "de")
_MONTHS = {
    ENGLISH: "January February March April May June July August September October November December".split(),
    GERMAN: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
}
_DAYS = {
    ENGLISH: "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    GERMAN: "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
}


def language_of(accepted: str) -> str:
    """The preferred language of an Accept-Language header (RFC 9110, 12.5.4) among LANGUAGES, else English."""
    weighed = [_weighed(part) for part in accepted.lower().split(",")]
    wanted = [name for weight, name in sorted(weighed, key=lambda item: -item[0]) if weight > 0]
    return next((name for name in wanted if name in LANGUAGES), ENGLISH)


def _weighed(part: str) -> tuple[float, str]:
    """(weight, language) of one part of the header, `de-AT;q=0.8`."""
    name, _, parameter = part.strip().partition(";")
    weight = parameter.strip().removeprefix("q=") or "1"
    return (float(weight) if weight.replace(".", "", 1).isdigit() else 0.0), name.partition("-")[0]


def day(moment: datetime, language: str) -> str:
    """`1 March 2026`, `1. März 2026`."""
    month = _MONTHS[language][moment.month - 1]
    return f"{moment.day}{'.' if language == GERMAN else ''} {month} {moment.year}"


def weekday(moment: datetime, language: str) -> str:
    """`Sunday, 1 March 2026`."""
    return f"{_DAYS[language][moment.weekday()]}, {day(moment, language)}"


def time(moment: datetime, language: str) -> str:
    """`1 March 2026, 14:05`, in UTC like all times of a vault."""
    return f"{day(moment, language)}, {clock(moment, language)}"


def brief(moment: datetime, language: str) -> str:
    """`1 Mar 14:05`, for what is not long ago."""
    return f"{day(moment, language).rpartition(' ')[0][:6].rstrip()} {moment:%H:%M}"


def clock(moment: datetime, language: str) -> str:
    """`14:05`, `14:05 Uhr`."""
    return f"{moment:%H:%M}" + (" Uhr" if language == GERMAN else "")


def read(text: str) -> datetime | None:
    """The point in time that a text gives, None if it is not one."""
    return moments.parse(text)

"""Points in time: read in every form that people and tools write, stored as RFC 3339 UTC to the second."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

from mdmem.errors import UsageError
from mdmem.note import patterns

_FORM = patterns.late(
    r"(?i)^\s*(\d{4})-(\d{2})(?:-(\d{2}))?"
    r"(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?\s*$"
)
_YEAR = patterns.late(r"\s*(\d{4})\s*")
PINNED = "MDMEM_NOW"  # the environment variable that pins the time, for scripts with reproducible output
_AGO = patterns.late(r"(?i)^\s*(\d+)\s*(s|sec|min|m|h|hours?|d|days?|w|weeks?|months?|y|years?)(?:\s+ago)?\s*$")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400, "month": 30 * 86400, "y": 365 * 86400}


def parse(value: object) -> datetime | None:
    """An aware UTC datetime, or None if `value` is not a point in time.

    Reads RFC 3339, `YYYY-MM[-DD]`, `YYYY-MM-DD HH:MM[:SS]` (no zone means UTC) and Unix time
    (a number from 1e11 on is milliseconds, below it seconds).
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _from_unix(value)
    text = str(value)
    if len(text) == 20 and text[4::3] == "--T::Z":  # as `render` writes it: 2026-02-08T14:05:00Z
        with suppress(ValueError):
            return datetime.fromisoformat(text)
    match = _FORM.match(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, zone = match.groups()
    offset = zone if zone and zone[0] in "+-" else "Z"
    text = f"{year}-{month}-{day or '01'}T{hour or '':0>2}:{minute or '00'}:{second or '00'}{offset}"
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(text).astimezone(UTC)
    return None


def render(moment: datetime) -> str:
    """RFC 3339 in UTC, to the second: `2026-02-08T14:05:00Z`. A naive datetime is taken as UTC."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def normal(value: object) -> str:
    """`value` as `render` would write it, or "" if it is not a point in time."""
    moment = parse(value)
    return render(moment) if moment else ""


def pinned(text: str) -> datetime:
    """The time that PINNED is set to. Raises UsageError if `text` is not a date from 1970 or later."""
    moment = parse(text)
    if moment is None or moment.year < 1970:
        raise UsageError(
            f"{PINNED} is not a date from 1970 or later: {text}", "write it like 2026-02-08T14:05:00Z"
        )
    return moment


def since(text: str, now: datetime) -> datetime:
    """The point in time that a text names: `2026-03-01`, `2026-03-01T12:00Z`, or an age before `now` (`2h`, `3d`).

    A period in words (`yesterday`, `last monday`) stands for its beginning. Raises UsageError.
    """
    from mdmem.note import dates

    match = _AGO.match(text)
    if match:
        unit = match[2].lower().rstrip("s") or "s"
        unit = {"sec": "s", "min": "m", "month": "month"}.get(unit, unit[0])
        try:
            return now - timedelta(seconds=int(match[1]) * _SECONDS[unit])
        except OverflowError:
            raise UsageError(f"'{text}' is too far in the past: dates begin in the year 1") from None
    moment = start(text)
    if moment is None and (period := dates.period(text, now.date())):
        moment = parse(period.first)
    if moment is None:
        examples = "write 2026-03-01, 2026-03-01T12:00Z, 2h, 3d, yesterday or last monday"
        raise UsageError(f"'{text}' is not a date or an age", examples)
    return moment


def dated(text: str, now: datetime) -> str:
    """A period in words (`yesterday`, `last week`) as its last day (`2026-02-28`); any other text unchanged."""
    from mdmem.note import dates

    period = dates.period(text, now.date())
    return period.last.isoformat() if period else text


def of_seconds(seconds: float) -> str:
    """Unix seconds as RFC 3339, with milli- or microseconds if there are any; beyond the calendar its last day."""
    whole, micros = divmod(round(seconds * 1_000_000), 1_000_000)
    text = render(_from_unix(whole) or datetime.max.replace(tzinfo=UTC))
    return f"{text[:-1]}.{f'{micros:06}'.removesuffix('000')}Z" if micros else text


def start(text: str) -> datetime | None:
    """The first second of the year, month or day that `text` names, or the point in time itself; else None."""
    year = _YEAR.fullmatch(text)
    return parse(f"{year[1]}-01-01" if year else text)


def end(text: str) -> datetime | None:
    """The last second of the year, month or day that `text` names, or the point in time itself; else None."""
    first = start(text)
    if first is None or ":" in text:
        return first
    parts = text.strip().count("-") + 1
    try:
        if parts == 3:
            following = first + timedelta(days=1)
        else:
            months = first.month + (12 if parts == 1 else 1) - 1
            following = first.replace(year=first.year + months // 12, month=months % 12 + 1)
    except (OverflowError, ValueError):  # it is the last one of the calendar
        return datetime.max.replace(tzinfo=UTC, microsecond=0)
    return following - timedelta(seconds=1)


def _from_unix(number: float) -> datetime | None:
    seconds = number / 1000 if abs(number) >= 1e11 else number
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None

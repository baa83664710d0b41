"""What time does to a memory: its salience when it is read (never written back), and whether its day is over.

Exponential: max(floor, s * 2^(-t/h)). Linear: max(floor, s - (t/h) * s), which reaches the floor after one
half-life. Any other curve is taken as exponential. Past `max_age_seconds` salience is 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from mdmem.note.memory import as_flag, as_number
from mdmem.text import dates, moments

DUE = ("due", "due_date", "deadline", "until", "valid_until", "expires", "expires_at")  # properties of tasks
RECURRING = re.compile(r"\b(?:every|each|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|recurr\w+)\b", re.I)


def is_over(properties: Mapping[str, Any], text: str, created: str, today: date) -> bool:
    """Whether the day is past by which a task was to be done.

    That day is what a property of DUE says, or else the last one that `text` names with its year; one before the
    task was `created` (RFC 3339) is history. A task without such a day, or one that recurs, is never over.
    """
    for key in DUE:
        due = moments.parse(properties.get(key))
        if due is not None:
            return due.date() < today
    named = max(dates.whole_days(text), default=None)
    if named is None or RECURRING.search(text):
        return False
    return created[:10] <= named.isoformat() < today.isoformat()


def effective(properties: Mapping[str, Any], created: str, now: datetime) -> float | None:
    """Salience at `now` (0 up), or None for a memory that has none.

    `properties` are those of the note; time runs from `last_reinforced_at`, else from `created` (RFC 3339).
    """
    salience = as_number(properties.get("salience"))
    if salience is None:
        return None
    profile = properties.get("decay")
    if as_flag(properties.get("pinned")) or not isinstance(profile, Mapping):
        return salience
    start = moments.parse(properties.get("last_reinforced_at")) or moments.parse(created)
    seconds = max((now - start).total_seconds(), 0.0) if start else 0.0
    return decayed(salience, seconds, profile)


def decayed(salience: float, seconds: float, profile: Mapping[str, Any]) -> float:
    """Salience after `seconds` by a decay profile: curve, half_life_seconds, min_salience, max_age_seconds."""
    floor = as_number(profile.get("min_salience")) or 0.0
    half_life = as_number(profile.get("half_life_seconds")) or 0.0
    oldest = as_number(profile.get("max_age_seconds"))
    if oldest is not None and seconds >= oldest:
        return 0.0
    if half_life <= 0:
        return max(salience, floor)
    if profile.get("curve") == "linear":
        return max(floor, salience - seconds / half_life * salience)
    return float(max(floor, salience * 2.0 ** (-seconds / half_life)))

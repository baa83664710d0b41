"""How present a memory still is: effective salience, worked out when it is read and never written back (D10-D15).

Exponential: max(floor, s * 2^(-t/h)). Linear: max(floor, s - (t/h) * s), which reaches the floor after one
half-life. Any other curve is taken as exponential. Past `max_age_seconds` salience is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from mdmem.note.memory import as_flag, as_number
from mdmem.text import moments


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

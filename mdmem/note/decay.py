"""Decay of memories: their salience at reading time (never written back), and the day of a task.

Exponential: max(floor, s * 2^(-t/h)). Linear: max(floor, s - (t/h) * s), which reaches the floor after one
half-life. Any other curve counts as exponential. From `max_age_seconds` on, salience is 0 whatever the floor.

Salience is written only when something happens to a memory, together with the moment from which it decays: the
later of `last_reinforced_at` and `decay_anchor`. Its age runs from the reinforcement alone.
"""

from collections.abc import Mapping
from datetime import date, datetime
from math import isfinite
from typing import Any

from mdmem.errors import UsageError
from mdmem.note import moments
from mdmem.note.memory import as_flag, as_number, as_text

DUE = "due due_date deadline until valid_until expires expires_at".split()  # properties of tasks
CURVES = ("exponential", "linear")
SALIENCE = 1.0  # of a memory without that property
FULL = 1.0  # reinforcements raise salience up to this
GAIN = 0.1  # of a reinforcement, if the memory's profile has none
FADED = 0.001  # a memory with less salience has faded

_PRECISION, _DIGITS = 1e-6, 6  # of salience as it is written


def due(properties: Mapping[str, Any]) -> tuple[str, date] | None:
    """The first property in DUE that is a date, and that day; None if none is."""
    days = ((key, moments.parse(properties.get(key))) for key in DUE)
    return next(((key, moment.date()) for key, moment in days if moment), None)


def effective(properties: Mapping[str, Any], created: str, now: datetime) -> float | None:
    """The salience at `now` (0 or more), or None for a memory that has none.

    `properties` are those of the note; `created` (RFC 3339) stands in for a missing `last_reinforced_at`.
    """
    salience = as_number(properties.get("salience"))
    if salience is None:
        return None
    profile = properties.get("decay")
    if as_flag(properties.get("pinned")) or not isinstance(profile, Mapping):
        return salience
    reinforced = moments.parse(properties.get("last_reinforced_at")) or moments.parse(created)
    if _is_too_old(profile, _seconds(reinforced, now)):
        return 0.0
    starts = [start for start in (reinforced, moments.parse(properties.get("decay_anchor"))) if start]
    return decayed(salience, _seconds(max(starts, default=None), now), {**profile, "max_age_seconds": None})


def standing(properties: Mapping[str, Any], created: str, now: datetime) -> float:
    """The effective salience (0 or more); a memory without a written one starts from SALIENCE."""
    salience = as_number(properties.get("salience"))
    known = {**properties, "salience": SALIENCE if salience is None else salience}
    return effective(known, created, now) or 0.0


def decayed(salience: float, seconds: float, profile: Mapping[str, Any]) -> float:
    """Salience after `seconds` under a profile: curve, half_life_seconds, min_salience, max_age_seconds.

    A salience that is not a finite number becomes the floor.
    """
    floor = _floor(profile)
    half_life = as_number(profile.get("half_life_seconds")) or 0.0
    if not isfinite(salience):
        return floor
    if _is_too_old(profile, seconds):
        return 0.0
    if half_life <= 0:
        return max(salience, floor)
    if profile.get("curve") == "linear":
        return max(floor, salience - seconds / half_life * salience)
    return float(max(floor, salience * 2.0 ** (-seconds / half_life)))


def reinforced(properties: Mapping[str, Any], created: str, now: datetime, gain: float) -> dict[str, Any]:
    """The properties to set to reinforce a memory by `gain`: its salience rises up to FULL and never falls.

    Raises UsageError for a gain that is negative or not finite.
    """
    _require_amount(gain, "added to")
    salience = standing(properties, created, now)
    raised = max(salience, min(FULL, salience + gain))
    return {"salience": _written(raised), "last_reinforced_at": moments.render(now), "decay_anchor": None}


def penalized(properties: Mapping[str, Any], created: str, now: datetime, amount: float) -> dict[str, Any]:
    """The properties to set to take `amount` off the salience of a memory, down to its floor.

    The new salience decays from `now`; `last_reinforced_at` is unchanged. Raises UsageError for an amount that is
    negative or not finite.
    """
    _require_amount(amount, "taken from")
    lowered = max(_floor(properties.get("decay")), standing(properties, created, now) - amount)
    return {"salience": _written(lowered), "decay_anchor": moments.render(now)}


def _require_amount(amount: float, done: str) -> None:
    if not (isfinite(amount) and amount >= 0):
        raise UsageError(f"{amount} cannot be {done} salience", "give a number from 0 up, such as 0.2")


def pinned(properties: Mapping[str, Any], created: str, now: datetime, *, on: bool) -> dict[str, Any]:
    """The properties to set to pin a memory or, with `on` False, to unpin it.

    Either way it keeps the salience that it has at `now`: a pinned memory does not decay.
    """
    changes: dict[str, Any] = {"pinned": True if on else None}
    salience = effective(properties, created, now)
    if salience is not None:
        changes |= {"salience": _written(salience), "decay_anchor": moments.render(now)}
    return changes


def gain_of(properties: Mapping[str, Any]) -> float:
    """The salience (0 or more) that a reinforcement adds: the profile's `reinforcement_gain`, else GAIN."""
    profile = properties.get("decay")
    gain = as_number(profile.get("reinforcement_gain")) if isinstance(profile, Mapping) else None
    return GAIN if gain is None else max(gain, 0.0)


def may_be_pruned(properties: Mapping[str, Any]) -> bool:
    """Whether policy lets a faded memory be pruned: it says auto_prune, can decay, and is not pinned."""
    is_automatic = properties.get("deletion_policy") == "auto_prune"
    return is_automatic and isinstance(properties.get("decay"), Mapping) and not as_flag(properties.get("pinned"))


def is_spent(properties: Mapping[str, Any], created: str, now: datetime, *, strict: bool = False) -> bool:
    """Whether a memory that may be pruned has faded: its salience is down to its floor, and below FADED.

    A floor of FADED or more therefore keeps it until its `max_age_seconds`. With `strict` it does not: a salience
    of at most the floor or FADED, whichever is greater, is enough.
    """
    if not may_be_pruned(properties):
        return False
    salience, floor = standing(properties, created, now), _floor(properties["decay"])
    if strict:
        return salience <= max(floor, FADED)
    return salience <= floor + _PRECISION and salience < FADED


def warning(properties: Mapping[str, Any]) -> str:
    """The warning that a decay profile has an unknown curve, which is read as exponential; else ""."""
    profile = properties.get("decay")
    curve = as_text(profile.get("curve")) if isinstance(profile, Mapping) else ""
    if not curve or curve in CURVES:
        return ""
    from mdmem.note import terminal

    return f"decay: the curve '{terminal.quoted(curve)}' is read as exponential"


def _floor(profile: object) -> float:
    floor = as_number(profile.get("min_salience")) if isinstance(profile, Mapping) else None
    return floor or 0.0


def _seconds(start: datetime | None, now: datetime) -> float:
    return max((now - start).total_seconds(), 0.0) if start else 0.0


def _is_too_old(profile: Mapping[str, Any], seconds: float) -> bool:
    oldest = as_number(profile.get("max_age_seconds"))
    return oldest is not None and seconds >= oldest


def _written(salience: float) -> float:
    """Salience rounded for writing."""
    return round(salience, _DIGITS)

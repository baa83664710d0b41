"""The conditions of LangGraph's stores: on the fields of a value, and on namespaces."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mdmem.errors import UsageError

_ORDERED: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
_ANY = "*"


def meets(value: Mapping[str, Any], conditions: Mapping[str, Any]) -> bool:
    """Whether the fields of a value meet the `conditions`: they are equal, or as `{"$gte": 3}` and the like say.

    Numbers, and strings of numbers, compare as numbers, other strings as strings; a missing field is neither less
    nor greater than anything. Raises UsageError for an unknown operator.
    """
    return all(_is_so(value.get(name), wanted) for name, wanted in conditions.items())


def _is_so(given: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        if any(name.startswith("$") for name in wanted):
            return all(_compares(given, name, limit) for name, limit in wanted.items())
        return isinstance(given, Mapping) and meets(given, wanted)
    if isinstance(wanted, list | tuple):
        is_as_long = isinstance(given, list | tuple) and len(given) == len(wanted)
        return is_as_long and all(map(_is_so, given, wanted))
    return bool(given == wanted)


def _compares(given: Any, name: str, limit: Any) -> bool:
    if name in ("$eq", "$ne"):
        return (given == limit) is (name == "$eq")
    if name not in _ORDERED:
        raise UsageError(f"{name} is not an operator of a filter", f"use $eq, $ne, {', '.join(_ORDERED)}")
    numbers = _number(given), _number(limit)
    if None not in numbers:
        return _ORDERED[name](*numbers)
    return isinstance(given, str) and isinstance(limit, str) and _ORDERED[name](given, limit)


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def begins(namespace: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a namespace begins with a path, in which `*` stands for any label."""
    return len(namespace) >= len(path) and all(
        wanted in (_ANY, label) for label, wanted in zip(namespace, path, strict=False)
    )


def ends(namespace: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a namespace ends with a path, in which `*` stands for any label."""
    return begins(namespace[::-1], path[::-1])

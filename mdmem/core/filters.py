"""Filters on properties: `key=value`, `key>value` and so on, the same for `list --where` and in queries."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from mdmem.core import moments
from mdmem.errors import UsageError

_FILTER = re.compile(r"\s*([\w -]+?)\s*(!=|>=|<=|=|>|<|~)\s*(.*?)\s*", re.S)
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
# Two-character operators first, so that `>=` is not read as `>`.
OPERATORS = ("!=", ">=", "<=", "=", ">", "<", "~")


class Filter(NamedTuple):
    """One condition on a property: `key op value`; op "has" and "lacks" take no value."""

    key: str
    op: str
    value: str = ""


def parse(text: str) -> Filter:
    """`key=value`, `key!=value`, `key>value` (also < >= <=), `key~part`, `key` (is set), `!key` (is not).

    Raises UsageError.
    """
    match = _FILTER.fullmatch(text)
    if match:
        return Filter(match[1], match[2], match[3])
    bare = text.strip()
    if re.fullmatch(r"!?[\w -]+", bare):
        return Filter(bare.lstrip("!"), "lacks" if bare.startswith("!") else "has")
    raise UsageError(f"'{text}' is no filter", "write key=value, key!=value, key>value, key~part, key or !key")


def accepts(condition: Filter, properties: Mapping[str, Any]) -> bool:
    """Whether a memory's properties meet a condition; texts compare without case, dates and numbers as such."""
    value = properties.get(condition.key)
    items = value if isinstance(value, list | tuple) else [] if value in (None, "") else [value]
    if condition.op == "has":
        return bool(items)
    if condition.op == "lacks":
        return not items
    if condition.op == "!=":
        return not any(_equal(item, condition.value) for item in items)
    if condition.op == "=":
        return any(_equal(item, condition.value) for item in items)
    if condition.op == "~":
        return any(condition.value.casefold() in str(item).casefold() for item in items)
    return any(_ordered(condition.op, item, condition.value) for item in items)


def _equal(item: object, wanted: str) -> bool:
    text = str(item).lower() if isinstance(item, bool) else str(item)
    if text.casefold().lstrip("#") == wanted.casefold().lstrip("#"):
        return True
    return _number(item) is not None and _number(item) == _number(wanted)


def _ordered(op: str, item: object, wanted: str) -> bool:
    numbers = _number(item), _number(wanted)
    if None not in numbers:
        return _COMPARE[op](*numbers)
    dates = moments.normal(item), moments.normal(wanted)
    if all(dates):
        return _COMPARE[op](*dates)
    return _COMPARE[op](str(item).casefold(), wanted.casefold())


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(str(value))
    except ValueError:
        return None

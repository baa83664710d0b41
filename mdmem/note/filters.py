"""Filters on properties: `key=value`, `key>value` and so on, the same for `list --where` and in queries."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from posixpath import basename
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.errors import UsageError
from mdmem.note import links, moments, patterns

if TYPE_CHECKING:
    from mdmem.note.properties import Property

_FILTER = patterns.late(r"(?s)\s*([\w -]+?)\s*(!=|>=|<=|=|>|<|~)\s*(.*?)\s*")
_KEY = patterns.late(r"!?[\w -]+")
_PERIOD = patterns.late(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
# Two-character operators first, so that `>=` is not read as `>`.
OPERATORS = ("!=", ">=", "<=", "=", ">", "<", "~")


class Filter(NamedTuple):
    """One condition on a property: `key op value`; op "has" and "lacks" take no value.

    A `negated` filter accepts exactly the memories that it would reject otherwise. With "=", each of the
    `alternatives` matches like the value.
    """

    key: str
    op: str
    value: str = ""
    negated: bool = False
    alternatives: tuple[str, ...] = ()


def parse(text: str) -> Filter:
    """`key=value`, `key!=value`, `key>value` (also < >= <=), `key~part`, `key` (is set), `!key` (is not).

    Raises UsageError for any other text.
    """
    match = _FILTER.fullmatch(text)
    if match:
        return Filter(match[1], match[2], match[3])
    bare = text.strip()
    if _KEY.fullmatch(bare):
        return Filter(bare.lstrip("!"), "lacks" if bare.startswith("!") else "has")
    raise UsageError(f"'{text}' is not a filter", "write key=value, key!=value, key>value, key~part, key or !key")


def accepts(condition: Filter, properties: Mapping[str, Any]) -> bool:
    """Whether a memory's properties meet a condition; texts are compared without case, dates and numbers by value.

    `created=2026-03` is the whole month, `created<=2026-03-01` includes that day, `created>2026` is later years,
    `created=2026-03-01..2026-03-07` is that week.
    """
    return _meets(condition, properties.get(condition.key)) is not condition.negated


def dated(condition: Filter, today: date) -> Filter:
    """A condition in which a date in words (`yesterday`, `last week`) is replaced by the days that it means."""
    from mdmem.note import dates

    period = dates.period(condition.value, today)
    if period is None:
        return condition
    first, last = (day.isoformat() for day in period)
    if condition.op in ("=", "!="):
        return condition._replace(value=first if first == last else f"{first}..{last}")
    return condition._replace(value=first if condition.op in ("<", ">=") else last)


def objection_to(condition: Filter, prop: Property) -> str:
    """Why the condition's value cannot be compared with a known property; "" if it can.

    Values of a choice are not checked: a person may have written others.
    """
    if condition.op in ("has", "lacks", "~"):
        return ""
    if prop.kind == "number" and _number(condition.value) is None:
        return "is not a number"
    if prop.kind == "flag" and condition.value.casefold() not in ("true", "false"):
        return "is neither true nor false"
    if prop.kind == "moment" and not all(map(is_date, condition.value.split(".."))):
        return "is not a date"
    return ""


def is_date(text: str) -> bool:
    """Whether a text is a year, month or day in digits, or a point in time."""
    return bool(_PERIOD.fullmatch(text.strip()) or moments.normal(text))


def _meets(condition: Filter, value: object) -> bool:
    items = value if isinstance(value, list | tuple) else [] if value in (None, "") else [value]
    if condition.op == "has":
        return bool(items)
    if condition.op == "lacks":
        return not items
    if condition.op == "!=":
        return not any(_equal(item, condition.value) for item in items)
    if condition.op == "=":
        wanted = (condition.value, *condition.alternatives)
        return any(_equal(item, value) for item in items for value in wanted)
    if condition.op == "~":
        return any(condition.value.casefold() in str(item).casefold() for item in items)
    return any(_ordered(condition.op, item, condition.value) for item in items)


def _equal(item: object, wanted: str) -> bool:
    text = str(item).lower() if isinstance(item, bool) else str(item)
    if text.casefold().lstrip("#") == wanted.casefold().lstrip("#"):
        return True
    if linked := links.wikilink_target(text):
        return _is_called((links.wikilink_target(wanted) or wanted), linked, links.apart(text)[0])
    first, is_range, last = wanted.partition("..")
    if is_range and moments.normal(item) and all(map(moments.parse, (first, last))):
        return _ordered(">=", item, first) and _ordered("<=", item, last)
    return any(one == other for one, other in _alike(item, wanted))


def _is_called(wanted: str, target: str, alias: str) -> bool:
    """Whether `wanted` names a link: by its target, the last part of the target, or its alias."""
    return wanted.strip().casefold() in (target.casefold(), basename(target).casefold(), alias.casefold())


def _ordered(op: str, item: object, wanted: str) -> bool:
    pair: tuple[Any, Any] = next(_alike(item, wanted), (str(item).casefold(), wanted.casefold()))
    return _COMPARE[op](*pair)


def _alike(item: object, wanted: str) -> Iterator[tuple[Any, Any]]:
    """Both as numbers, or both as dates; nothing if they are neither.

    A wanted day, month or year stands for the whole of it: dates are compared to the precision of `wanted`.
    """
    numbers = _number(item), _number(wanted)
    if None not in numbers:
        yield numbers
        return
    period = wanted.strip() if _PERIOD.fullmatch(wanted.strip()) else ""
    days = moments.normal(item), period or moments.normal(wanted)
    if all(days):
        yield days[0][: len(period) or None], days[1]


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(str(value))
    except ValueError:
        return None

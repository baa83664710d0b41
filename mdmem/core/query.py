"""What a person asks for: the words of a query, and filters on properties.

Nothing a person types reaches FTS5's own syntax: `match_expression` quotes every term.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from mdmem.core import moments
from mdmem.errors import UsageError

_TERM = re.compile(r"\w+")
_FILTER = re.compile(r"\s*([\w -]+?)\s*(!=|>=|<=|=|>|<|~)\s*(.*?)\s*", re.S)
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
MAX_TERMS = 64

STOP_WORDS = frozenset(
    "a about an and are as at be been but by did do does for from had has have he her hers him his how i in is "
    "it its me my of on or our she so than that the their them then there these they this to us was we were "
    "what when where which who whom why will with would you your".split()
)


class Filter(NamedTuple):
    """One condition on a property: `key op value`; op "has" and "lacks" take no value."""

    key: str
    op: str
    value: str = ""


def terms(text: str) -> list[str]:
    """The words of a query that count, each once, at most MAX_TERMS: stop words go unless nothing else is left."""
    words = list(dict.fromkeys(_TERM.findall(unicodedata.normalize("NFC", text.replace("_", " ").lower()))))
    kept = [word for word in words if word not in STOP_WORDS]
    return (kept or words)[:MAX_TERMS]


def match_expression(words: list[str]) -> str:
    """An FTS5 expression: any of the words, each also as a beginning if it is long enough to tell."""
    return " OR ".join(f'"{word}"' for word in words)


def parse_filter(text: str) -> Filter:
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

"""Plain scalars of YAML 1.2: null, booleans and numbers only if writing the value gives the same text again.

All others are texts: `007`, `1.10`, `no`, `12:30` and also dates.
"""

import json
import math
import re
from collections.abc import Callable

from mdmem.note import patterns

Scalar = str | int | float | bool | None


def is_same(one: object, other: object) -> bool:
    """Whether two values are equal and of the same type: 1 is neither 1.0 nor true."""
    return identity(one) == identity(other)


def identity(value: object) -> str:
    """A text that is the same for equal values only."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def float_text(value: float) -> str:
    """A number as text: without exponent, with at least one digit after the point. Raises ValueError."""
    from decimal import Decimal

    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be written as a property")
    text = format(Decimal(repr(value)), "f")
    return text if "." in text else text + ".0"


def _exact(text: str) -> Scalar:
    """The number if writing it gives the same digits again, else the text, as for `0.12345678901234567890`."""
    value = float(text)
    if repr(value) == text:  # nearly always, and faster
        return value
    return value if math.isfinite(value) and float_text(value) == text else text


def _null(text: str) -> Scalar:
    del text
    return None


def _true(text: str) -> Scalar:
    return text.lower() == "true"


# kind -> (characters it can begin with, its pattern, its converter)
KINDS: dict[str, tuple[str, re.Pattern[str], Callable[[str], Scalar]]] = {
    "null": ("~nN", patterns.late(r"(?:~|null|Null|NULL|)\Z"), _null),
    "bool": ("tTfF", patterns.late(r"(?:true|True|TRUE|false|False|FALSE)\Z"), _true),
    "int": ("-0123456789", patterns.late(r"(?:0|-?[1-9][0-9]{0,17})\Z"), int),
    "float": ("-0123456789", patterns.late(r"-?(?:0|[1-9][0-9]*)\.(?:[0-9]*[1-9]|0)\Z"), _exact),
}
# first character ("": an empty text) -> patterns and converters of the kinds that may begin with it
_BY_FIRST = {
    character: [(pattern, make) for first, pattern, make in KINDS.values() if character in first]
    for character in ("", *"".join(first for first, _, _ in KINDS.values()))
}


def is_special(text: str) -> bool:
    """Whether a plain scalar is something other than text."""
    return any(pattern.match(text) for pattern, _ in _BY_FIRST.get(text[:1], ()))


def read(text: str) -> Scalar:
    """The value of a plain scalar."""
    for pattern, make in _BY_FIRST.get(text[:1], ()):
        if pattern.match(text):
            return make(text)
    return text

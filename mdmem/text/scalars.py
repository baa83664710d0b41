"""What a plain scalar of YAML 1.2 is: null, a boolean or a number only where writing it gives the same text again.

Everything else stays the text that it is: `007`, `1.10`, `no`, `12:30` and dates, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from mdmem.text import patterns
from mdmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    import re

Scalar = str | int | float | bool | None


def float_text(value: float) -> str:
    """A number as it is written: no exponent, one digit behind the point at least. Raises ValueError."""
    from decimal import Decimal

    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be written as a property")
    text = format(Decimal(repr(value)), "f")
    return text if "." in text else text + ".0"


def _exact(text: str) -> Scalar:
    """The number, if writing it gives the same digits again; else the text: `0.12345678901234567890`."""
    value = float(text)
    if repr(value) == text:  # nearly always, and sooner
        return value
    return value if math.isfinite(value) and float_text(value) == text else text


def _null(text: str) -> Scalar:
    del text
    return None


def _true(text: str) -> Scalar:
    return text.lower() == "true"


# kind -> (characters it can begin with, what it looks like, how to make it)
KINDS: dict[str, tuple[str, re.Pattern[str], Callable[[str], Scalar]]] = {
    "null": ("~nN", patterns.late(r"(?:~|null|Null|NULL|)\Z"), _null),
    "bool": ("tTfF", patterns.late(r"(?:true|True|TRUE|false|False|FALSE)\Z"), _true),
    "int": ("-0123456789", patterns.late(r"(?:0|-?[1-9][0-9]{0,17})\Z"), int),
    "float": ("-0123456789", patterns.late(r"-?(?:0|[1-9][0-9]*)\.(?:[0-9]*[1-9]|0)\Z"), _exact),
}
# first character ("": there is none) -> how the kinds look that may begin with it, and how to make them
_BY_FIRST = {
    character: [(pattern, make) for first, pattern, make in KINDS.values() if character in first]
    for character in ("", *"".join(first for first, _, _ in KINDS.values()))
}


def is_special(text: str) -> bool:
    """Whether a plain scalar is something else than text."""
    return any(pattern.match(text) for pattern, _ in _BY_FIRST.get(text[:1], ()))


def read(text: str) -> Scalar:
    """The value of a plain scalar."""
    for pattern, make in _BY_FIRST.get(text[:1], ()):
        if pattern.match(text):
            return make(text)
    return text

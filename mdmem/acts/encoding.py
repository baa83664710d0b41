"""Results as JSON: an object of their fields, or what they say of themselves. Keys are added, never renamed.

Times are RFC 3339 in UTC and commits are full ids; either is "" where there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from mdmem.text import moments


def encode(value: Any) -> Any:
    """A value of an act as JSON."""
    if value is None or isinstance(value, str | int | float):
        return value
    if told := getattr(value, "json", None):
        return encode(told())
    if isinstance(value, datetime):
        return moments.render(value)
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    if fields := getattr(value, "_fields", ()):
        return {name: encode(getattr(value, name)) for name in fields}
    return [encode(item) for item in value]

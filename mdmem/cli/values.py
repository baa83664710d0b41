"""Values of options turned into properties to write."""

from __future__ import annotations

from typing import Any

from mdmem.errors import UsageError


def properties_of(pairs: tuple[str, ...]) -> dict[str, Any]:
    """`key=value` arguments as property values. Raises UsageError."""
    from mdmem.note import properties

    return {key: properties.read_value(key, text) for key, text in map(pair_of, pairs)}


def pair_of(pair: str) -> tuple[str, str]:
    """(key, value) of `key=value`. Raises UsageError."""
    key, equals, text = pair.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"'{pair}' is not key=value", "write --set confidence=0.9")
    return key.strip(), text


def as_list(value: Any) -> list[Any]:
    """A property value as a list."""
    return value if isinstance(value, list) else [value]

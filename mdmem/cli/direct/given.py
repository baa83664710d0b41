"""What options say of properties: to select memories by, or to write."""

from __future__ import annotations

from mdmem.errors import UsageError
from mdmem.note import filters, properties
from mdmem.note.filters import Filter
from mdmem.values import Any


def filters_of(options: dict[str, Any]) -> list[Filter]:
    """The filters that those options say. Raises UsageError."""
    given = {"type": options["type_"], **{key: options[key] for key in ("status", "category", "topic")}}
    found = [Filter(key, "=", values[0], alternatives=values[1:]) for key, values in given.items() if values]
    tags = [tag.strip() for given in options["tags"] for tag in given.split(",") if tag.strip()]
    found += [Filter("tags", "=", tag) for tag in tags]
    return found + [filters.parse(text) for text in options["where"]]


def properties_of(pairs: tuple[str, ...], checked: bool = True) -> dict[str, Any]:
    """`key=value` arguments as property values, `checked` unless the caller checks them. Raises UsageError."""
    found = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"'{pair}' is not key=value", "write --set confidence=0.9")
        read = properties.read_value if checked else properties.parse_value
        found[key.strip()] = read(key.strip(), text)
    return found


def as_list(value: Any) -> list[Any]:
    """A property value as a list."""
    return value if isinstance(value, list) else [value]

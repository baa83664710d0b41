"""JSON Schema (2020-12) of arguments, as short as possible: an agent reads all of it in every session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]


def takes(required: str, **properties: Schema) -> Schema:
    """The schema of some arguments; `required` has the names of the required ones, separated by spaces."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return schema | ({"required": required.split()} if required else {})


def text(about: str = "") -> Schema:
    """A text."""
    return _described({"type": "string"}, about)


def texts(about: str = "", most: int = 0) -> Schema:
    """A list of texts, of at most `most` if that is given."""
    schema: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
    return _described(schema | ({"maxItems": most} if most else {}), about)


def one_of(values: Sequence[str]) -> Schema:
    """One of some texts."""
    return {"enum": list(values)}


def count(default: int, about: str = "") -> Schema:
    """A whole number of at least 1; `default` if it is not given."""
    return {**some(about), "default": default}


def some(about: str = "") -> Schema:
    """A whole number of at least 1."""
    return _described({"type": "integer", "minimum": 1}, about)


def number(about: str = "") -> Schema:
    """A number."""
    return _described({"type": "number"}, about)


def flag(about: str = "") -> Schema:
    """True or false."""
    return _described({"type": "boolean"}, about)


def document(about: str = "") -> Schema:
    """Any JSON object."""
    return _described({"type": "object"}, about)


def _described(schema: dict[str, Any], about: str) -> Schema:
    return schema | ({"description": about} if about else {})

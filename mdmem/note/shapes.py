"""Shapes of structured values: one table of fields for reading and validation.

    WEIGHT = Shape("number", low=0, high=1)
    EDGE = Shape("record", fields={"at": Shape("moment"), "weight": WEIGHT}, required=("at",))

A shape tells the section codec how to read a scalar (`version: 2.0` is the text "2.0" in a field of texts).
`objections` checks a value against it. A table that programs in other languages use as well is a JSON Schema
(`of_json_schema`, `defined`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, NamedTuple, NoReturn

from mdmem.note import moments
from mdmem.note.terminal import quoted

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)")
UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_WHOLE_NUMBER = "integer"


class Shape(NamedTuple):
    """The shape of a value.

    `kind` is any, text, uuid, integer, number, flag, moment, choice, list, mapping or record. `items` is the
    shape of the values in a list or mapping. A record has `fields`, some of them `required`; any other field is
    an error unless the record `is_open`. `low` and `high` bound numbers, inclusive.
    """

    kind: str = "any"
    items: Shape | None = None
    fields: Mapping[str, Shape] = {}
    required: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    low: float = float("-inf")
    high: float = float("inf")
    is_open: bool = False
    least: int = 0  # minimum number of items in a list, or of characters in a text
    pattern: str = ""  # a regular expression that is found in a text
    form: str = ""  # that pattern in words

    def of(self, name: str) -> Shape:
        """The shape of a record's field or a mapping's value; ANY for one that is not in the table."""
        return self.fields.get(name) or self.items or ANY

    @property
    def is_named(self) -> bool:
        """Whether values of this shape are mappings."""
        return self.kind in ("record", "mapping")


ANY = Shape()


class Objection(NamedTuple):
    """What is wrong with a value: the field (`timeline[0].t`), what it is, and how to fix it."""

    field: str
    message: str
    fix: str


# -- validation ----------------------------------------------------------------------------------------------


def objections(value: Any, shape: Shape, field: str = "") -> Iterator[Objection]:
    """Everything wrong with a JSON-like value by its shape, in the order of the value."""
    if shape.kind == "list":
        yield from _list_objections(value, shape, field)
    elif shape.is_named:
        yield from _named_objections(value, shape, field)
    elif shape.kind == "any":
        if not is_json(value):
            yield Objection(field, "cannot be written as JSON", "use texts, finite numbers, lists and mappings")
    elif fault := _scalar_fault(value, shape):
        yield Objection(field, *fault)


def is_json(value: Any) -> bool:
    """Whether a value survives JSON: finite numbers, valid Unicode texts, and names that are texts."""
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return _has_text_names(value)


def of_json(text: str, **parsers: Any) -> Any:
    """The value of a JSON text, by the `parsers` of `json.loads`.

    Raises ValueError, also for NaN and for a name that is given twice in one object, and RecursionError.
    """
    return json.loads(text, parse_constant=_no_number, object_pairs_hook=_without_twins, **parsers)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"holds {name}, which is not a JSON number")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"holds {quoted(repr(twin))} twice in one object")
    return value


def _has_text_names(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(name, str) for name in value) and all(map(_has_text_names, value.values()))
    return not isinstance(value, list) or all(map(_has_text_names, value))


def _list_objections(value: Any, shape: Shape, field: str) -> Iterator[Objection]:
    if not isinstance(value, list):
        yield Objection(field, f"is {shown(value)}, not a list", "write a list, one bullet for each item")
        return
    if len(value) < shape.least:
        yield Objection(field, f"has {len(value)} items", f"give at least {shape.least}")
    for index, item in enumerate(value):
        yield from objections(item, shape.items or ANY, f"{field}[{index}]")


def _named_objections(value: Any, shape: Shape, field: str) -> Iterator[Objection]:
    if not isinstance(value, Mapping):
        names = ", ".join(shape.fields) or "any names"
        yield Objection(field, f"is {shown(value)}, not a mapping", f"write name: value for {names}")
        return
    for name in shape.required:
        if name not in value:
            yield Objection(joined(field, name), "is missing", f"it is required: {meaning(shape.of(name))}")
    for name, item in value.items():
        if shape.kind == "record" and name not in shape.fields and not shape.is_open:
            yield Objection(
                joined(field, str(name)), "is not a field", f"the fields are {', '.join(shape.fields)}"
            )
        else:
            yield from objections(item, shape.of(name), joined(field, str(name)))


def _scalar_fault(value: Any, shape: Shape) -> tuple[str, str] | None:
    """(what is wrong with a scalar, how to fix it), or None."""
    if shape.kind == "flag":
        is_right = isinstance(value, bool)
    elif shape.kind in (_WHOLE_NUMBER, "number"):
        is_right = _is_number(value, shape)
    else:
        is_right = isinstance(value, str) and _has_form(value, shape)
    return None if is_right else (f"is {shown(value)}", f"write {meaning(shape)}")


def _is_number(value: Any, shape: Shape) -> bool:
    types = int if shape.kind == _WHOLE_NUMBER else int | float
    is_number = isinstance(value, types) and not isinstance(value, bool)
    return is_number and abs(value) != float("inf") and shape.low <= value <= shape.high


def _has_form(value: str, shape: Shape) -> bool:
    match shape.kind:
        case "uuid":
            return is_uuid(value)
        case "moment":
            return is_moment(value)
        case "choice":
            return value in shape.choices
    return len(value) >= shape.least and is_json(value) and bool(re.search(shape.pattern, value))


def is_uuid(value: str) -> bool:
    """Whether a text is a UUID."""
    return bool(re.fullmatch(UUID, value))


def is_moment(value: str) -> bool:
    """Whether a text is a valid date and time in the form of RFC 3339."""
    return bool(_RFC3339.fullmatch(value)) and moments.parse(value) is not None


def meaning(shape: Shape) -> str:
    """What a shape allows, in words: `one of data, control`."""
    if shape.kind == "choice":
        return "one of " + ", ".join(shape.choices)
    if shape.kind in (_WHOLE_NUMBER, "number"):
        noun = "a whole number" if shape.kind == _WHOLE_NUMBER else "a number"
        low = f" from {shape.low:g}" if isfinite(shape.low) else ""
        return noun + low + (f" to {shape.high:g}" if isfinite(shape.high) else " up" if low else "")
    words = {
        "any": "any value",
        "text": shape.form or ("a text that is not empty" if shape.least else "a text"),
        "uuid": "a UUID",
        "moment": "a date and time like 2026-02-08T14:05:00Z",
        "flag": "true or false",
        "list": "a list",
    }
    return words.get(shape.kind, "a mapping")


def shown(value: Any) -> str:
    """A value as an error quotes it, shortened."""
    return quoted(json.dumps(value, ensure_ascii=False, default=str))


def joined(field: str, name: str) -> str:
    """`timeline[0]` and `t` as `timeline[0].t`."""
    return f"{field}.{name}" if field else name


# -- JSON Schema ---------------------------------------------------------------------------------------------

_KINDS = {  # what a JSON Schema says of a value, by its form or its type -> kind of a shape
    **{"string": "text", "date-time": "moment", f"^{UUID}$": "uuid", "boolean": "flag"},
    **{"array": "list", "object": "mapping", "number": "number", "integer": _WHOLE_NUMBER},
}


def defined(schema: Mapping[str, Any]) -> dict[str, Shape]:
    """The shapes that a JSON Schema defines under `$defs`, by name; each refers to earlier ones only."""
    shapes: dict[str, Shape] = {}
    for name, definition in schema["$defs"].items():
        shapes[name] = of_json_schema(definition, shapes)
    return shapes


def of_json_schema(schema: Mapping[str, Any], known: Mapping[str, Shape] | None = None) -> Shape:
    """The shape that a JSON Schema (draft 2020-12) describes, as far as shapes know its words.

    It may refer to `known` ones. The `description` of a pattern says in words what it allows.
    """
    if "$ref" in schema:
        return (known or {})[schema["$ref"].removeprefix("#/$defs/")]
    if "enum" in schema:
        return Shape("choice", choices=tuple(schema["enum"]))
    if "properties" in schema:
        fields = {name: of_json_schema(field, known) for name, field in schema["properties"].items()}
        is_open = schema.get("additionalProperties", True) is not False
        return Shape("record", fields=fields, required=tuple(schema.get("required", ())), is_open=is_open)
    inner = schema.get("items", schema.get("additionalProperties"))
    pattern = schema.get("pattern", "")
    is_named = pattern in _KINDS
    form = pattern if is_named else schema.get("format") or schema.get("type")
    return Shape(
        kind=_KINDS[form] if form else "any",
        items=None if inner is None else of_json_schema(inner, known),
        low=schema.get("minimum", float("-inf")),
        high=schema.get("maximum", float("inf")),
        least=schema.get("minLength", schema.get("minItems", 0)),
        pattern="" if is_named else pattern,
        form=schema.get("description", "") if pattern and not is_named else "",
    )

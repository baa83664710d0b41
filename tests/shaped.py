"""Arbitrary values for hypothesis: any JSON, and any value that a shape allows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from hypothesis import strategies as st

from mdmem.note import sections
from mdmem.note.bullets import BulletReader
from mdmem.note.shapes import ANY, Shape
from mdmem.note.yamltext import Value

HARD_TEXTS = """\
a: b|- x|# h|## Sec|```|1. x|> q|[a]: b|<div>| x|x |true|12|null|-|***|a\\|&amp;|*|_x_|**b**|---|===|note: x\
|`x`|http://x: y|```a: b|10:30|1.|NaN|1.10|-0|1e5|[1.10]|{"a": 1, "a": 2}|"quoted"|[[a_link]]|/opt/x|~~~|+1\
|007|größe: 3|- [ ] todo|{}|[]|yes|#tag|!|key : v|`a`: b|\\n|%%c%%|<!-- c -->""".split("|")
HARD_LINES = [
    *(
        "a\nb\n## C",
        "- a\n- b",
        "a\n---",
        "a\n\nb",
        "```\n## x\n```",
        "x\n  y\n\nz",
        "a\n ",
        "\na",
        "a\n",
        "a\r\nb",
    ),
    *(
        "\ta",
        "a\n\tb",
        "| a |",
        "\x85",
        "\u2028",
        "\xa0x",
        "\x00",
        "\ufeff",
        "日本語\nです",
        "## A\n\n## B",
        "- a: 1\n  - b: 2",
    ),
]
some_texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20) | st.sampled_from(
    [*HARD_TEXTS, *HARD_LINES]
)
texts = st.just("") | some_texts
names = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ["goal", "why_chosen", "a b", "summary", "- x", "key: v", "größe", "1", "", "\n", "Goal"]
)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=10,
)
few_values = (
    st.none()
    | st.booleans()
    | numbers
    | texts
    | st.sampled_from(
        [
            {"a": [1, {"b": "x"}]},
            ["a: b", []],
            {"größe": {}},
            {"deep": [[[[[[[["x", 1.0]]]]]]]]},
            {"": None},
            [{"a": 1}],
        ]
    )
)
_ZONES = [UTC, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-8))]


def _written(moment: datetime) -> str:
    text = moment.isoformat()
    return text.replace("+00:00", "Z") if moment.microsecond % 2 else text


moments = st.datetimes(
    datetime(1971, 1, 1), datetime(2199, 1, 1), timezones=st.sampled_from(_ZONES), allow_imaginary=False
).map(_written)


def text(least: int = 0) -> Shape:
    """A text, of at least `least` characters."""
    return Shape("text", least=least)


def moment() -> Shape:
    """A point in time as a text (RFC 3339)."""
    return Shape("moment")


def flag() -> Shape:
    """true or false."""
    return Shape("flag")


def number(low: float = float("-inf"), high: float = float("inf")) -> Shape:
    """A finite number within bounds."""
    return Shape("number", low=low, high=high)


def integer(low: float = float("-inf")) -> Shape:
    """A whole number from `low` up."""
    return Shape("integer", low=low)


def choice(*choices: str) -> Shape:
    """One of several texts."""
    return Shape("choice", choices=choices)


def listed(items: Shape, least: int = 0) -> Shape:
    """A list of at least `least` values."""
    return Shape("list", items=items, least=least)


def mapping(items: Shape = ANY) -> Shape:
    """A mapping with any names."""
    return Shape("mapping", items=items)


def record(fields: Mapping[str, Shape], required: str = "", is_open: bool = False) -> Shape:
    """A mapping with a table of fields; `required` has field names, separated by blanks."""
    return Shape("record", fields=fields, required=tuple(required.split()), is_open=is_open)


def _texts(shape: Shape) -> st.SearchStrategy[str]:
    if shape.pattern:
        return some_texts.filter(str.strip) if shape.pattern == r"\S" else st.from_regex(shape.pattern)
    return some_texts if shape.least else texts


def values(shape: Shape) -> st.SearchStrategy[Any]:
    """Any value of a shape."""
    if shape.kind == "record":
        required = {name: values(shape.fields[name]) for name in shape.required}
        optional = {name: values(field) for name, field in shape.fields.items() if name not in shape.required}
        return st.fixed_dictionaries(required, optional=optional)
    if shape.kind == "list":
        return st.lists(values(shape.items or Shape()), min_size=shape.least, max_size=2)
    if shape.kind == "mapping":
        return st.dictionaries(names, values(shape.items or Shape()), max_size=2)
    if shape.kind in ("number", "integer"):
        low, high = (None if abs(bound) == float("inf") else bound for bound in (shape.low, shape.high))
        whole = st.integers(None if low is None else int(low), None if high is None else int(high))
        return (
            whole
            if shape.kind == "integer"
            else whole | st.floats(low, high, allow_nan=False, allow_infinity=False)
        )
    return {
        "any": few_values,
        "text": _texts(shape),
        "uuid": st.uuids().map(str),
        "moment": moments,
        "flag": st.booleans(),
        "choice": st.sampled_from(shape.choices or ("",)),
    }[shape.kind]


def parsed(body: str) -> dict[str, Value]:
    """The sections of a body as data of any shape; text above the first one is under INTRO."""
    data: dict[str, Value] = {}
    for one in sections.split(body):
        if one.heading or one.text:
            names = [one.key, *(f"{one.key}_{number}" for number in range(2, 99))]
            data[next(name for name in names if name not in data)] = sections.value_of(one, ANY, BulletReader())
    return data


def rendered(data: Mapping[str, Value]) -> str:
    """A body that `parsed` reads so."""
    rest = {key: value for key, value in data.items() if key != sections.INTRO}
    intro = [sections.section_text(data[sections.INTRO]) or '""'] if sections.INTRO in data else []
    return "\n\n".join([*intro, *([sections.render(rest).rstrip("\n")] if rest else [])]) + ("\n" if data else "")

"""JSON documents with a schema id (`"schema": "topic_memory.v1"`), read strictly and written in one form.

`data/documents.tsv` has the fields of each kind of object: they are read, checked and written by it.
Every error is a `NoteError` that names the file, the field and the fix.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, NoReturn

import mdmem
from mdmem.errors import NoteError, Problem
from mdmem.note import moments, tsv
from mdmem.note.facts import HIGHEST_SCORE, TIME_SPANS, TYPES
from mdmem.note.terminal import quoted
from mdmem.store import layout
from mdmem.systems.layers.pages.tiers import TIERS

Document = dict[str, Any]
Upgrade = Callable[[Document], Document]
Makers = Mapping[str, Callable[..., Any]]  # kind of object -> what makes a value of its fields

_SCHEMA = re.compile(r"([a-z_]+)\.v([0-9]{1,6})")


class Schema(NamedTuple):
    """A kind of document and its current version, the one that is written.

    `older` maps each older version that can still be read to a function that upgrades a document by one version.
    """

    name: str
    version: int
    older: Mapping[int, Upgrade] = {}

    @property
    def id(self) -> str:
        """The schema id as documents state it: `entry_meta.v1`."""
        return f"{self.name}.v{self.version}"


# -- objects -----------------------------------------------------------------------------------------------


class _Field(NamedTuple):
    """A field of an object: its name in JSON, its place in the value, its kind, and how it reads if it is missing.

    `default` is JSON, or "-" for a field that may not be missing. If it is null, the field is left out if it is.
    """

    name: str
    place: str
    kind: str
    default: str


@cache
def _objects() -> dict[str, list[_Field]]:
    """Kind of object -> its fields, in the order in which they are written."""
    table: dict[str, list[_Field]] = {}
    for kinds, *cells in tsv.rows(__file__, "documents.tsv", 5):
        for kind in kinds.split():
            table.setdefault(kind, []).append(_Field(*cells))
    return table


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_share(value: Any, most: float = 1) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def _is_count(value: Any, most: float = math.inf) -> bool:
    return isinstance(value, int) and _is_share(value, most)


def _is_time(value: Any) -> bool:
    return _is_text(value) and bool(value) and moments.normal(value) == value


_KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {  # whether a value is of a kind, and that in words
    "text": (_is_text, "a text"),
    "texts": (lambda value: _is_list(value) and all(map(_is_text, value)), "a list of texts"),
    "list": (_is_list, "a list of objects"),
    "count": (_is_count, "a whole number from 0"),
    "score": (lambda value: value is None or _is_count(value, HIGHEST_SCORE), f"from 0 to {HIGHEST_SCORE}"),
    "share": (_is_share, "a number from 0 to 1"),
    "time": (_is_time, "a time like 2026-02-08T14:05:00Z"),
    "time or none": (lambda value: value == "" or _is_time(value), "a time like 2026-02-08T14:05:00Z"),
    "entry_id": (lambda value: _is_text(value) and layout.is_entry_id(value), "like 20260208T140500Z-0c7a6f3e"),
    **{
        kind: (choices.__contains__, "one of " + ", ".join(choices))
        for kind, choices in {"type": TYPES, "time_span": TIME_SPANS, "tier": TIERS}.items()
    },
}
_READ: Mapping[str, Callable[[Any], Any]] = {"texts": tuple, "share": float}  # other kinds are as JSON has them


def made(value: Any, kind: str, path: str, makers: Makers, place: str = "") -> Any:
    """What the maker for a kind of object makes of the fields of a JSON object; a dict if there is no maker.

    `place` locates the object within its file, such as `facts[2].`. Raises NoteError for a field that is missing
    or of another kind than the table says.
    """
    if not isinstance(value, dict):
        refuse(path, f"{place.rstrip('.: ') or 'the document'} is not a JSON object")
    found: Document = {}
    for field in _objects()[kind]:
        above, _, name = field.place.rpartition(".")
        inner = found.setdefault(above, {}) if above else found
        inner[name] = _read_field(value, field, path, makers, place)
    return makers.get(kind, dict)(**found)


def _read_field(value: Document, field: _Field, path: str, makers: Makers, place: str) -> Any:
    given: Any = value.get(field.name)
    if given is None and (field.name not in value or field.default == "null"):
        return (
            json.loads(field.default) if field.default != "-" else refuse(path, f"{place}{field.name} is missing")
        )
    kind = field.kind.strip("[]")
    is_list = kind != field.kind
    if kind in _objects() and not is_list:
        return made(given, kind, path, makers, f"{place}{field.name}.")
    is_right, wanted = _KINDS["list" if is_list else kind]
    if not is_right(given):
        refuse(path, f"{place}{field.name} is {_shortened(given)}, not {wanted}")
    if is_list:
        start = f"{place}{field.name}"
        return tuple(made(item, kind, path, makers, f"{start}[{number}].") for number, item in enumerate(given))
    return _READ[kind](given) if kind in _READ else given


def told(value: Any, kind: str) -> Any:
    """A value of a kind as JSON has it: its fields as the table says, in that order."""
    if kind.startswith("["):
        return [told(item, kind.strip("[]")) for item in value]
    if kind not in _objects():
        return value
    fields = ((field, attrgetter(field.place)(value)) for field in _objects()[kind])
    return {
        field.name: told(inner, field.kind) for field, inner in fields if (inner, field.default) != (None, "null")
    }


# -- files -------------------------------------------------------------------------------------------------


def read(data: bytes, schema: Schema, path: str, makers: Makers) -> Any:
    """What the makers make of the document in a file, upgraded to the version of `schema`.

    Raises NoteError for bytes that are not JSON, another kind of document, or a version that cannot be read.
    """
    document = parsed(data, path)
    found = made(document, "document", path, {})["schema"]
    match = _SCHEMA.fullmatch(found)
    if match is None or match[1] != schema.name:
        refuse(path, f"schema is {_shortened(found)}, not {schema.id}")
    version = int(match[2])
    if version > schema.version:
        reads = f"this mdmem, {mdmem.__version__}, reads versions up to {schema.id}"
        refuse(
            path, f"has schema {found}; {reads}", f"use an mdmem that reads {found}: pip install --upgrade mdmem"
        )
    for older in range(version, schema.version):
        if older not in schema.older:
            refuse(path, f"has schema {found}, which is no longer supported; use {schema.id}")
        document = schema.older[older](document)
    return made(document, schema.name, path, makers)


def schema_of(data: bytes) -> str:
    """The kind of document that a file's bytes are, without the version; "" if they are not such a document."""
    try:
        document = parsed(data, "")
    except NoteError:
        return ""
    match = _SCHEMA.fullmatch(str(document.get("schema"))) if isinstance(document, dict) else None
    return match[1] if match else ""


def render(schema: Schema, value: Any) -> bytes:
    """The bytes of a document: UTF-8 JSON with indent 2, the schema id first, then the fields of `value`."""
    document = {"schema": schema.id, **told(value, schema.name)}
    try:
        return (json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can represent
        return (json.dumps(document, indent=2, allow_nan=False) + "\n").encode()


def refuse(path: str, message: str, fix: str = "", line: int = 0) -> NoReturn:
    """Raise a NoteError about the document at `path`; without a `fix`, it says how to get the file back."""
    is_derived = path.endswith(layout.TOPIC_PAGES + layout.GLOBAL_PAGES)
    again = "mdmem rebuild topics" if is_derived else "bring the file back from git: git restore or mdmem restore"
    raise NoteError(Problem("layers-document", path, line, message, fix or again)) from None


def parsed(data: bytes, path: str) -> Any:
    """The value in the bytes of a JSON file. Raises NoteError."""
    try:
        return json.loads(data.decode(), parse_constant=_no_number, object_pairs_hook=_without_twins)
    except UnicodeDecodeError:
        refuse(path, "is not UTF-8")
    except json.JSONDecodeError as error:
        refuse(path, f"is not JSON: {error.msg}", line=error.lineno)
    except (ValueError, RecursionError) as error:
        refuse(path, str(error) if isinstance(error, ValueError) else "is nested too deeply")


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"holds {name}, which is not a JSON number")


def _without_twins(pairs: list[tuple[str, Any]]) -> Document:
    document = dict(pairs)
    if len(document) < len(pairs):
        keys = [key for key, _ in pairs]
        twin = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"holds {_shortened(twin)} twice in one object")
    return document


def _shortened(value: Any) -> str:
    return quoted(repr(value))

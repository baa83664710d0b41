"""JSON documents with a schema id (`"schema": "topic_memory.v1"`), read strictly and written in one form.

Every error is a `NoteError` that names the file, the field and the fix.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import mdmem
from mdmem.errors import NoteError, Problem
from mdmem.note import layout, moments
from mdmem.note.terminal import quoted

Document = dict[str, Any]
Upgrade = Callable[[Document], Document]

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


class Fields:
    """The fields of one JSON object in a file, each asked for by name and type. Every error is a `NoteError`."""

    def __init__(self, data: Any, path: str, place: str = "") -> None:
        """`place` locates the object within its file, such as `facts[2].`."""
        self.path = path
        self.place = place
        if not isinstance(data, dict):
            refuse(path, f"{place.rstrip('.: ') or 'the document'} is not a JSON object")
        self.data: Document = data

    def text(self, key: str, default: str | None = None) -> str:
        """A string, or `default` if one is given and the field is absent."""
        value = self._get(key, default)
        return value if isinstance(value, str) else self._refuse(key, "a text")

    def one_of(self, key: str, allowed: Sequence[str]) -> str:
        """One of the `allowed` strings."""
        value = self.text(key)
        return value if value in allowed else self._refuse(key, "one of " + ", ".join(allowed))

    def moment(self, key: str) -> str:
        """A point in time, RFC 3339 in UTC."""
        value = self.text(key)
        return (
            value
            if value and moments.normal(value) == value
            else self._refuse(key, "a time like 2026-02-08T14:05:00Z")
        )

    def count(self, key: str, default: int | None = None) -> int:
        """A non-negative integer, or `default` if one is given and the field is absent."""
        value = self._get(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        return self._refuse(key, "a whole number from 0")

    def share(self, key: str, default: float | None = None) -> float:
        """A number from 0 to 1, or `default` if one is given and the field is absent."""
        value = self._get(key, default)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return (
            float(value)
            if is_number and math.isfinite(value) and 0 <= value <= 1
            else self._refuse(key, "a number from 0 to 1")
        )

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings."""
        value = self._get(key, None)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._refuse(key, "a list of texts")
        return tuple(value)

    def items(self, key: str) -> list[Any]:
        """A list of any JSON values."""
        value = self._get(key, None)
        return value if isinstance(value, list) else self._refuse(key, "a list of objects")

    def objects(self, key: str) -> list[Fields]:
        """A list of JSON objects."""
        items = enumerate(self.items(key))
        return [Fields(item, self.path, f"{self.place}{key}[{number}].") for number, item in items]

    def object(self, key: str) -> Fields:
        """A JSON object."""
        return Fields(self._get(key, None), self.path, f"{self.place}{key}.")

    def has(self, key: str) -> bool:
        """Whether the field is there and not null."""
        return self.data.get(key) is not None

    def _get(self, key: str, default: Any) -> Any:
        if key in self.data:
            return self.data[key]
        if default is None:
            refuse(self.path, f"{self.place}{key} is missing")
        return default

    def _refuse(self, key: str, wanted: str) -> NoReturn:
        refuse(self.path, f"{self.place}{key} is {_shortened(self.data.get(key))}, not {wanted}")


def read(data: bytes, schema: Schema, path: str) -> Fields:
    """The document in the bytes of a file, upgraded to the version of `schema`.

    Raises NoteError for bytes that are not JSON, another kind of document, or a version that cannot be read.
    """
    fields = Fields(parsed(data, path), path)
    found = fields.text("schema")
    match = _SCHEMA.fullmatch(found)
    if match is None or match[1] != schema.name:
        refuse(path, f"schema is {_shortened(found)}, not {schema.id}")
    version = int(match[2])
    if version > schema.version:
        reads = f"this mdmem, {mdmem.__version__}, reads versions up to {schema.id}"
        refuse(
            path, f"has schema {found}; {reads}", f"use an mdmem that reads {found}: pip install --upgrade mdmem"
        )
    document = fields.data
    for older in range(version, schema.version):
        if older not in schema.older:
            refuse(path, f"has schema {found}, which is no longer supported; use {schema.id}")
        document = schema.older[older](document)
    return Fields(document, path)


def schema_of(data: bytes) -> str:
    """The kind of document that a file's bytes are, without the version; "" if they are not such a document."""
    try:
        document = parsed(data, "")
    except NoteError:
        return ""
    match = _SCHEMA.fullmatch(str(document.get("schema"))) if isinstance(document, dict) else None
    return match[1] if match else ""


def render(schema: Schema, fields: Mapping[str, Any]) -> bytes:
    """The bytes of a document: UTF-8 JSON with indent 2, the schema id first, then `fields`, and a newline."""
    document = {"schema": schema.id, **fields}
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

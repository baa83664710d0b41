"""What the formats of other programs share: JSON objects as classes, and fields of a document as properties.

A format tells its fields once. A class whose annotations say what each field holds is a `Document`, which reads
and writes the JSON object; a JSON Schema is a shape (`note.shapes`), which validates one. A table of
fields and properties, `{"lifecycle.decay": "decay"}`, says where a note holds what (`fields_at`, `nested`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Self, get_args, get_origin, get_type_hints

from mdmem.errors import Problem
from mdmem.note import header, scalars, yamltext
from mdmem.note.memory import Memory
from mdmem.note.shapes import Objection, Shape, joined
from mdmem.note.yamltext import Value

if TYPE_CHECKING:
    from mdmem.note.sections import SectionReading

IdOf = Callable[[str], str]  # target of a wikilink -> id of that record, "" if there is none
LinkOf = Callable[[str], str]  # id of a record -> wikilink to it, "" if it is not in the vault


@dataclass
class Document:
    """A JSON object as a class: each field without a default has to be there, unknown ones are left out."""

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """The document that a JSON object describes.

        Raises ValueError for anything but an object, a missing field, or a value of another type than its field's.
        """
        return cls._read(data, "")

    @classmethod
    def _read(cls, data: Any, where: str) -> Self:
        if not isinstance(data, Mapping):
            raise ValueError(f"{where or 'the document'} is not a JSON object")
        for one in fields(cls):
            if one.name not in data and one.default is MISSING and one.default_factory is MISSING:
                raise ValueError(f"missing required field: {joined(where, one.name)}")
        known = {name: kind for name, kind in cls.kinds().items() if name in data}
        return cls(**{name: read(data[name], kind, joined(where, name)) for name, kind in known.items()})

    def to_dict(self) -> dict[str, Any]:
        """The JSON object, its fields in the order of the class."""
        return {name: written(getattr(self, name)) for name in self.kinds()}

    @classmethod
    @cache
    def kinds(cls) -> dict[str, Any]:
        """name -> type of each field that the JSON object has."""
        hints = get_type_hints(cls)
        return {one.name: hints[one.name] for one in fields(cls) if not one.kw_only}


def read(value: Any, kind: Any, where: str = "", *, strict: bool = True) -> Any:
    """A JSON value as a field of that type holds it.

    One that does not fit is a ValueError that names the field if `strict`; else it stays as it is.
    """
    for one in get_args(kind) if isinstance(kind, UnionType) else (kind,):
        form = get_origin(one) or one
        if form is list and isinstance(value, list):
            (inner,) = get_args(one)
            return [read(item, inner, f"{where}[{at}]", strict=strict) for at, item in enumerate(value)]
        if issubclass(form, Document):
            if isinstance(value, Mapping):
                return form._read(value, where)
        elif issubclass(form, Enum):
            if value in list(form):
                return form(value)
        elif isinstance(value, int | float if form is float else form) and isinstance(value, bool) == (
            form is bool
        ):
            return value
    if strict:
        raise ValueError(f"{where} cannot be {value!r}")
    return value


def written(value: Any) -> Any:
    """A field of a document as JSON."""
    if isinstance(value, list):
        return [written(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    return value.to_dict() if isinstance(value, Document) else value


# -- fields and properties -----------------------------------------------------------------------------------


def fields_at(document: Mapping[str, Any], paths: Collection[str]) -> dict[str, Any]:
    """path (`lifecycle.decay`) -> the value of that field, for the fields that a document has."""
    found = {}
    for path in paths:
        value: Any = document
        for name in path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        if value is not None:
            found[path] = value
    return found


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """The document whose fields these are, given by their paths."""
    document: dict[str, Any] = {}
    for path, value in values.items():
        *outer, name = path.split(".")
        inner = document
        for part in outer:
            inner = inner.setdefault(part, {})
        inner[name] = value
    return document


def writable(value: Any) -> Value:
    """A value as a property that reads back unchanged: YAML reads a very long number as a string."""
    if isinstance(value, dict):
        return {name: writable(item) for name, item in value.items()}
    if isinstance(value, bool) or not isinstance(value, int | float):
        kept: Value = value
        return kept
    text = yamltext.scalar(value)
    return value if isinstance(scalars.read(text), int | float) else text


# -- what is wrong with a note as a document -----------------------------------------------------------------


def problem_of(note: Memory, code: str, lines: Mapping[str, int], fault: Objection) -> Problem:
    """The problem that tells an objection to a note; `lines` are those of its fields (1-based)."""
    from mdmem.note import sections  # loaded with a Markdown parser, which chunks do not need

    line = sections.line_of(lines, fault.field)
    return Problem(code, note.path, line, f"{fault.field} {fault.message}", fault.fix)


def form_problems(note: Memory, code: str, reading: SectionReading, shape: Shape, noun: str) -> Iterator[Problem]:
    """The parts of a body that cannot be read: bullets without a field, headings that no such `noun` has."""
    from mdmem.note import sections

    yield from (problem_of(note, code, reading.lines, fault) for fault in reading.faults)
    for field, line in reading.ignored:
        message = f"{field} has another list below a paragraph, which is not read"
        yield Problem(code, note.path, line, message, "move its bullets up to the first list", "warning")
    names = ", ".join(sections.heading_of(name) for name in shape.fields)
    for heading, line, meant in reading.unknown:
        others = f"the sections are {names}; a heading of your own begins with ###"
        message = f"has a section '{heading}' that no {noun} has"
        yield Problem(code, note.path, line, message, f"write ## {meant}" if meant else others)


def property_lines(note: Memory, data: bytes, names: Iterable[tuple[str, str]]) -> dict[str, int]:
    """field -> its line (1-based) in the bytes of a note, given (field, property)."""
    text = data.decode("utf-8-sig", "surrogateescape")
    places = ((field, header.property_line(text, name, note.body_line)) for field, name in names)
    return {field: line for field, line in places if line}

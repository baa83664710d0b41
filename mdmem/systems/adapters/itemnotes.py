"""A JSON value as a note that a person can read and edit, and back.

{"theme": "dark", "facts": {"home": "Ada lives in Turin now."}}    is

    ---
    id: ...
    theme: dark
    text_of: facts.home
    ---

    Ada lives in Turin now.

A field is a property of the same name, so that an editor shows and filters it. A text of several words becomes the
body of the note, which recall searches: `text_of` names its field (without it: `content`); several texts are put
under headings with the names of their fields. A field named like a property that means something to mdmem gets the
prefix `value_`, so that a value can neither hide a note nor change how it ranks. What no property can hold exactly
(null, a name with a line break) is kept as JSON in `more_fields`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.errors import NoteError, UsageError
from mdmem.note import fields, memory, patterns
from mdmem.note.properties import PROPERTIES
from mdmem.note.yamltext import Value

Fields = dict[str, Any]  # a JSON object

TEXT_OF, MORE = "text_of", "more_fields"
_USUAL = "content"  # the field of the body, where the note does not name one
_OURS = frozenset(PROPERTIES) | {TEXT_OF, MORE}
_PREFIX = "value_"
_CLASHING = patterns.late(rf"(?:{_PREFIX})*(?:{'|'.join(sorted(_OURS))})")
_SIMPLE = patterns.late(r"[^\W\d][\w -]*")
_WORDS = 3  # words from which a text is prose and goes into the body
_CHARS = 12  # characters from which it is, in scripts without spaces between words


class _NotedValue(NamedTuple):
    """A value as the properties and the body of a note."""

    properties: Fields
    body: str


def checked(value: object) -> Fields:
    """A value as JSON holds it: tuples become lists, names become strings.

    Raises UsageError for what JSON cannot hold.
    """
    hint = "values are mappings of texts, numbers, true, false, null, lists and mappings"
    try:
        plain = json.loads(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"the value cannot be kept as JSON: {error}", hint) from None
    if not isinstance(plain, dict):
        raise UsageError("the value is not a mapping", hint)
    return plain


def value_of(properties: Mapping[str, Value], body: str, path: str) -> Fields:
    """The value that a note holds. Raises UsageError if a person has made `more_fields` unreadable."""
    value = {_field(name): given for name, given in properties.items() if name not in _OURS}
    value |= _more(properties.get(MORE), path)
    for place, text in _texts_of(properties.get(TEXT_OF, _USUAL), body.strip("\n")):
        _put(value, place, text)
    return value


def note_of(value: Fields, path: str, usual: Mapping[str, Value], vault_id: str) -> bytes:
    """A new note at `path` for a checked value; `usual` are the properties that mdmem adds.

    Raises UsageError for a value that no note can hold.
    """
    given = {**usual, **_titled(value)}
    return _first_exact(value, path, lambda laid_out: _composed(given, laid_out, path, vault_id))


def _titled(value: Fields) -> Fields:
    """The title that a value itself has."""
    return {"title": value["title"]} if isinstance(value.get("title"), str) else {}


def edited(before: bytes, value: Fields, path: str, vault_id: str) -> bytes:
    """A note with another value. Whatever else it has stays: mdmem's own properties, comments, the order.

    Raises UsageError for a value that no note can hold, NoteError for a note that cannot be read.
    """
    note = memory.parse(before, path, vault_id)
    old = value_of(note.meta, note.body, path)
    if _same(old, value):
        return before
    own = {name: given for name, given in note.meta.items() if name in PROPERTIES} | _titled(value)
    try:
        return _first_exact(value, path, lambda laid_out: _changed(before, note.meta, own, laid_out, path))
    except UsageError:
        return _first_exact(value, path, lambda laid_out: _composed(own, laid_out, path, vault_id))


def _first_exact(value: Fields, path: str, make: Callable[[_NotedValue], bytes]) -> bytes:
    """The first note that reads back as exactly this value, from the most to the least readable layout.

    Raises UsageError if there is none.
    """
    problem = "it does not read back as it was"
    for laid_out in _layouts(value):
        try:
            data = make(laid_out)
            note = memory.parse(data, path)
            if _same(value_of(note.meta, note.body, path), value):
                return data
        except (UsageError, NoteError) as error:
            problem = error.message
    raise UsageError(f"the value cannot be kept as a note: {problem}", "store less in one item, or other names")


def _layouts(value: Fields) -> Iterator[_NotedValue]:
    texts = list(_text_places(value))
    yield _laid_out(value, texts, ())
    unfit = [name for name, field in value.items() if not _is_exact(name, field)]
    yield _laid_out(value, texts, unfit)
    yield _laid_out(value, (), unfit)
    yield _laid_out(value, (), list(value))


def _laid_out(value: Fields, texts: Sequence[str], unfit: Sequence[str]) -> _NotedValue:
    """A value with the texts at these places in the body, and the `unfit` ones of the other fields as JSON."""
    left = _without(value, texts)
    properties = {_property(name): field for name, field in left.items() if name not in unfit}
    if more := {name: field for name, field in left.items() if name in unfit}:
        properties[MORE] = json.dumps(more, ensure_ascii=False)
    if not texts:
        return _NotedValue(properties, "")
    if list(texts) != [_USUAL]:
        properties[TEXT_OF] = list(texts) if len(texts) > 1 else texts[0]
    return _NotedValue(properties, _body(value, texts))


def _composed(own: Mapping[str, Value], laid_out: _NotedValue, path: str, vault_id: str) -> bytes:
    return fields.compose({**own, **laid_out.properties}, laid_out.body, path, vault_id)[0]


def _changed(
    before: bytes, was: Mapping[str, Value], own: Mapping[str, Value], laid_out: _NotedValue, path: str
) -> bytes:
    wanted = {**own, **laid_out.properties}
    gone = {name: None for name in was if name not in wanted}
    new = {name: field for name, field in wanted.items() if name not in was or not _same(was[name], field)}
    data = fields.set_fields(before, {**gone, **new}, path)
    note = memory.parse(before, path)
    return data if note.body.strip("\n") == laid_out.body else fields.set_body(data, laid_out.body, path)


def _is_exact(name: str, field: Value) -> bool:
    """Whether a property can hold a field exactly."""
    try:
        _, note = fields.compose({_property(name): field}, "", "a.md")
    except (UsageError, NoteError):
        return False
    return _same(dict(note.meta), {_property(name): field})


def _same(one: object, other: object) -> bool:
    """Whether two values are the same as JSON, where 1, 1.0 and true differ."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


# -- names of fields -----------------------------------------------------------------------------------------


def _property(field: str) -> str:
    return _PREFIX + field if _CLASHING.fullmatch(field) else field


def _field(name: str) -> str:
    return name.removeprefix(_PREFIX) if _CLASHING.fullmatch(name) else name


def _more(text: Value, path: str) -> Fields:
    try:
        more = json.loads(text) if isinstance(text, str) else {}
    except (ValueError, RecursionError):
        more = None
    if not isinstance(more, dict):
        raise UsageError(
            f"{path}: {MORE} is not a mapping in JSON", f"mdmem log {memory.stem(path)} shows how it was"
        )
    return more


# -- texts ---------------------------------------------------------------------------------------------------


def _text_places(value: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """The places of the texts of several words: the names that lead there, joined by dots."""
    for name, field in value.items():
        if not _SIMPLE.fullmatch(name):
            continue
        if isinstance(field, dict):
            yield from _text_places(field, f"{above}{name}.")
        elif isinstance(field, str) and _is_prose(field):
            yield above + name


def _is_prose(text: str) -> bool:
    return len(text.split()) >= _WORDS or (len(text) > _CHARS and not text.isascii())


def _body(value: Fields, texts: Sequence[str]) -> str:
    if len(texts) == 1:
        return str(_text_at(value, texts[0]))
    return "\n\n".join(f"{_heading(place)}\n\n{_text_at(value, place)}" for place in texts)


def _texts_of(places: Value, body: str) -> Iterator[tuple[str, str]]:
    """(place, text) of each text in a body."""
    if not body.strip():
        return
    if not isinstance(places, list):
        yield memory.as_text(places) or _USUAL, body
        return
    headings = {_heading(memory.as_text(place)): memory.as_text(place) for place in places}
    place, rows = _USUAL, list[str]()
    for row in body.split("\n"):
        if row not in headings:
            rows.append(row)
            continue
        if text := "\n".join(rows).strip("\n"):
            yield place, text
        place, rows = headings.pop(row), []
    yield place, "\n".join(rows).strip("\n")


def _heading(place: str) -> str:
    return f"## {place}"


def _text_at(value: Mapping[str, Any], place: str) -> Any:
    for name in place.split("."):
        value = value[name]
    return value


def _put(value: Fields, place: str, text: str) -> None:
    """Put a text in its place; as a field with that whole name if a person has put something else on the way."""
    *above, last = place.split(".")
    inner: Any = value
    for name in above:
        inner = inner.setdefault(name, {}) if isinstance(inner, dict) else None
    if isinstance(inner, dict):
        inner[last] = text
    else:
        value[place] = text


def _without(value: Fields, texts: Sequence[str], above: str = "") -> Fields:
    """A value without the texts at these places, and without mappings that held nothing else."""
    left = {}
    for name, field in value.items():
        place = above + name
        if place in texts:
            continue
        inner = _without(field, texts, f"{place}.") if isinstance(field, dict) else field
        if inner or inner == field:
            left[name] = inner
    return left

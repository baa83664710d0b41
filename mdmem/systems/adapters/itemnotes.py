"""JSON items as notes that a person can read and edit: their names as paths, their values as notes, and back.

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

Names of items, which may be any text, as file paths that every operating system can hold, and back.

("users", "Ada") and "prefs"   ->  users/~ada/prefs.md
("docs",) and "a/b: draft"     ->  docs/a%2fb%3a draft.md

A capital letter is written as `~` and its small letter, so that no two names differ by case alone. A character
that a file name or a link in Obsidian cannot have is written as its UTF-8 bytes, each as `%` and two hexadecimal
digits. The empty text is `%`. A name that is too long for a file is cut: its first part ends with `~` and names a
folder, in which the rest is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mdmem.errors import NoteError, UsageError
from mdmem.note import fields, memory, naming, patterns
from mdmem.note.memory import Memory
from mdmem.note.properties import PROPERTIES
from mdmem.note.scalars import is_same
from mdmem.note.yamltext import Value
from mdmem.store import layout

SUFFIX = ".md"
_EMPTY = "%"
_GOES_ON = "~"
_CODED = patterns.late(r"(?:%[0-9a-f]{2})+|~.")
_LONGEST = 150  # bytes; naming allows 200, and the parts of a longer one need room to be told from it


def path_of(namespace: Sequence[str], key: str) -> str:
    """The path of an item, relative to the folder of all items."""
    parts = [part for label in namespace for part in _parts(label, in_folder=True)]
    return "/".join([*parts, *_parts(key)]) + SUFFIX


def name_of(path: str) -> tuple[tuple[str, ...], str] | None:
    """(namespace, key) of the item at a path; None for a path that `path_of` does not give."""
    names: list[str] = []
    text = ""
    for part in path.removesuffix(SUFFIX).split("/"):
        text += _decoded(part)
        if not part.endswith(_GOES_ON):
            names.append(text)
            text = ""
    if not names or path_of(names[:-1], names[-1]) != path:
        return None
    return tuple(names[:-1]), names[-1]


def _parts(text: str, in_folder: bool = False) -> list[str]:
    """A name as the name of a file or folder, or of several, each within the one before, if it is too long."""
    name = _encoded(text, in_folder)
    if len(name.encode()) <= _LONGEST:
        return [name]
    middle = len(text) // 2
    first, second = _parts(text[:middle], in_folder), _parts(text[middle:], in_folder)
    return [*first[:-1], first[-1] + _GOES_ON, *second]


def _encoded(text: str, in_folder: bool) -> str:
    chars = [_character(char) for char in text]
    name = "".join(chars)
    if memory.fold(name) != name:  # letters that fold to others beside each other
        chars = [piece if piece.isascii() else _percent(char) for char, piece in zip(text, chars, strict=True)]
    if in_folder:
        chars = [_percent(char) if char == "." else piece for char, piece in zip(text, chars, strict=True)]
    if naming.check_for_obsidian("".join(chars)) or text + SUFFIX in layout.NOT_NOTES:
        for end in {0, len(text) - 1} if text else ():
            chars[end] = _percent(text[end])
    return "".join(chars) or _EMPTY


@lru_cache(4096)
def _character(char: str) -> str:
    small = char.lower()
    if len(small) == 1 and small != char and small.upper() == char and memory.fold(small) == small:
        return _GOES_ON + small
    is_plain = char.isprintable() and char not in "%~" and memory.fold(char) == char
    return char if is_plain and not naming.check_for_obsidian(f"a{char}a") else _percent(char)


def _percent(char: str) -> str:
    return "".join(f"%{byte:02x}" for byte in char.encode("utf-8", "surrogatepass"))


def _decoded(part: str) -> str:
    """The text that a name stands for. For a name that `_encoded` does not give, it may be any text."""
    plain = "" if part == _EMPTY else part.removesuffix(_GOES_ON)
    return _CODED.sub(_meant, plain)


def _meant(coded: re.Match[str]) -> str:
    if coded[0].startswith(_GOES_ON):
        return coded[0][1:].upper()
    try:
        return bytes.fromhex(coded[0].replace("%", "")).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return "\ufffd"


# -- values --------------------------------------------------------------------------------------------------

Fields = dict[str, Any]  # a JSON object

TEXT_OF, MORE = "text_of", "more_fields"
_USUAL = "content"  # the field of the body, where the note does not name one
_OURS = frozenset(PROPERTIES) | {TEXT_OF, MORE}
_PREFIX = "value_"
_CLASHING = patterns.late(rf"(?:{_PREFIX})*(?:{'|'.join(sorted(_OURS))})")
_SIMPLE = patterns.late(r"[^\W\d][\w -]*")
_WORDS = 3  # words from which a text is prose and goes into the body
_CHARS = 12  # characters from which it is, in scripts without spaces between words


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
    return _first_exact(value, path, lambda said, body: _composed(given, said, body, path, vault_id))


def _titled(value: Fields) -> Fields:
    """The title that a value itself has."""
    return {"title": value["title"]} if isinstance(value.get("title"), str) else {}


def edited(before: bytes, value: Fields, path: str, vault_id: str) -> bytes:
    """A note with another value. Whatever else it has stays: mdmem's own properties, comments, the order.

    Raises UsageError for a value that no note can hold, NoteError for a note that cannot be read.
    """
    note = memory.parse(before, path, vault_id)
    if is_same(value_of(note.meta, note.body, path), value):
        return before
    own = {name: given for name, given in note.meta.items() if name in PROPERTIES} | _titled(value)
    try:
        return _first_exact(value, path, lambda said, body: _changed(before, note, own, said, body))
    except UsageError:
        return _first_exact(value, path, lambda said, body: _composed(own, said, body, path, vault_id))


def _first_exact(value: Fields, path: str, make: Callable[[Fields, str], bytes]) -> bytes:
    """The first note that reads back as exactly this value, from the most to the least readable layout.

    Raises UsageError if there is none.
    """
    problem = "it does not read back as it was"
    for laid_out in _layouts(value):
        try:
            data = make(*laid_out)
            note = memory.parse(data, path)
            if is_same(value_of(note.meta, note.body, path), value):
                return data
        except (UsageError, NoteError) as error:
            problem = error.message
    raise UsageError(f"the value cannot be kept as a note: {problem}", "store less in one item, or other names")


def _layouts(value: Fields) -> Iterator[tuple[Fields, str]]:
    """The value as the properties and the body of a note, in several ways."""
    texts = dict(_texts_in(value))
    yield _laid_out(value, texts, ())
    unfit = [name for name, field in value.items() if not _is_exact(name, field)]
    yield _laid_out(value, texts, unfit)
    yield _laid_out(value, {}, unfit)
    yield _laid_out(value, {}, list(value))


def _laid_out(value: Fields, texts: Mapping[str, str], unfit: Sequence[str]) -> tuple[Fields, str]:
    """A value with the texts from these places in the body, and the `unfit` ones of the other fields as JSON."""
    left = _without(value, texts)
    properties = {_property(name): field for name, field in left.items() if name not in unfit}
    if more := {name: field for name, field in left.items() if name in unfit}:
        properties[MORE] = json.dumps(more, ensure_ascii=False)
    if len(texts) > 1:
        properties[TEXT_OF] = [*texts]
        return properties, "\n\n".join(f"{_heading(place)}\n\n{text}" for place, text in texts.items())
    for place in texts.keys() - {_USUAL}:
        properties[TEXT_OF] = place
    return properties, "".join(texts.values())


def _composed(own: Mapping[str, Value], properties: Fields, body: str, path: str, vault_id: str) -> bytes:
    return fields.compose({**own, **properties}, body, path, vault_id)[0]


def _changed(before: bytes, note: Memory, own: Mapping[str, Value], properties: Fields, body: str) -> bytes:
    wanted, was = {**own, **properties}, note.meta
    gone = {name: None for name in was if name not in wanted}
    new = {name: field for name, field in wanted.items() if name not in was or not is_same(was[name], field)}
    data = fields.set_fields(before, {**gone, **new}, note.path)
    return data if note.body.strip("\n") == body else fields.set_body(data, body, note.path)


def _is_exact(name: str, field: Value) -> bool:
    """Whether a property can hold a field exactly."""
    wanted = {_property(name): field}
    try:
        _, note = fields.compose(wanted, "", "a.md")
    except (UsageError, NoteError):
        return False
    return is_same(dict(note.meta), wanted)


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


def _texts_in(value: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """(place, text) of each text of several words; a place is the names that lead there, joined by dots."""
    for name, field in value.items():
        if not _SIMPLE.fullmatch(name):
            continue
        if isinstance(field, dict):
            yield from _texts_in(field, f"{above}{name}.")
        elif isinstance(field, str) and _is_prose(field):
            yield above + name, field


def _is_prose(text: str) -> bool:
    return len(text.split()) >= _WORDS or (len(text) > _CHARS and not text.isascii())


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


def _without(value: Fields, texts: Container[str], above: str = "") -> Fields:
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

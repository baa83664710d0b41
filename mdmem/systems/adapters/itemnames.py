"""Names of items, which may be any text, as file paths that every operating system can hold, and back.

("users", "Ada") and "prefs"   ->  users/~ada/prefs.md
("docs",) and "a/b: draft"     ->  docs/a%2fb%3a draft.md

A capital letter is written as `~` and its small letter, so that no two names differ by case alone. A character
that a file name or a link in Obsidian cannot have is written as its UTF-8 bytes, each as `%` and two hexadecimal
digits. The empty text is `%`. A name that is too long for a file is cut: its first part ends with `~` and names a
folder, in which the rest is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from mdmem.note import memory, naming, patterns
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

"""Converts notes of an old memory tree: header and name are repaired, the text is kept byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from posixpath import basename, splitext

from mdmem.capture import candidates
from mdmem.note import fields
from mdmem.note.header import CATEGORIES
from mdmem.note.memory import Memory
from mdmem.note.yamltext import Value
from mdmem.systems.importers import names, values
from mdmem.systems.importers.sources.markdown import given_title


def converted(data: bytes, note: Memory, identity: str) -> bytes:
    """The bytes of a note with frontmatter, missing properties, and dates, category and tags in the usual form.

    The text below the header keeps its bytes. Raises NoteError for a header that cannot be read.
    """
    additions: dict[str, Value] = {"id": identity, "title": given_title(note), "source": "import"}
    data = fields.to_frontmatter(data, additions, note.path)
    fixes: dict[str, Value] = {}
    if created := values.moment(note.meta.get("created")):
        fixes["created"] = created
    category = ", ".join(note.strings("category")).strip("[]").lower()
    if category in CATEGORIES:
        fixes["category"] = category
    if isinstance(note.meta.get("tags"), str):
        fixes["tags"] = list(candidates.tags_of(note.text("tags")))
    fixes = {key: new for key, new in fixes.items() if new != note.meta.get(key)}
    return fields.set_fields(data, fixes, note.path) if fixes else data


def old_name(path: str) -> str:
    """The name of a note in the old tree: its path without folders and extension."""
    return splitext(basename(path))[0]


def new_name(note: Memory, taken: Callable[[str], bool]) -> str:
    """A free name that follows the protocol: the old one, in lower case if need be, else one from the title."""
    return names.new_name(old_name(note.path), note.title, note.body, taken)

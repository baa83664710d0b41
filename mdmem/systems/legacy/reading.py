"""Reads a note of an old memory tree, and converts it: the part of an import that worker processes can do.

Header and name are repaired, the text is kept byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from posixpath import basename, splitext
from typing import NamedTuple

from mdmem.capture import candidates
from mdmem.errors import NoteError, Problem
from mdmem.note import fields, memory
from mdmem.note.header import CATEGORIES
from mdmem.note.memory import Memory
from mdmem.note.yamltext import Value
from mdmem.store.local import files
from mdmem.systems import intake
from mdmem.systems.importers import values
from mdmem.systems.importers.sources.markdown import given_title

TASK = f"{__name__}:of_file"  # its name for worker processes


class TreeNote(NamedTuple):
    """A note as it is in the tree, with its bytes (`given`), and converted: its new bytes, and those parsed."""

    note: Memory
    given: bytes
    data: bytes
    made: Memory
    id: str

    @property
    def name(self) -> str:
        """Its name in the tree."""
        return splitext(basename(self.note.path))[0]


def of_file(settings: Sequence[str], source: str) -> TreeNote | Problem:
    """Convert a note of the tree that `settings` name, or return its problem.

    A note without an id gets one derived from its path and text.
    """
    (tree,) = settings
    try:
        data = files.read(tree, source)
        note = memory.parse(data, source)
        identity = note.text("id") or memory.derived_id(f"{source}\n{data.decode('utf-8-sig')}", "legacy")
        new = converted(data, note, identity)
        made = memory.parse(new, source)
    except NoteError as error:
        return error.problem
    return TreeNote(note, data, new, made, identity)


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


def new_name(note: Memory, taken: Callable[[str], bool]) -> str:
    """A free name that follows the protocol: the old one, in lower case if need be, else one from the title."""
    return intake.new_name(splitext(basename(note.path))[0], note.title, note.body, taken)

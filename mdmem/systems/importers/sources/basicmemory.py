"""The notes of basic-memory: Markdown with lines that state observations and relations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mdmem.errors import Problem
from mdmem.note import blocks
from mdmem.note.memory import Memory
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import folders
from mdmem.systems.importers.planning import NoteImporter, SourceNote
from mdmem.systems.importers.sources import markdown

_HELP = """Import the notes of basic-memory, in one commit.

PATH is the folder of a project, or one note. Observations keep their lines, relations become links that recall
follows, and links by title or permalink lead to the notes. Its SQLite index is not needed. What is already there
is skipped, or updated where it has changed: importing the same again changes nothing.

\b
Examples:
  mdmem import basic-memory ~/basic-memory --dry-run
"""

# `- relation_type [[Target]] (context)`, see https://docs.basicmemory.com; more words make it a sentence
_RELATION = re.compile(
    r"\s*[-*+]\s+(?P<type>[^\[\]`\s]+(?: [^\[\]`\s]+){0,3})"
    r"\s*\[\[(?P<target>[^\[\]|#]+)[^\[\]]*\]\]\s*(?:\([^()]*\))?\s*"
)


def _read(vault: Vault, given: str, problems: list[Problem]) -> Iterator[SourceNote]:
    """The folder of a project, or one note."""
    return map(_source_note, folders.read(vault, given, problems))


def _source_note(note: Memory) -> SourceNote:
    permalink = note.text("permalink")
    of_project = permalink.partition("/")[2]  # newer versions put the name of the project first
    names = (note.title, permalink, of_project)
    return markdown.of_file(note)._replace(
        identity=permalink,
        aliases=tuple(name for name in names if name),
        relations=tuple(_relations(note.body)),
    )


def _relations(body: str) -> Iterator[tuple[str, str]]:
    for _, line in blocks.prose_lines(body):
        if match := _RELATION.fullmatch(line):
            yield match["type"], match["target"].strip()


IMPORTER = NoteImporter("basic-memory", _HELP, _read, folders.at)

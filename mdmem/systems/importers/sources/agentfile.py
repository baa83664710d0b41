"""A file into which an agent writes what it remembers, such as GEMINI.md: a note for each bullet and paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mdmem.capture import concepts
from mdmem.errors import Problem
from mdmem.note import marked
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import folders
from mdmem.systems.importers.planning import NoteImporter, SourceNote

_HELP = """Import what an agent wrote into a memory file of its own, in one commit.

PATH is a file such as GEMINI.md, AGENTS.md or memory_summary.md: each bullet and each paragraph becomes a note.
Where a client writes below a heading of its own ("Gemini Added Memories"), only what is there. What `mdmem export`
wrote, between its marks, is left out. What is already there is skipped: importing again changes nothing.

\b
Examples:
  mdmem import agent-file ~/.gemini/GEMINI.md --dry-run
"""
_OWN = re.compile(r"(?ms)^## Gemini Added Memories[ \t]*\r?$(.*?)(?=^#{1,2} |\Z)")


def _read(vault: Vault, given: str, problems: list[Problem]) -> Iterator[SourceNote]:
    for note in folders.read(vault, given, problems):
        text = marked.around(note.body)
        own = _OWN.findall(text)
        for said in concepts.split("\n".join(own) if own else text):
            if any(map(str.isalpha, said.text)):
                yield SourceNote(note.path, said.text, {})


IMPORTER = NoteImporter("agent-file", _HELP, _read, folders.at, TAKES="file")

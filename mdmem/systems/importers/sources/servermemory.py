"""The knowledge graph of `@modelcontextprotocol/server-memory`: each entity a note, each relation a link."""

from __future__ import annotations

import os
from collections.abc import Iterator

from mdmem.errors import Problem
from mdmem.note.yamltext import Value
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import archives, entities
from mdmem.systems.importers.planning import NoteImporter, SourceNote

FILE = "memory.jsonl"
_HELP = """Import the knowledge graph of the MCP server `memory`: each entity becomes a note, in one commit.

PATH is its memory.jsonl, or the folder with it. Observations become a list, the type a property, relations links
between the notes. A line that cannot be read is named and left out. What is already there is skipped, or
updated where it has changed: importing the same again changes nothing.

\b
Examples:
  mdmem import server-memory ~/memory.jsonl --dry-run
"""


def _read(vault: Vault, given: str, problems: list[Problem]) -> Iterator[SourceNote]:
    """The file, or that in a folder. Raises NotFoundError for a folder without one, NoteError for no text."""
    del vault
    place = os.path.join(given, FILE) if os.path.isdir(given) else given
    text, _ = archives.given(place)
    graph, found = entities.parse(text, place)
    problems += found
    leading: dict[str, list[tuple[str, str]]] = {}
    for one in graph.relations:
        leading.setdefault(one.source, []).append((one.type, one.target))
    for name, kind, said in graph.entities:
        properties: dict[str, Value] = {"title": name, "type": kind}
        relations = tuple(leading.get(name, ()))
        yield SourceNote(name, entities.body_of(said), properties, identity=name, relations=relations)


IMPORTER = NoteImporter("server-memory", _HELP, _read)

"""The knowledge graph of `@modelcontextprotocol/server-memory`: each entity a note, each relation a link."""

from __future__ import annotations

import os
from collections.abc import Callable

from mdmem.errors import NotFoundError
from mdmem.importers import entities, planning
from mdmem.importers.entities import EntityGraph
from mdmem.importers.planning import NoteImportPlan, SourceNote, SourceNotes
from mdmem.note import memory
from mdmem.vault.vault import Vault

NOUN = planning.NOUN
TAKES = "path"
FILE = "memory.jsonl"
HELP = """Import the knowledge graph of the MCP server `memory`: each entity becomes a note, in one commit.

PATH is its memory.jsonl, or the folder with it. Observations become a list, the type a property, relations links
between the notes. A line that cannot be read is named and left out. What is already there is skipped, or
updated where it has changed: importing the same again changes nothing.

\b
Examples:
  mdmem import server-memory ~/memory.jsonl --dry-run
"""

write = planning.write


def plan(
    vault: Vault, given: str, progress: Callable[[int, int], None], allow_secret: bool = False
) -> NoteImportPlan:
    """Read the graph at `given`, and say what would be imported. Nothing is written.

    Raises NotFoundError for a folder without one, NoteError for what is not text.
    """
    place = os.path.join(given, FILE) if os.path.isdir(given) else given
    try:
        with open(place, "rb") as file:
            text = memory.decode_any(file.read(), place)
    except OSError as error:
        raise NotFoundError(f"{place} cannot be read: {error.strerror}") from None
    graph, problems = entities.parse(text, place)
    read = SourceNotes(_notes(graph), problems, "server-memory")
    return planning.plan(vault, read, progress, allow_secret)


def _notes(graph: EntityGraph) -> list[SourceNote]:
    leading: dict[str, list[tuple[str, str]]] = {}
    for one in graph.relations:
        leading.setdefault(one.source, []).append((one.type, one.target))
    return [
        SourceNote(
            source=entity.name,
            body=entities.body_of(entity.observations),
            properties={"title": entity.name, "type": entity.type},
            identity=entity.name,
            relations=tuple(leading.get(entity.name, ())),
        )
        for entity in graph.entities
    ]

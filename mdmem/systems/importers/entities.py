"""Notes as entities of a knowledge graph with observations and relations, and back.

The format is that of `@modelcontextprotocol/server-memory`: JSON Lines of `{"type": "entity", "name",
"entityType", "observations"}` and `{"type": "relation", "from", "to", "relationType"}`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from mdmem.capture.turns import string
from mdmem.errors import Problem
from mdmem.note.yamltext import Value
from mdmem.systems.importers import archives
from mdmem.systems.importers.planning import ImportRun, NoteImporter, SourceNote
from mdmem.systems.intake import ImportProblems

_ITEM = re.compile(r"[-*+] +")
_INDENT = "  "
_FIX = "write a line as server-memory does, or delete it"


class Entity(NamedTuple):
    """A thing in the graph, and what is said about it."""

    name: str
    type: str
    observations: tuple[str, ...]


class EntityRelation(NamedTuple):
    """A relation from one entity to another, both given by name."""

    source: str
    target: str
    type: str


class EntityGraph(NamedTuple):
    """The entities and relations of a file."""

    entities: tuple[Entity, ...]
    relations: tuple[EntityRelation, ...]


def parse(text: str, source: str) -> tuple[EntityGraph, list[Problem]]:
    """The graph in a file. A line that cannot be read, or that does not fit, is a problem and is skipped."""
    entities: dict[str, Entity] = {}
    relations: dict[EntityRelation, None] = {}
    problems = ImportProblems()
    for number, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        fix, read = _FIX, _of_line(row)
        if isinstance(read, Entity) and read.name in entities:
            fix, read = "merge the two lines", f"describes {read.name} a second time"
        if isinstance(read, EntityRelation):
            relations[read] = None
        elif isinstance(read, Entity):
            entities[read.name] = read
        else:
            problems.left_out(source, f"{read}; that line is left out", fix, number)
    for one in [one for one in relations if one.source not in entities]:
        del relations[one]
        message = f"{one.source} {one.type} {one.target}: there is no {one.source}; not carried"
        problems.not_carried(source, message, "add the entity")
    return EntityGraph(tuple(entities.values()), tuple(relations)), problems


def _of_line(row: str) -> Entity | EntityRelation | str:
    """The entity or relation on a line, or a message about what is wrong with the line."""
    try:
        data = json.loads(row)
    except (ValueError, RecursionError):
        return "is not JSON"
    kind = data.get("type") if isinstance(data, dict) else None
    if kind == "relation":
        source, target, type = (string(data.get(key)) for key in ("from", "to", "relationType"))
        return EntityRelation(source, target, type) if source and target and type else "names no relation"
    if kind != "entity":
        return "is not an entity or a relation"
    name, said = string(data.get("name")), data.get("observations", [])
    if not name.strip():
        return "is an entity without a name"
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        return "has observations that are not a list of texts"
    return Entity(name, string(data.get("entityType")), tuple(said))


def text_of(graph: EntityGraph) -> str:
    """A graph as the text of a file, entities first, as server-memory writes it."""
    rows: list[dict[str, Any]] = [
        {"type": "entity", "name": one.name, "entityType": one.type, "observations": list(one.observations)}
        for one in graph.entities
    ]
    rows += [
        {"type": "relation", "from": one.source, "to": one.target, "relationType": one.type}
        for one in graph.relations
    ]
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)


def body_of(observations: Iterable[str]) -> str:
    """Observations as a Markdown list; the further lines of an observation are indented."""
    return "\n".join("- " + one.strip().replace("\n", f"\n{_INDENT}") for one in observations if one.strip())


def observations_of(body: str) -> Sequence[str]:
    """The observations in a text: the items of its list, or else its paragraphs."""
    rows = body.strip().split("\n")
    pieces = list(_items(rows))
    if pieces and all(_ITEM.match(row) or row.startswith(_INDENT) or not row.strip() for row in rows):
        return pieces
    return [part.strip() for part in re.split(r"\n[ \t]*\n", body.strip()) if part.strip()]


def _items(rows: Iterable[str]) -> Iterator[str]:
    item: list[str] = []
    for row in rows:
        marker = _ITEM.match(row)
        if marker and item:
            yield "\n".join(item).strip()
            item = []
        item.append(row[marker.end() :] if marker else row.removeprefix(_INDENT))
    if item:
        yield "\n".join(item).strip()


# -- importing them ------------------------------------------------------------------------------------------

FILE = "memory.jsonl"
_HELP = """Import the knowledge graph of the MCP server `memory`: each entity becomes a note, in one commit.

PATH is its memory.jsonl, or the folder with it. Observations become a list, the type a property, relations links
between the notes. A line that cannot be read is named and left out. What is already there is skipped, or
updated where it has changed: importing the same again changes nothing.

\b
Examples:
  mdmem import server-memory ~/memory.jsonl --dry-run
"""


def _read_graph(run: ImportRun) -> Iterator[SourceNote]:
    """The file, or that in a folder. Raises NotFoundError for a folder without one, NoteError for no text."""
    place = os.path.join(run.given, FILE) if os.path.isdir(run.given) else run.given
    text, _ = archives.given(place)
    graph, found = parse(text, place)
    run.problems.extend(found)
    leading: dict[str, list[tuple[str, str]]] = {}
    for one in graph.relations:
        leading.setdefault(one.source, []).append((one.type, one.target))
    for name, kind, said in graph.entities:
        properties: dict[str, Value] = {"title": name, "type": kind}
        relations = tuple(leading.get(name, ()))
        yield SourceNote(name, body_of(said), properties, identity=name, relations=relations)


SERVER_MEMORY = NoteImporter("server-memory", _HELP, _read_graph)

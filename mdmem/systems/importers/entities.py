"""Notes as entities of a knowledge graph with observations and relations, and back.

The format is that of `@modelcontextprotocol/server-memory`: JSON Lines of `{"type": "entity", "name",
"entityType", "observations"}` and `{"type": "relation", "from", "to", "relationType"}`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mdmem.capture.turns import string
from mdmem.errors import Problem
from mdmem.note.yamltext import Value
from mdmem.systems.importers import archives
from mdmem.systems.importers.planning import ImportRun, NoteImporter, SourceNote
from mdmem.systems.intake import ImportProblems

_ITEM = re.compile(r"[-*+] +")
_INDENT = "  "
_FIX = "write a line as server-memory does, or delete it"


Row = dict[str, Any]  # a line of the file


def entity(name: str, kind: str, observations: Iterable[str]) -> Row:
    """The row of a thing in the graph, and of what is said about it."""
    return {"type": "entity", "name": name, "entityType": kind, "observations": list(observations)}


def relation(source: str, target: str, kind: str) -> Row:
    """The row of a relation from one entity to another, both given by name."""
    return {"type": "relation", "from": source, "to": target, "relationType": kind}


def parse(text: str, source: str) -> tuple[list[Row], list[Problem]]:
    """The rows of a file, entities first. A line that cannot be read or does not fit is a problem."""
    entities: dict[str, Row] = {}
    relations: dict[tuple[str, ...], Row] = {}  # each once
    problems = ImportProblems()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        read = _of_line(line)
        if isinstance(read, str):
            problems.left_out(source, f"{read}; that line is left out", _FIX, number)
        elif read["type"] == "entity":
            if entities.setdefault(read["name"], read) is not read:
                message = f"describes {read['name']} a second time; that line is left out"
                problems.left_out(source, message, "merge the two lines", number)
        else:
            relations[tuple(read.values())] = read
    for _, one, target, kind in relations:
        if one not in entities:
            message = f"{one} {kind} {target}: there is no {one}; not carried"
            problems.not_carried(source, message, "add the entity")
    return [*entities.values(), *(row for row in relations.values() if row["from"] in entities)], problems


def _of_line(line: str) -> Row | str:
    """The row on a line, or a message about what is wrong with the line."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return "is not JSON"
    kind = data.get("type") if isinstance(data, dict) else None
    if kind == "relation":
        names = [string(data.get(key)) for key in ("from", "to", "relationType")]
        return relation(*names) if all(names) else "names no relation"
    if kind != "entity":
        return "is not an entity or a relation"
    name, said = string(data.get("name")), data.get("observations", [])
    if not name.strip():
        return "is an entity without a name"
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        return "has observations that are not a list of texts"
    return entity(name, string(data.get("entityType")), said)


def text_of(rows: Iterable[Row]) -> str:
    """Rows as the text of a file, as server-memory writes it."""
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
    rows, found = parse(text, place)
    run.problems.extend(found)
    leading: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        if row["type"] == "relation":
            leading.setdefault(row["from"], []).append((row["relationType"], row["to"]))
    for row in rows:
        if row["type"] == "entity":
            name = row["name"]
            properties: dict[str, Value] = {"title": name, "type": row["entityType"]}
            relations = tuple(leading.get(name, ()))
            yield SourceNote(name, body_of(row["observations"]), properties, identity=name, relations=relations)


SERVER_MEMORY = NoteImporter("server-memory", _HELP, _read_graph)

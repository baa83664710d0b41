"""The memory that Claude Code keeps of a project: one file for each fact, and an index of them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from mdmem.errors import Problem
from mdmem.note import links, marked, memory
from mdmem.note.memory import Memory
from mdmem.note.titles import MOST_CHARS
from mdmem.note.yamltext import Value
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import folders, values
from mdmem.systems.importers.planning import NoteImporter, SourceNote
from mdmem.systems.importers.sources import markdown

_HELP = """Import the memory that Claude Code keeps of a project, in one commit.

PATH is a folder of one-fact files with MEMORY.md, such as ~/.claude/projects/-home-me-shop/memory, or the folder
around it. The name, description, type, session and date of each become properties. MEMORY.md is only the index of
the others; what else it says becomes a note, without what `mdmem export` wrote there. What is already there is
skipped, or updated where its file has changed: importing the same again changes nothing.

\b
Examples:
  mdmem import claude-memory ~/.claude/projects/-home-me-shop --dry-run
"""

INDEX = "MEMORY.md"
_FOLDER = "memory"  # in the folder of a project
_TYPES = {"user": "fact", "feedback": "preference", "project": "fact", "reference": "note"}
_SCOPES = {"user": "user", "project": "project"}
_OURS = {"originSessionId": "session", "modified": "updated", "created": "created"}
_OF_INDEX = re.compile(r"\s*(?:#.*|[-*+]\s+.*\]\([^()]*\.md\).*|[-*+]\s+\[\[.*|)")


def _read(vault: Vault, given: str, problems: list[Problem]) -> list[SourceNote]:
    """The folder, or `memory` in it."""
    folder = _inner(given)
    read = folders.read(vault, folder, problems)
    facts = [_fact(note) for note in read if note.path != INDEX]
    pages = [page for note in read if note.path == INDEX if (page := _page(note, problems))]
    project = _project(folder)
    return [note._replace(identity=f"{project}/{note.source}" if project else "") for note in (*facts, *pages)]


def _inner(given: str) -> str:
    inner = os.path.join(given, _FOLDER)
    return inner if os.path.isdir(inner) else given


def _at(given: str, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    return folders.at(_inner(given), problems)


def _project(folder: str) -> str:
    """The project whose memory is in a folder, as Claude Code names its folder; "" for any other folder."""
    place = os.path.realpath(folder)
    return os.path.basename(os.path.dirname(place)) if os.path.basename(place) == _FOLDER else ""


def _fact(note: Memory) -> SourceNote:
    given = {key.strip(): value for key, value in note.meta.items()}
    nested = given.pop("metadata", None)
    said: dict[str, Value] = {**given, **(nested if isinstance(nested, dict) else {"metadata": nested})}
    kind = memory.as_text(said.pop("type", "")).strip()
    said |= {"type": _TYPES.get(kind, kind), "scope": _SCOPES.get(kind), f"{values.KEPT_AS}type": kind}
    if said.get("node_type") == "memory":
        del said["node_type"]
    said = {_OURS.get(key, key): value for key, value in said.items()}
    return markdown.of_file(note)._replace(properties={**said, "title": _title(note, said)})


def _title(note: Memory, said: Mapping[str, Value]) -> str | None:
    """The description, since it is what a person would say, unless it is long; the name is that of a file."""
    described = memory.as_text(said.get("description"))
    if described and len(described) <= MOST_CHARS:
        return described
    return (
        None
        if note.heading
        else memory.name_words((memory.as_text(said.get("name")) or note.name).replace("-", "_"))
    )


def _page(note: Memory, problems: list[Problem]) -> SourceNote | None:
    """MEMORY.md as a note; None, and a problem, if it only lists the other files."""
    note = note._replace(body=marked.around(note.body))
    rows = note.body.split("\n")
    if any(not _OF_INDEX.fullmatch(row) for row in rows):
        return markdown.of_file(note)
    named = len(links.places(note.body))
    problems.append(values.not_carried(note.path, f"lists {named} of the others; not carried", "nothing is lost"))
    return None


IMPORTER = NoteImporter("claude-memory", _HELP, _read, _at, TAKES="folder")

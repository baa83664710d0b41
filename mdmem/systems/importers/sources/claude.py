"""What Claude.ai remembers about its user: the memories in its export."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mdmem.capture.turns import string
from mdmem.errors import Problem
from mdmem.note import memory, titles
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import archives, values
from mdmem.systems.importers.planning import NoteImporter, SourceNote

_HELP = """Import what Claude.ai remembers: a note about all chats and one about each project, in one commit.

PATH is the zip of an export, its folder, or memories.json in it. Projects get their names from projects.json.
Chats are for `mdmem capture`. What is already there is skipped, or updated where the export has changed: importing
the same again changes nothing.

\b
Examples:
  mdmem import claude data-2026-01-02-batch-0000.zip --dry-run
"""

_MEMORIES = re.compile(r"(?:.*/)?(?:memories\.json|memories/[^/]+\.json)")
_PROJECTS = re.compile(r"(?:.*/)?(?:projects\.json|projects/[^/]+\.json)")


def _read(vault: Vault, given: str, problems: list[Problem]) -> list[SourceNote]:
    """The export. Projects are named wherever they stand in it, so the memories come last."""
    del vault
    memories: list[tuple[str, Any]] = []
    names: dict[str, str] = {}
    for name, source, text in archives.texts(given, _is_wanted, "memories.json", problems):
        for record in archives.records(text, source, problems):
            if _PROJECTS.fullmatch(name):
                names |= _project(record)
            else:
                memories.append((source, record))
    return [note for source, record in memories for note in _notes(record, names, source, problems)]


def _is_wanted(path: str) -> bool:
    return bool(_MEMORIES.fullmatch(path) or _PROJECTS.fullmatch(path))


def _project(record: Any) -> dict[str, str]:
    data = record if isinstance(record, dict) else {}
    return {string(data.get("uuid")): string(data.get("name"))}


def _notes(record: Any, names: Mapping[str, str], source: str, problems: list[Problem]) -> list[SourceNote]:
    data = record if isinstance(record, dict) else {}
    account = string(data.get("account_uuid"))
    found = [*_of_chats(data), *_of_projects(data, names), *_of_files(data)]
    if not found:
        problems.append(values.left_out(source, "has a record without a memory; left out", "export it again"))
    return [note._replace(identity=f"{account}/{note.source}") for note in found]


def _of_chats(data: Mapping[str, Any]) -> Iterator[SourceNote]:
    said = string(data.get("conversations_memory"))
    if said.strip():
        title = "What Claude remembers of all chats"
        yield SourceNote("conversations_memory", said, {"title": title, "scope": "user"})


def _of_projects(data: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[SourceNote]:
    listed = data.get("project_memories")
    for id, said in listed.items() if isinstance(listed, dict) else ():
        if isinstance(said, str) and said.strip():
            name = names.get(id) or id
            title = f"What Claude remembers of {name}"
            yield SourceNote(f"project_memories/{id}", said, {"title": title, "project": name, "project_id": id})


def _of_files(data: Mapping[str, Any]) -> Iterator[SourceNote]:
    listed = data.get("memory_files")
    for file in listed if isinstance(listed, list) else ():
        path, said = (string(file.get(key)) for key in ("path", "content")) if isinstance(file, dict) else ("", "")
        if said.strip():
            title = titles.named(memory.stem(path)) or None
            yield SourceNote(f"memory_files/{path}", said, {"title": title, "scope": "user"})


IMPORTER = NoteImporter("claude", _HELP, _read)

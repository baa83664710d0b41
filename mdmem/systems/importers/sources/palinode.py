"""The memories of palinode: Markdown with entities, in a folder for each kind."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from mdmem.errors import Problem
from mdmem.note import links, memory
from mdmem.note.memory import Memory
from mdmem.note.yamltext import Value
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import folders, values
from mdmem.systems.importers.planning import NoteImporter, SourceNote
from mdmem.systems.importers.sources import markdown

_HELP = """Import the memories of palinode, in one commit.

PATH is its folder, or one file. Types, dates, confidence, priority and entities become properties; those that are
core are pinned. Hashes and the list of links that palinode computes are left out. What is already there is
skipped, or updated where it has changed: importing the same again changes nothing.

\b
Examples:
  mdmem import palinode ~/palinode --dry-run
"""

_FOOTER = re.compile(r"\n*## See also\n+<!-- palinode-auto-footer -->\n(?P<links>(?:[-*] .*\n?)*)\s*\Z")
_COMPUTED = ("content_hash", "auditable_memory", "description_pending")
_HIGHEST = 5  # highest priority; the lowest is 1
_RETIRED = ("superseded", "archived", "expired", "retired")  # states of a memory that no longer holds
_LINKS = (
    "superseded_by",
    "supersedes",
    "contradicts",
    "backed_by",
)  # name memories as `decisions/tabs-in-the-shop`
_TYPES = {"Decision": "decision", "PersonMemory": "fact", "ActionItem": "note", "Insight": "note"}
_PROJECT = "project/"


def _read(vault: Vault, given: str, problems: list[Problem]) -> list[SourceNote]:
    """The folder, or one file."""
    read = folders.read(vault, given, problems)
    stems = {note.name for note in read}
    return [_source_note(note, stems) for note in read]


def _source_note(note: Memory, stems: Collection[str]) -> SourceNote:
    footer = _FOOTER.search(note.body)
    body = note.body[: footer.start()] if footer else note.body
    listed = links.to_notes(footer["links"]) if footer else ()
    related = [("related_to", link.target) for link in listed if link.target in stems]
    related += [(key, target) for key in _LINKS for target in note.strings(key)]
    return markdown.of_file(note)._replace(
        body=body,
        identity=note.text("id"),
        properties=dict(_properties(note)),
        relations=tuple(related),
    )


def _properties(note: Memory) -> Iterator[tuple[str, Value]]:
    """The properties of a memory in mdmem's terms, without those that palinode computes."""
    for key, value in note.meta.items():
        if key not in (*_COMPUTED, *_LINKS, "type", "source", "status"):
            yield key, value
    kind, source, status = note.text("type"), note.text("source"), note.text("status")
    yield "type", _TYPES.get(kind, "note" if kind else "")
    yield f"{values.KEPT_AS}type", kind
    yield f"{values.KEPT_AS}source", source
    yield "status", "deprecated" if status in _RETIRED else ""
    yield f"{values.KEPT_AS}status", status
    if note.text("title"):
        yield "title", note.text("title")
    projects = [
        entity.removeprefix(_PROJECT) for entity in note.strings("entities") if entity.startswith(_PROJECT)
    ]
    if len(projects) == 1:
        yield "project", projects[0]
    if note.flag("core"):
        yield "pinned", True
    priority = memory.as_number(note.meta.get("priority"))
    if priority is not None and 0 < priority <= _HIGHEST:
        yield "importance", priority / _HIGHEST


IMPORTER = NoteImporter("palinode", _HELP, _read, folders.at)

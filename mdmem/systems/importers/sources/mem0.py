"""The memories of mem0, as its `get_all` and its exports give them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mdmem.capture.turns import string
from mdmem.errors import Problem
from mdmem.note.yamltext import Value
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import archives, values
from mdmem.systems.importers.planning import NoteImporter, SourceNote

_HELP = """Import the memories of mem0: each becomes a note, in one commit.

PATH is JSON: what `get_all` or an export of mem0 gives, a list of memories, or one memory a line. Ids, dates,
categories, users and metadata are kept; hashes and scores are left out, and so are the relations of its graph,
which name no memories. What is already there is skipped, or updated where it has changed: importing the
same again changes nothing.

\b
Examples:
  mdmem import mem0 memories.json --dry-run
"""

_LISTS = ("results", "memories")
_TEXTS = ("memory", "data", "text")  # keys of the text in different versions and stores of mem0
_COMPUTED = ("hash", "score", "embedding", "text_lemmatized")
_OURS = {"categories": "tags", "run_id": "session", "agent_id": "actor"}


def _read(vault: Vault, given: str, problems: list[Problem]) -> Iterator[SourceNote]:
    """The file, or the JSON files of the folder."""
    del vault
    for name, source, text in archives.texts(given, _is_wanted, "JSON", problems):
        for place, record in enumerate(_memories(archives.records(text, source, problems), source, problems), 1):
            yield from _source_note(record, f"{name}:{place}", source, problems)


def _is_wanted(path: str) -> bool:
    return path.endswith((".json", ".jsonl"))


def _memories(records: list[Any], source: str, problems: list[Problem]) -> Iterator[Any]:
    for record in records:
        lists = [record[key] for key in _LISTS if isinstance(record, dict) and isinstance(record.get(key), list)]
        if not lists:
            yield record
            continue
        yield from lists[0]
        if graph := record.get("relations"):
            message = f"{len(graph)} relations of its graph name no memories; not carried"
            problems.append(values.not_carried(source, message, "the memories say the same in words"))


def _source_note(record: Any, place: str, source: str, problems: list[Problem]) -> Iterator[SourceNote]:
    """The note for a memory; a record that is not a memory goes into `problems`."""
    said = record if isinstance(record, dict) else {}
    text = next((said[key] for key in _TEXTS if isinstance(said.get(key), str) and said[key].strip()), "")
    if not text:
        message = f"{place} is not a memory of mem0: it has no text; left out"
        problems.append(values.left_out(source, message, f"give it one under '{_TEXTS[0]}'"))
        return
    identity = string(said.get("id"))
    yield SourceNote(identity or place, text.strip(), _properties(said), identity)


def _properties(said: Mapping[str, Any]) -> dict[str, Value]:
    """Everything but the text. Metadata named like another property gets the prefix `metadata_`."""
    left = {key: value for key, value in said.items() if key not in (*_TEXTS, *_COMPUTED, "metadata")}
    properties = {_OURS.get(key, key): values.plain(value) for key, value in left.items()}
    metadata = said.get("metadata")
    for key, value in (metadata if isinstance(metadata, dict) else {}).items():
        properties[f"metadata_{key}" if key in properties else str(key)] = values.plain(value)
    return properties


IMPORTER = NoteImporter("mem0", _HELP, _read)

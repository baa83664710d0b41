"""What other programs remember in JSON: ChatGPT, Claude.ai and mem0."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mdmem.capture.turns import mapping, string
from mdmem.note import memory, titles
from mdmem.note.plural import counted
from mdmem.note.yamltext import Value
from mdmem.systems.importers import archives, values
from mdmem.systems.importers.planning import ImportRun, NoteImporter, SourceNote


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _text(data: Mapping[str, Any], keys: Sequence[str]) -> str:
    """The first text under one of these keys that is not blank, "" if there is none."""
    texts = (value.strip() for key in keys if isinstance(value := data.get(key), str))
    return next(filter(None, texts), "")


# -- ChatGPT: the saved memories in its export, and those copied from its settings ---------------------------

_CHATGPT_DOC = """Import the saved memories of ChatGPT: each becomes a note, in one commit.

PATH is the zip of an export, its folder, a file of it, or a text with one memory a line, as copied from Settings,
Personalization, Memory. Exports have no list of memories; they are found where a chat saved them, and may since
have been deleted in the settings. Chats are for `mdmem capture`. What is already there is skipped: importing
again changes nothing.

\b
Examples:
  mdmem import chatgpt export.zip --dry-run
  mdmem import chatgpt memories.txt
"""
_CHATGPT_FILES = re.compile(r"(?:.*/)?(?:conversations(?:-\d+)?|memories|memory)\.json")
_TEXTS = ("content", "memory", "text")
_JSON = ("{", "[{")  # how JSON begins, and no memory does
_TOOL = "bio"  # the recipient of what ChatGPT wants to remember
_FORGET = re.compile(r"(?:please )?(?:forget|delete|remove)\b", re.I)


def _read_chatgpt(run: ImportRun) -> Iterable[SourceNote]:
    """The export or text. What is said twice is one memory."""
    notes: dict[str, SourceNote] = {}
    for name, source, text in archives.texts(run, _CHATGPT_FILES, "conversations.json"):
        for said, properties in _saved(text, name, source, run):
            note = SourceNote(f"{name}:{len(notes) + 1}", said, {"scope": "user", **properties}, identity=said)
            notes.setdefault(said, note)
    return notes.values()


def _saved(text: str, name: str, source: str, run: ImportRun) -> Iterator[tuple[str, dict[str, Value]]]:
    """What was saved, each with its properties. A problem does not quote it, since it may be a secret."""
    if not (name.endswith(".json") or text.lstrip().startswith(_JSON)):
        rows = (re.sub(r"^[-*•]\s+", "", row.strip()) for row in text.split("\n"))
        yield from ((said, {}) for said in rows if said)
        return
    for record in archives.records(text, source, run):
        data = record if isinstance(record, dict) else {"content": record}
        if isinstance(data.get("mapping"), dict):
            yield from _of_chat(data, source, run)
        elif said := _text(data, _TEXTS):
            yield said, {key: values.plain(value) for key, value in data.items() if key not in _TEXTS}
        else:
            run.problems.left_out(source, "has a memory without a text; left out", "export it again")


def _of_chat(chat: Mapping[str, Any], source: str, run: ImportRun) -> Iterator[tuple[str, dict[str, Value]]]:
    """The memories that a chat saved, on any of its branches."""
    session = string(chat.get("conversation_id")) or string(chat.get("id"))
    for node in chat["mapping"].values():
        message = mapping(mapping(node).get("message"))
        if message.get("recipient") != _TOOL:
            continue
        parts = _listed(mapping(message.get("content")).get("parts"))
        said = "\n".join(part for part in parts if isinstance(part, str)).strip()
        if _FORGET.match(said):
            run.problems.not_carried(source, f"asked to forget: {said}", "delete the memory, if need be")
        elif said:
            yield said, {"created": values.plain(message.get("create_time")), "session": session}


CHATGPT = NoteImporter("chatgpt", _CHATGPT_DOC, _read_chatgpt)


# -- Claude.ai: what it remembers about its user -------------------------------------------------------------

_CLAUDE_DOC = """Import what Claude.ai remembers: a note about all chats and one about each project, in one commit.

PATH is the zip of an export, its folder, or memories.json in it. Projects get their names from projects.json.
Chats are for `mdmem capture`. What is already there is skipped, or updated where the export has changed: importing
the same again changes nothing.

\b
Examples:
  mdmem import claude data-2026-01-02-batch-0000.zip --dry-run
"""
_CLAUDE_FILES = re.compile(r"(?:.*/)?(memories|projects)(?:\.json|/[^/]+\.json)")


def _read_claude(run: ImportRun) -> Iterator[SourceNote]:
    """The export. Projects are named wherever they stand in it, so the memories come last."""
    memories: list[tuple[str, Mapping[str, Any]]] = []
    names: dict[str, str] = {}
    for name, source, text in archives.texts(run, _CLAUDE_FILES, "memories.json"):
        file = _CLAUDE_FILES.fullmatch(name)
        for record in map(mapping, archives.records(text, source, run)):
            if file and file[1] == "projects":
                names[string(record.get("uuid"))] = string(record.get("name"))
            else:
                memories.append((source, record))
    for source, record in memories:
        account = string(record.get("account_uuid"))
        found = [SourceNote(*each, identity=f"{account}/{each[0]}") for each in _parts(record, names)]
        if not found:
            run.problems.left_out(source, "has a record without a memory; left out", "export it again")
        yield from found


def _parts(record: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[tuple[str, str, dict[str, Value]]]:
    """(source, text, properties) of what is remembered of all chats, of projects, and in files."""
    of_chats = string(record.get("conversations_memory"))
    if of_chats.strip():
        title = "What Claude remembers of all chats"
        yield "conversations_memory", of_chats, {"title": title, "scope": "user"}
    for id, said in mapping(record.get("project_memories")).items():
        if isinstance(said, str) and said.strip():
            name = names.get(id) or id
            title = f"What Claude remembers of {name}"
            yield f"project_memories/{id}", said, {"title": title, "project": name, "project_id": id}
    for file in map(mapping, _listed(record.get("memory_files"))):
        path, said = string(file.get("path")), string(file.get("content"))
        if said.strip():
            titled = titles.named(memory.stem(path)) or None
            yield f"memory_files/{path}", said, {"title": titled, "scope": "user"}


CLAUDE = NoteImporter("claude", _CLAUDE_DOC, _read_claude)


# -- mem0: what its `get_all` and its exports give -----------------------------------------------------------

_MEM0_DOC = """Import the memories of mem0: each becomes a note, in one commit.

PATH is JSON: what `get_all` or an export of mem0 gives, a list of memories, or one memory a line. Ids, dates,
categories, users and metadata are kept; hashes and scores are left out, and so are the relations of its graph,
which name no memories. What is already there is skipped, or updated where it has changed: importing the
same again changes nothing.

\b
Examples:
  mdmem import mem0 memories.json --dry-run
"""
_MEM0_FILES = re.compile(r".*\.jsonl?", re.S)
_LISTS = ("results", "memories")
_MEM0_TEXTS = ("memory", "data", "text")  # keys of the text in different versions and stores of mem0
_COMPUTED = ("hash", "score", "embedding", "text_lemmatized")
_OURS = {"categories": "tags", "run_id": "session", "agent_id": "actor"}


def _read_mem0(run: ImportRun) -> Iterator[SourceNote]:
    """The file, or the JSON files of the folder."""
    for name, source, text in archives.texts(run, _MEM0_FILES, "JSON"):
        records = _memories(archives.records(text, source, run), source, run)
        for place, record in enumerate(map(mapping, records), 1):
            if said := _text(record, _MEM0_TEXTS):
                id = string(record.get("id"))
                yield SourceNote(id or f"{name}:{place}", said, _properties(record), id)
            else:
                message = f"memory {place} is none of mem0: it has no text; left out"
                run.problems.left_out(source, message, f"give it one under '{_MEM0_TEXTS[0]}'")


def _memories(records: Iterable[Any], source: str, run: ImportRun) -> Iterator[Any]:
    for record in records:
        data = mapping(record)
        lists = [data[key] for key in _LISTS if isinstance(data.get(key), list)]
        yield from lists[0] if lists else [record]
        graph = data.get("relations")
        if lists and graph:
            message = f"its graph has {counted(len(graph), 'relation')} that name no memory; not carried"
            run.problems.not_carried(source, message, "the memories say the same in words")


def _properties(said: Mapping[str, Any]) -> dict[str, Value]:
    """Everything but the text. Metadata named like another property gets the prefix `metadata_`."""
    left = {key: value for key, value in said.items() if key not in (*_MEM0_TEXTS, *_COMPUTED, "metadata")}
    properties = {_OURS.get(key, key): values.plain(value) for key, value in left.items()}
    for key, value in mapping(said.get("metadata")).items():
        properties[f"metadata_{key}" if key in properties else str(key)] = values.plain(value)
    return properties


MEM0 = NoteImporter("mem0", _MEM0_DOC, _read_mem0)

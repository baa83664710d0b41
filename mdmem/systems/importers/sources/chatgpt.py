"""The saved memories of ChatGPT: those in its export, and those copied from its settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from posixpath import basename
from typing import Any

from mdmem.capture.turns import string
from mdmem.errors import Problem
from mdmem.note.yamltext import Value
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import archives, values
from mdmem.systems.importers.planning import NoteImporter, SourceNote

_HELP = """Import the saved memories of ChatGPT: each becomes a note, in one commit.

PATH is the zip of an export, its folder, a file of it, or a text with one memory a line, as copied from Settings,
Personalization, Memory. Exports have no list of memories; they are found where a chat saved them, and may since
have been deleted in the settings. Chats are for `mdmem capture`. What is already there is skipped: importing
again changes nothing.

\b
Examples:
  mdmem import chatgpt export.zip --dry-run
  mdmem import chatgpt memories.txt
"""

_CHATS = re.compile(r"conversations(?:-\d+)?\.json")
_LISTS = ("memories.json", "memory.json")
_TEXTS = ("content", "memory", "text")
_JSON = ("{", "[{")  # how JSON begins, and no memory does
_TOOL = "bio"  # the recipient of what ChatGPT wants to remember
_FORGET = re.compile(r"(?:please )?(?:forget|delete|remove)\b", re.I)


def _read(vault: Vault, given: str, problems: list[Problem]) -> Iterable[SourceNote]:
    """The export or text. What is said twice is one memory."""
    del vault
    notes: dict[str, SourceNote] = {}
    for name, source, text in archives.texts(given, _is_wanted, "conversations.json", problems):
        for note in _notes(text, name, source, problems):
            notes.setdefault(note.body, note._replace(source=f"{name}:{len(notes) + 1}"))
    return notes.values()


def _is_wanted(path: str) -> bool:
    return basename(path) in _LISTS or bool(_CHATS.fullmatch(basename(path)))


def _notes(text: str, name: str, source: str, problems: list[Problem]) -> Iterator[SourceNote]:
    if not (name.endswith(".json") or text.lstrip().startswith(_JSON)):
        for row in text.split("\n"):
            if said := re.sub(r"^[-*•]\s+", "", row.strip()):
                yield _saved(said, {})
        return
    for record in archives.records(text, source, problems):
        if isinstance(record, dict) and isinstance(record.get("mapping"), dict):
            yield from _of_chat(record, source, problems)
        else:
            yield from _of_list(record, source, problems)


def _saved(said: str, properties: dict[str, Value]) -> SourceNote:
    """A memory, identified by what it says. It is numbered later, since a problem must not quote a secret."""
    return SourceNote("", said, {"scope": "user", **properties}, identity=said)


def _of_list(record: Any, source: str, problems: list[Problem]) -> Iterator[SourceNote]:
    data = record if isinstance(record, dict) else {"content": record}
    said = next((data[key] for key in _TEXTS if isinstance(data.get(key), str) and data[key].strip()), "")
    if not said:
        problems.append(values.left_out(source, "has a memory without a text; left out", "export it again"))
        return
    rest = {key: values.plain(value) for key, value in data.items() if key not in _TEXTS}
    yield _saved(said.strip(), rest)


def _of_chat(chat: dict[str, Any], source: str, problems: list[Problem]) -> Iterator[SourceNote]:
    """The memories that a chat saved, on any of its branches."""
    session = string(chat.get("conversation_id")) or string(chat.get("id"))
    for node in chat["mapping"].values():
        message = node.get("message") if isinstance(node, dict) else None
        if not isinstance(message, dict) or message.get("recipient") != _TOOL:
            continue
        content = message.get("content")
        parts = content.get("parts") if isinstance(content, dict) else None
        said = "\n".join(part for part in parts or () if isinstance(part, str)).strip()
        if _FORGET.match(said):
            problems.append(
                values.not_carried(source, f"asked to forget: {said}", "delete the memory, if need be")
            )
        elif said:
            yield _saved(said, {"created": values.plain(message.get("create_time")), "session": session})


IMPORTER = NoteImporter("chatgpt", _HELP, _read)

"""New memories: `remember` writes one, and first looks for near twins that are there already."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from mdmem.core import layout, memory, moments, naming
from mdmem.core.operation import Caller
from mdmem.core.yaml12 import Value
from mdmem.errors import ConflictError, UsageError
from mdmem.services import recall
from mdmem.store.catalogue import Record
from mdmem.store.vault import Vault

TWIN = 0.85  # share of wording from which two memories say the same (0-1)
_TITLE_TWIN = 0.92
_CANDIDATES = 20
_TITLE_CHARS = 80


class Draft(NamedTuple):
    """A memory to be: its text, and properties (title, type, tags, ...). `name` is "" to have one made."""

    text: str
    properties: Mapping[str, Value]
    name: str = ""


class Twin(NamedTuple):
    """A memory that says nearly the same; `score` is 0-1."""

    record: Record
    score: float


class Remembered(NamedTuple):
    """What `remember` wrote: the path, id and title of the memory and the commit's id."""

    path: str
    id: str
    title: str
    commit: str


def draft_from(text: str, properties: Mapping[str, Value], name: str = "") -> Draft:
    """A draft from what a person or tool handed in: a plain text, or a whole note with its header.

    Given properties win over those of the header. Raises NoteError for a header that cannot be read.
    """
    note = memory.parse(text.encode("utf-8", "surrogateescape"), "the text given")
    if note.problems:
        from mdmem.errors import NoteError

        raise NoteError(note.problems[0])
    given = {key: value for key, value in properties.items() if value is not None}
    if not _encodable(repr(given)):
        raise UsageError("a property is not UTF-8", "type it again")
    return Draft(note.body.strip(), {**note.meta, **given}, name)


def _encodable(text: str) -> bool:
    return "\\udc" not in text  # how repr shows bytes of the command line that are in no encoding


def near_twins(vault: Vault, draft: Draft) -> list[Twin]:
    """Memories that already say nearly what the draft says, nearest first."""
    from rapidfuzz import fuzz, utils

    title = memory.as_text(draft.properties.get("title"))
    query = " ".join(dict.fromkeys(naming.words_of(f"{title} {draft.text}")[:40]))
    found = []
    for hit in recall.candidates(vault.index, query, _CANDIDATES):
        body = vault.index.body(hit.rowid)
        same = fuzz.token_sort_ratio(draft.text, body, processor=utils.default_process) / 100
        named = fuzz.token_sort_ratio(title, hit.title, processor=utils.default_process) / 100 if title else 0.0
        if same >= TWIN or named >= _TITLE_TWIN:
            found.append(Twin(hit, max(same, named if named >= _TITLE_TWIN else 0.0)))
    return sorted(found, key=lambda twin: (-twin.score, twin.record.path))


def remember(vault: Vault, draft: Draft, caller: Caller, reason: str = "") -> Remembered:
    """Write a new memory, one commit.

    Raises UsageError for an empty text or a name against the protocol, ConflictError for a name that is taken.
    """
    if not draft.text.strip() and not draft.properties.get("title"):
        raise UsageError("there is nothing to remember", "give a text, pipe one in, or open an editor with --edit")
    title = memory.as_text(draft.properties.get("title")) or _title_of(draft.text)
    with vault.change(caller.does("create", reason)) as tx:
        created = moments.normal(draft.properties.get("created")) or moments.render(caller.now)

        def taken(name: str) -> bool:
            return is_taken(vault, name) or tx.exists(layout.path_for(name, created, vault.config))

        name = draft.name.removesuffix(".md") or naming.make(title, draft.text, taken)
        if draft.name:
            require_good_name(name)
            if taken(name):
                raise ConflictError(
                    f"there is a memory called {name}", f"choose another name, or mdmem update {name}"
                )
        meta = _properties(draft, title or memory.name_words(name), created, caller)
        path = layout.path_for(name, created, vault.config)
        tx.write(path, memory.render(meta, draft.text))
    return Remembered(path, memory.as_text(meta["id"]), memory.as_text(meta["title"]), tx.commit)


def require_good_name(name: str) -> None:
    """Raise UsageError for a name that mdmem must not write (requirement B10)."""
    for finding in naming.check(name):
        if finding.severity == "error":
            raise UsageError(f"the name '{name}' {finding.message}", f"{finding.fix}; or let mdmem make one")


def new_id(now: datetime) -> str:
    """A UUID v7 (RFC 9562): 48 bits of time in milliseconds, then random."""
    millis = int(now.timestamp() * 1000)
    value = (millis << 80) | (uuid.uuid4().int & ((1 << 80) - 1))
    value = value & ~(0xF << 76) | (0x7 << 76)
    value = value & ~(0x3 << 62) | (0x2 << 62)
    return str(uuid.UUID(int=value))


def is_taken(vault: Vault, name: str) -> bool:
    """Whether a memory has that name, in any folder and in any case."""
    return bool(vault.index.named(name))


def _properties(draft: Draft, title: str, created: str, caller: Caller) -> dict[str, Value]:
    given = dict(draft.properties)
    who = {"session": caller.session, "actor": caller.actor}
    defaults: dict[str, Value] = {"category": "past", **{key: value for key, value in who.items() if value}}
    identity = memory.as_text(given.get("id")) or new_id(caller.now)
    return {**defaults, **given, "id": identity, "title": title, "created": created}


def _title_of(text: str) -> str:
    """The first heading or sentence, if it is short enough to be a title."""
    first = next((line for line in text.strip().splitlines() if line.strip()), "")
    first = first.lstrip("#->* ").strip()
    sentence = first.split(". ", 1)[0].rstrip(".")
    return sentence if len(sentence) <= _TITLE_CHARS else ""

"""Memories that replace others: how they refer to each other, and what is written into each."""

import re
from collections.abc import Mapping
from typing import Any

from mdmem.note import blocks, fields, links, memory, patterns
from mdmem.note.memory import Memory
from mdmem.note.properties import RELATIONS
from mdmem.note.trust import sensitivity
from mdmem.store.index.edges import targets_of
from mdmem.store.index.port import IndexedNote
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault

_MADE_OF = "derived_from"
_PREFERS = patterns.late(
    r"\b(?:user|i)(?:\s+(?:really|now|always|still|also|no longer))*\s+(?:does not |doesn't |do not |don't )?"
    r"(?:prefers?|likes?|loves?|hates?|dislikes?|wants?|enjoys?|favou?rs?)\b|\b(?:my|user's)\s+favou?rite\b",
    re.I,
)


def deprecated(data: bytes, path: str, successor: str) -> bytes:
    """A note marked as deprecated by a successor (a name): status, `superseded_by`, and a warning above its body.

    Doing it again changes nothing. Raises NoteError for a header that cannot be edited safely.
    """
    note = memory.parse(data, path)
    link = f"[[{successor}]]"
    known = [item for item in note.strings("superseded_by") if item != link]
    data = fields.set_fields(data, {"status": "deprecated", "superseded_by": [*known, link]}, path)
    if blocks.is_deprecated(note.body):
        return data
    return fields.prepend_body(data, f"> [!warning] DEPRECATED: See valid architecture in {link}", path)


def retire_superseded(vault: Vault, tx: Transaction, note: Memory) -> None:
    """Mark the memories that a note supersedes as deprecated, in the same change. Links to no memory are ignored.

    Raises NoteError for an old memory whose header cannot be edited safely, UsageError if several have its name.
    """
    replaced = note.strings("supersedes")
    if not replaced:
        return
    from mdmem.store.vault import lookup

    for item in replaced:
        old = lookup.find_exact(vault, item)
        if old is not None and old.path != note.path:
            tx.write(old.path, deprecated(tx.require(old.path), old.path, note.name))


def resolved(vault: Vault, given: Mapping[str, Any]) -> dict[str, Any]:
    """Properties in which each relation links to the memory that the person gave by name, path or id.

    Raises NotFoundError with the nearest names if there is no such memory, UsageError if several match.
    """
    from mdmem.store.vault import lookup

    resolved = dict(given)
    for key, value in given.items():
        if key in RELATIONS and value:
            items = map(memory.as_text, value if isinstance(value, list) else [value])
            named = (lookup.named(vault, links.wikilink_target(item) or item) for item in items)
            resolved[key] = [link_to(vault, record) for record in named]
    return resolved


def inherited(vault: Vault, given: Mapping[str, Any]) -> dict[str, str]:
    """The `sensitivity` and `scope` of a memory with these properties, given what it is based on.

    That is the memories that it replaces or derives from, and their own sources. Memories that the reader may not
    see count too: none of their words are shown.
    """
    index = vault.whole_index
    sources: dict[str, IndexedNote] = {}
    pending = [target for key in ("supersedes", _MADE_OF) for target in targets_of(given.get(key))]
    while pending:
        target = pending.pop()
        exact = index.record(target.removesuffix(".md") + ".md")
        for record in [exact] if exact else index.named(memory.stem(target)) or index.with_id(target):
            if record.path not in sources:
                sources[record.path] = record
                pending += targets_of(record.meta.get(_MADE_OF))
    return sensitivity.inherited(given, [record.meta for record in sources.values()])


def link_to(vault: Vault, record: IndexedNote) -> str:
    """A wikilink to a memory: by its name, or by its path if another memory has the same name."""
    is_shared = len(vault.whole_index.named(record.name)) > 1
    return f"[[{record.path.removesuffix('.md') if is_shared else record.name}]]"


def change(day: str, type: str, text: str) -> str:
    """The newer memory's sentence about a change; `day` is YYYY-MM-DD, `type` and `text` are its own.

    A person changes their mind about a preference; a fact is corrected.
    """
    is_preference = type == "preference" or bool(_PREFERS.search(text))
    return f"User changed mind {day}." if is_preference else f"Corrected {day}."

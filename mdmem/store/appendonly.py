"""Append-only files: entries and the text of episodes are written once; files of scores and verdicts only grow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from mdmem.note import memory
from mdmem.store import layout
from mdmem.store.layout import Kind

if TYPE_CHECKING:
    from mdmem.store.config import VaultConfig

FIX = "bring it back: git restore, or mdmem restore; a correction goes into a new entry"
EPISODE = "is an episode, which is written once"
FIX_EPISODE = "bring it back: git restore, or mdmem restore; what is known now goes into a new memory"
_STATED = ("type", "confidence", "status")
IMMUTABLE = frozenset({"episodic"})  # types of memories that are written once


def objection(path: str, before: bytes | None, after: bytes | None, config: VaultConfig) -> str:
    """Why the file at `path` may not change from `before` to `after` (None: it is deleted); "" if it may.

    Deleting a part of an entry is not checked here: see `torn`.
    """
    if before is None or before == after or layout.kind_of(path, config) != Kind.RAW:
        return ""
    if not layout.only_grows(path, config):
        return "is part of an entry, which is written once" if after is not None else ""
    if after is None:
        return "holds scores or verdicts, which are kept: lines are only added to it"
    added = after[len(before) :]
    is_longer = after.startswith(before) and (before.endswith(b"\n") or added.startswith((b"\n", b"\r\n")))
    return "" if is_longer or not before else "lost or changed lines; they are only added to it"


def torn(deleted: Iterable[str], left: Iterable[str], config: VaultConfig) -> Mapping[str, list[str]]:
    """Folder of an entry -> its parts that were `deleted` while others of the same entry are `left`."""
    remaining = {folder for path in left if (folder := layout.entry_of(path, config))}
    gone: dict[str, list[str]] = {}
    for path in deleted:
        folder = layout.entry_of(path, config)
        if folder in remaining:
            gone.setdefault(folder, []).append(path)
    return gone


def is_rewritten(path: str, before: bytes, after: bytes) -> bool:
    """Whether the memory at `path` is of an immutable type, and no longer says what it said.

    That is its text, type, title, time, confidence and status. Other properties may change: how present it is, who
    may see it, what it is linked to. Raises NoteError for bytes that are not text.
    """
    if before == after or not any(type.encode() in before for type in IMMUTABLE):
        return False
    old, new = memory.parse(before, path), memory.parse(after, path)
    before_after = ((one.title, one.body.strip(), *map(one.text, _STATED)) for one in (old, new))
    return old.type in IMMUTABLE and (len(set(before_after)) > 1 or old.created not in ("", new.created))

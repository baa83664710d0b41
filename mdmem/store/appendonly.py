"""Append-only files: entries and the text of episodes are written once; files of scores and verdicts only grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from mdmem.errors import UsageError
from mdmem.note import memory
from mdmem.store import layout
from mdmem.store.layout import Kind

if TYPE_CHECKING:
    from mdmem.store.config import VaultConfig
    from mdmem.store.operation import Operation
    from mdmem.store.registry import OpenVault, Rewritten

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


def immutable(name: str) -> UsageError:
    """The error for a revision of an episodic record."""
    hint = f"remember what is known now, and link it: mdmem remember ... --related-to {name}"
    return UsageError(f"{name} is episodic: what happened is not rewritten", hint)


def refuse_rewriting(
    vault: OpenVault, what: Operation, written: Mapping[str, Rewritten], tell: Callable[[str], None]
) -> None:
    """A guard of every change (see `store.registry`): refuses to rewrite an episodic record.

    Raises UsageError; tells what a person rewrote by hand. Undoing, restoring and moving are other actions and
    are allowed.
    """
    del vault
    if what.action not in ("revise", "") or what.get("Gardener"):
        return
    for path, text in written.items():
        before, after = (side.encode("utf-8", "surrogateescape") for side in text[:2])
        if not is_rewritten(path, before, after):
            continue
        if what.action:
            raise immutable(memory.stem(path))
        tell(f"{path} {EPISODE}")

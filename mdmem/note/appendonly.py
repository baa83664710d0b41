"""What may become of raw files: the parts of an entry are written once, and scores are only added to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mdmem.config import VaultConfig
from mdmem.note import layout
from mdmem.note.layout import Kind

FIX = "bring it back: git restore, or mdmem restore; a correction goes into a new entry"


def objection(path: str, before: bytes | None, after: bytes | None, config: VaultConfig) -> str:
    """Why the file at `path` may not become `after` (None: it is deleted) if it was `before`, "" if it may.

    Whether an entry is deleted as a whole is not seen here: see `torn`.
    """
    if before is None or before == after or layout.kind_of(path, config) is not Kind.RAW:
        return ""
    if not layout.is_curation(path, config):
        return "is part of an entry, which is written once" if after is not None else ""
    if after is None:
        return "holds scores, which are kept: lines are only added to it"
    added = after[len(before) :]
    is_longer = after.startswith(before) and (before.endswith(b"\n") or added.startswith((b"\n", b"\r\n")))
    return "" if is_longer or not before else "lost or changed lines; they are only added to it"


def torn(deleted: Iterable[str], left: Iterable[str], config: VaultConfig) -> Mapping[str, list[str]]:
    """Folder of an entry -> the parts that were `deleted` while others of the same entry are `left`."""
    remaining = {folder for path in left if (folder := layout.entry_of(path, config))}
    gone: dict[str, list[str]] = {}
    for path in deleted:
        folder = layout.entry_of(path, config)
        if folder in remaining:
            gone.setdefault(folder, []).append(path)
    return gone

"""The three-way merge of any file of a vault, by the kind of file that its path stands for.

The registry of merge rules (see `store.registry`) has one for each kind: memories, append-only logs, raw entries,
which are written once, and derived files. All others are merged line by line, as git does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import takewhile
from typing import TYPE_CHECKING

from mdmem.errors import NoteError
from mdmem.history.merging import notes, order
from mdmem.history.merging.conflict import MEMORY, MergeConflict
from mdmem.history.merging.order import Three, interleave, pick
from mdmem.note import memory
from mdmem.store import layout, registry
from mdmem.store.registry import MergedFile

if TYPE_CHECKING:
    from mdmem.store.config import VaultConfig

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_BOM = "\ufeff"
_ANY = ("utf-8", "surrogateescape")  # decodes any bytes, and encodes them back unchanged


def merge_path(path: str, base: bytes | None, ours: bytes, theirs: bytes, config: VaultConfig) -> MergedFile:
    """The merged file at a path of the vault; None for the base if the two have no common past."""
    if ours in (theirs, base):
        return MergedFile(theirs)
    if theirs == base:
        return MergedFile(ours)
    return registry.merge_rule(rule_of(path, config))(base, ours, theirs)


def rule_of(path: str, config: VaultConfig) -> str:
    """The name of the merge rule for a path."""
    if layout.only_grows(path, config):
        return "log"
    return layout.kind_of(path, config)


def merge_note(base: bytes | None, ours: bytes, theirs: bytes) -> MergedFile:
    """Both versions of a memory, merged. Two memories with one name are both kept, as are two binary files."""
    try:
        old, left, right = None if base is None else _text(base), _text(ours), _text(theirs)
    except NoteError:
        unread = merge_other(base, ours, theirs)
        return unread if _is_text(ours, theirs) else unread._replace(two=(ours, theirs))
    merged = notes.merge(old, left, right)
    kept, moved = notes.namesake(left, right) if merged.is_two else ("", "")
    two = (kept.encode(), moved.encode()) if merged.is_two else None
    return MergedFile(merged.text.encode(), merged.conflicts, two)


def merge_log(base: bytes | None, ours: bytes, theirs: bytes) -> MergedFile:
    """All lines of both versions of an append-only file; new lines are interleaved by time, then by text."""
    texts = Three(*((data or b"").decode(*_ANY) for data in (base, ours, theirs)))
    eol = "\r\n" if all("\r\n" in text for text in texts[1:]) else "\n"
    rows = texts.each(lambda text: text.replace("\r\n", "\n").removesuffix("\n").split("\n"))
    both = takewhile(lambda pair: pair[0] == pair[1], zip(*rows[1:], strict=False))
    old = rows.base if base else [row for row, _ in both]
    new = interleave(_added(rows.ours, old), _added(rows.theirs, old), _moment_rank)
    return MergedFile("".join(row + eol for row in [*old, *new]).encode(*_ANY))


def _added(rows: Iterable[str], old: Iterable[str]) -> list[str]:
    """The lines that are not among the old ones, in order. A repeated line must be as often among the old ones."""
    known = Counter(old)
    added = []
    for row in rows:
        known[row] -= 1
        if known[row] < 0:
            added.append(row)
    return added


def _moment_rank(row: str) -> tuple[str, str]:
    found = _MOMENT.search(row)
    return found[0] if found else "", row


def merge_raw(base: bytes | None, ours: bytes, theirs: bytes) -> MergedFile:
    """Part of a raw entry, which is written once: if the sides differ, both are kept, one under another name."""
    kept, moved = sorted((ours, theirs))
    if base is not None:
        return MergedFile(pick(Three(base, ours, theirs), both=min), _whole(kept, moved))
    return MergedFile(kept, _whole(kept, moved), (kept, moved))


def merge_derived(base: bytes | None, ours: bytes, theirs: bytes) -> MergedFile:
    """A derived file: either version will do until it is generated again."""
    del base
    return MergedFile(max(ours, theirs))


def merge_other(base: bytes | None, ours: bytes, theirs: bytes) -> MergedFile:
    """Any other file, merged line by line; one that is not text keeps our version."""
    if not _is_text(ours, theirs):
        return MergedFile(ours, _whole(ours, theirs))
    text, conflicts = order.merge_lines(Three(*((data or b"").decode(*_ANY) for data in (base, ours, theirs))))
    return MergedFile(text.encode(*_ANY), conflicts)


def _is_text(*contents: bytes) -> bool:
    """Whether all contents are text in UTF-8 or an encoding with the same line ends; git uses the same test."""
    return not any(b"\0" in data for data in contents)


def _text(data: bytes) -> str:
    """The text of a note, with its byte order mark. Raises NoteError."""
    bom = _BOM if data.startswith(memory.BOM) else ""
    return bom + memory.decode(data, "")


def _whole(ours: bytes, theirs: bytes) -> tuple[MergeConflict, ...]:
    """The conflict between two files as a whole."""
    return (MergeConflict(MEMORY, ours.decode("utf-8", "replace"), theirs.decode("utf-8", "replace")),)

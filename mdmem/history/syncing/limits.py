"""What a sync changes on each side, note by note, and the circuit breaker for deletions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mdmem.errors import StoppedError
from mdmem.history.shown import PastSight
from mdmem.history.syncing import kinds
from mdmem.history.syncing.joining import NoteIds
from mdmem.note import memory
from mdmem.store import layout
from mdmem.store.git.repo import PathChange
from mdmem.store.vault.vault import Vault

FEWEST, SHARE = 10, 0.1  # deleting this many notes, and more than this share of all, needs consent
ADDED, REVISED, REMOVED, RENAMED = "added", "revised", "removed", "renamed"


class SyncedChange(NamedTuple):
    """The change to a note: `kind` is added, revised, removed or renamed; `path` is where the note is, or was."""

    kind: str
    name: str
    path: str


def changes(vault: Vault, differences: Iterable[PathChange]) -> tuple[SyncedChange, ...]:
    """The changes to notes among the differences of two commits, by path."""
    notes = sorted(change for change in differences if kinds.is_note(vault, change.path))
    moved = _moved(vault, [change for change in notes if not change.old_blob], notes)
    homes = set(moved.values())
    return tuple(
        SyncedChange(kind, memory.stem(change.path), change.path.removeprefix(vault.repo.prefix))
        for change in notes
        if (kind := RENAMED if change.path in homes else _kind(change)) and change.path not in moved
    )


def check(vault: Vault, remote: str, came: Sequence[SyncedChange], went: Sequence[SyncedChange]) -> None:
    """Raises StoppedError if a sync would delete FEWEST or more notes, and more than SHARE of all, on a side."""
    for where, side in (("here", came), (f"on {remote}", went)):
        lost = [change for change in side if change.kind == REMOVED]
        if len(lost) < FEWEST:
            continue
        held = sum(1 for _ in _notes(vault, vault.repo.head()[0]))
        total = held if where == "here" else held + len(lost)
        if len(lost) > SHARE * total:
            sight = PastSight(vault)
            names = ", ".join(change.name for change in lost[:3] if sight.shows(change.path))
            raise StoppedError(
                f"this would delete {len(lost)} of {total} notes {where} ({names} ...); nothing was changed",
                "if that is what you want, say so with --yes",
            )


def _kind(change: PathChange) -> str:
    if not change.blob:
        return REMOVED
    return REVISED if change.old_blob else ADDED


def _moved(vault: Vault, added: Sequence[PathChange], notes: Sequence[PathChange]) -> dict[str, str]:
    """old path -> new path of notes that moved, recognised by identical bytes or by their id."""
    gone = [change for change in notes if not change.blob]
    if not (gone and added):
        return {}
    ids = NoteIds(vault)
    homes = {change.blob: change.path for change in added}
    homes |= {id: path for path, id in ids.of({change.path: change.blob for change in added}).items()}
    marks = {change.path: change.old_blob for change in gone}
    return {path: homes[mark] for each in (marks, ids.of(marks)) for path, mark in each.items() if mark in homes}


def _notes(vault: Vault, commit: str) -> Iterable[str]:
    if commit:
        files = vault.repo.files(commit)
        yield from (file.path for file in files if layout.kind_of(file.path, vault.config) == layout.Kind.MEMORY)

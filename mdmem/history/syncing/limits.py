"""What a sync changes on each side, note by note, and what stops it: many deletions, and secrets sent first."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdmem.errors import Problem, StoppedError
from mdmem.history.shown import PastSight
from mdmem.history.syncing import kinds
from mdmem.history.syncing.joining import NoteIds, Sent, Side
from mdmem.note import memory
from mdmem.store import layout
from mdmem.store.git.repo import PathChange
from mdmem.store.vault.vault import Vault
from mdmem.write import guard

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
    moved = _moved(vault, notes)
    new, found = set(moved.values()), []
    for change in notes:
        kind = REVISED if change.blob and change.old_blob else ADDED if change.blob else REMOVED
        if change.path not in moved:
            path = change.path.removeprefix(vault.repo.prefix)
            found.append(SyncedChange(RENAMED if change.path in new else kind, memory.stem(path), path))
    return tuple(found)


def check(vault: Vault, remote: str, came: Sequence[SyncedChange], went: Sequence[SyncedChange]) -> None:
    """Raises StoppedError if a sync would delete FEWEST or more notes, and more than SHARE of all, on a side."""
    for where, side in (("here", came), (f"on {remote}", went)):
        lost = [change for change in side if change.kind == REMOVED]
        if len(lost) < FEWEST:
            continue
        files = vault.repo.files("HEAD") if vault.repo.head_commit() else ()
        held = sum(layout.kind_of(file.path, vault.config) == layout.Kind.MEMORY for file in files)
        total = held if where == "here" else held + len(lost)
        if len(lost) > SHARE * total:
            sight = PastSight(vault)
            names = ", ".join(change.name for change in lost[:3] if sight.shows(change.path))
            raise StoppedError(
                f"this would delete {len(lost)} of {total} notes {where} ({names} ...); nothing was changed",
                "if that is what you want, say so with --yes",
            )


def _moved(vault: Vault, notes: Sequence[PathChange]) -> dict[str, str]:
    """old path -> new path of notes that left their path for a new one, recognised by id or by identical bytes."""
    parted = {change.path: change for change in notes if not (change.blob and change.old_blob)}
    if len({bool(change.blob) for change in parted.values()}) < 2:
        return {}  # nothing was removed, or nothing added
    return {old: new for old, new in Side(parted, NoteIds(vault)).places.items() if new}


# -- secrets -----------------------------------------------------------------------------------------------

_AT_ONCE = 500  # changes whose texts are in memory at a time


def leaks(vault: Vault, sent: Sent) -> tuple[Problem, ...]:
    """The secrets that commits, newest first, added to memories.

    They are found by the rules of the pre-commit hook: errors in a strict vault, else warnings. Each kind is
    reported once per memory, where it was added last.
    """
    versions = [(commit, *version) for commit, changes in sent for version in _versions(vault, changes)]
    found: dict[tuple[str, str], Problem] = {}
    for start in range(0, len(versions), _AT_ONCE):
        some = versions[start : start + _AT_ONCE]
        blobs = list({blob for _, _, *both in some for blob in both if blob})
        contents = zip(blobs, vault.repo.blobs(blobs), strict=True)
        texts = {"": "", **{blob: data.decode("utf-8", "replace") for blob, data in contents}}
        for commit, path, before, after in some:
            for leak in guard.problems(vault, path, texts[before], texts[after]):
                fix = f"change it where it is used; mdmem purge {memory.stem(path)} erases it from the history"
                told = leak._replace(message=f"{leak.message}, since commit {commit[:8]}", fix=fix)
                found.setdefault((path, leak.message), told)
    return tuple(found.values())


def _versions(vault: Vault, changes: Iterable[PathChange]) -> Iterator[tuple[str, str, str]]:
    """(path, blob before, blob after) of each memory that a commit made or changed, under whatever path it was."""
    notes = [change for change in changes if kinds.is_note(vault, change.path)]
    old = {change.path: change.old_blob for change in notes}
    origins = {new: path for path, new in _moved(vault, notes).items()}
    for change in notes:
        before = old[origins.get(change.path, change.path)]
        if change.mode.startswith("100") and change.blob != before:
            yield change.path.removeprefix(vault.repo.prefix), before, change.blob


def refuse_leaks(vault: Vault, remote: str, found: Sequence[Problem]) -> None:
    """Raises StoppedError for the first secret that is an error, as it is in a strict vault."""
    errors = [leak for leak in found if leak.severity == "error"]
    if not errors:
        return
    first = errors[0]
    where = first.where if PastSight(vault).shows(first.path) else "a note that is not shown here"
    raise StoppedError(
        f"{where}: {first.message}; nothing was sent to {remote} ([hooks] strict = true)",
        f"{first.fix}; mdmem sync --allow-secret sends it all the same",
    )

"""Which memory a change in git's history is about.

git follows paths and guesses renames by likeness; a memory is its id. Here the two meet: a rename that git
guessed between notes of different ids is taken apart, a deletion and a creation of one id in one commit are a
rename, and one memory is followed from what it is now back to its beginning.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from mdmem.errors import NoteError
from mdmem.git import log
from mdmem.git.log import Commit, FileChange
from mdmem.note import layout, memory
from mdmem.vault.vault import Vault


def commits(vault: Vault, only: Sequence[str] | None = None) -> Iterator[Commit]:
    """The commits that touched the vault, newest first, or `only` these, as given."""
    for commit in log.commits(vault.repo, only=only):
        yield commit._replace(changes=told_apart(vault, commit.changes))


def told(vault: Vault, commits: Iterable[Commit]) -> Iterator[Commit]:
    """The commits that changed memories or raw entries, each with only its changes of those.

    Purges and syncs that merged are among them, without changes.
    """
    for commit in commits:
        changes = tuple(change for change in commit.changes if is_of_truth(vault, change))
        if changes or is_remnant(commit) or is_sync(commit):
            yield commit._replace(changes=changes)


def uncommitted(vault: Vault) -> tuple[FileChange, ...]:
    """How the memories in the folder differ from the last commit."""
    changes = (change for change in log.uncommitted(vault.repo) if is_of_memory(vault, change))
    return told_apart(vault, tuple(changes))


def memory_changes(vault: Vault, commit: Commit) -> tuple[FileChange, ...]:
    """The changes of a commit that are about memories."""
    return tuple(change for change in commit.changes if is_of_memory(vault, change))


def is_of_memory(vault: Vault, change: FileChange) -> bool:
    """Whether a change is about a memory, before or after."""
    return any(layout.kind_of(path, vault.config) == layout.Kind.MEMORY for path in (change.path, change.old_path))


def is_of_truth(vault: Vault, change: FileChange) -> bool:
    """Whether a change is about a memory or a raw file, before or after."""
    truth = (layout.Kind.MEMORY, layout.Kind.RAW)
    return any(layout.kind_of(path, vault.config) in truth for path in (change.path, change.old_path))


def is_remnant(commit: Commit) -> bool:
    """Whether a commit is a purge, or what one left of a change: it changes nothing and merges nothing."""
    return bool(commit.operation.action) and not commit.changes and len(commit.parents) < 2


def is_sync(commit: Commit) -> bool:
    """Whether a commit joins what two machines wrote; its reason says what was decided."""
    return commit.operation.action == "merge" and len(commit.parents) > 1


def told_apart(vault: Vault, changes: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
    """The changes with each rename being one of a memory, whatever git took for one; deletions come last.

    Only where something was deleted, renamed, or made beside something changed, can a memory have another path
    afterwards.
    """
    letters = {change.letter for change in changes if is_of_memory(vault, change)}
    made: set[str] = set()
    if {"A", "M"} <= letters:
        additions = (change for change in changes if change.letter == "A" and is_of_memory(vault, change))
        made = {_written_after(vault, change) for change in additions} - {""}
    if not (made or letters & {"R", "D"}):
        return changes
    apart = [part for change in changes for part in _split(vault, change, made)]
    return tuple(sorted(_joined(vault, apart), key=lambda change: "AMTRD".find(change.letter)))


def _split(vault: Vault, change: FileChange, made: Container[str]) -> list[FileChange]:
    """A change in which one memory took the place of another, as the deletion of one and the making of another.

    `made` are the ids of files that are new beside it: what was here may have moved to one of them.
    """
    if change.letter not in "RM" or not is_of_memory(vault, change):
        return [change]
    if not (_replaces(vault, change) or _moved_on(vault, change, made)):
        return [change]
    gone = change._replace(letter="D", path=change.old_path, after="")
    return [gone, change._replace(letter="A", old_path=change.path, before="")]


def _moved_on(vault: Vault, change: FileChange, made: Container[str]) -> bool:
    """Whether the memory of a file is in a new one now, and no longer in this."""
    before = _written_before(vault, change)
    return before in made and before != _written_after(vault, change)


def _replaces(vault: Vault, change: FileChange) -> bool:
    """Whether a file surely held another memory after a change than before."""
    before = _written_before(vault, change)
    after = _written_after(vault, change) if before else ""
    return bool(before and after) and before != after


def _joined(vault: Vault, changes: list[FileChange]) -> list[FileChange]:
    """The changes with a deletion and a creation of the same id made one rename."""
    gone = [change for change in changes if change.letter == "D" and is_of_memory(vault, change)]
    made = [change for change in changes if change.letter == "A" and is_of_memory(vault, change)]
    if not (gone and made):
        return changes
    homes = {id: change for change in made if (id := _written_after(vault, change))}
    for old in gone:
        new = homes.pop(_written_before(vault, old), None)
        if new is not None:
            changes[changes.index(old)] = new._replace(letter="R", old_path=old.path, before=old.before)
            changes.remove(new)
    return changes


def follow(vault: Vault, path: str, id: str, alive: bool) -> Iterator[Commit]:
    """The commits of one memory, newest first, each with only its own changes.

    It is the one at `path` in the folder if `alive`, else the deleted one of that id. It is followed through
    renames, and through deletions by its id. The index knows which commits may be about it, so that git need
    compare the trees of those alone.
    """
    trail = _Trail(vault, path, id, alive)
    trail.own(uncommitted(vault))
    order = log.order(vault.repo)
    telling = set(log.order(vault.repo, "--fixed-strings", f"--grep={id}"))
    at = 0
    while at < len(order):
        concerning = trail.concerning()
        wanted = set(order) if concerning is None else concerning | telling
        for commit in commits(vault, [oid for oid in order[at:] if oid in wanted]):
            place = trail.place
            own = trail.own(commit.changes) or (id in commit.operation.ids and trail.named(commit.changes))
            if own or (id in commit.operation.ids and is_remnant(commit)):
                yield commit._replace(changes=tuple(own or ()))
            if trail.place != place:  # from here on it is another path that commits have to be about
                at = order.index(commit.oid, at) + 1
                break
        else:
            return


class _Trail:
    """Walks back through history on the track of one memory."""

    def __init__(self, vault: Vault, path: str, id: str, alive: bool) -> None:
        self.vault = vault
        self.place: str | None = path if alive else None  # where it is, as of the commit looked at
        self.ids = {id}  # what it was known by; more than one if its id was derived from a path

    def concerning(self) -> set[str] | None:
        """The commits in which its track can go on; None if the index does not know, for a path of no memory."""
        if self.place is None:
            return self.vault.index.deleting_commits()
        is_memory = layout.kind_of(self.place, self.vault.config) == layout.Kind.MEMORY
        return self.vault.index.commits_of(self.place) if is_memory else None

    def own(self, changes: Iterable[FileChange]) -> list[FileChange]:
        """The changes that are about this memory; moves the track back beyond them."""
        found = []
        for change in changes:
            if change.letter == "D":
                if self._is_deletion(change):
                    self.place = change.path
                    found.append(change)
            elif change.path == self.place:
                found.append(change)
                self._back(change)
        return found

    def _is_deletion(self, change: FileChange) -> bool:
        """Whether a change deleted this memory, which came back later."""
        if self.place is not None or not is_of_memory(self.vault, change):
            return False
        return id_before(self.vault, change) in self.ids

    def _back(self, change: FileChange) -> None:
        if change.letter == "A" or _replaces(self.vault, change):
            self.place = None  # before this there was no such memory, or another one at this path
            return
        self.ids.add(id_before(self.vault, change))
        self.place = change.old_path

    def named(self, changes: Iterable[FileChange]) -> list[FileChange]:
        """Changes of the memory on a branch where it had another path than where it was merged."""
        plain = [change for change in changes if change.letter in "AMR" and change.after]
        return [change for change in plain if _written_after(self.vault, change) in self.ids]


def id_before(vault: Vault, change: FileChange) -> str:
    """The id of the memory that a change found, derived from its path if none was written."""
    return _written_before(vault, change) or memory.derived_id(change.old_path, vault.config.id)


def id_after(vault: Vault, change: FileChange) -> str:
    """The id of the memory that a change left, derived from its path if none is written."""
    return _written_after(vault, change) or memory.derived_id(change.path, vault.config.id)


def _written_before(vault: Vault, change: FileChange) -> str:
    if not (change.before and change.plain):
        return ""
    return written_id(vault, vault.repo.file(change.before, change.old_path), change.old_path)


def _written_after(vault: Vault, change: FileChange) -> str:
    """The id written in what a change left, in the folder if it is not committed."""
    if change.letter == "D" or not change.plain:
        return ""
    data = vault.repo.file(change.after, change.path) if change.after else vault.read(change.path)
    return written_id(vault, data, change.path)


def written_id(vault: Vault, data: bytes, path: str) -> str:
    """The id that stands in a note, "" if none does or it cannot be read."""
    try:
        note = vault.parse(data, path)
    except NoteError:
        return ""
    return note.id if note.has_id else ""


def note_undone(commit: Commit, undone: set[str]) -> None:
    """Add to `undone` what a commit took back, unless that is undone itself; for commits from the latest on."""
    if commit.operation.action == "undo" and commit.oid not in undone:
        undone.update(commit.operation.get("Undoes"))

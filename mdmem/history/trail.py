"""Which memory a change in git's history is about.

git follows paths and guesses renames by similarity; a memory is identified by its id. Here the two are reconciled:
a rename that git guessed between notes with different ids is split, a deletion and a creation of the same id in
one commit become a rename, and a memory is followed from what it is now back to its beginning.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice

from mdmem.errors import NoteError
from mdmem.note import memory
from mdmem.note.trust import tombstone
from mdmem.store import layout
from mdmem.store.git import log
from mdmem.store.git.log import Commit, FileChange
from mdmem.store.index.port import Deleted
from mdmem.store.vault.vault import Vault

PERMANENT = "Permanent"  # trailer with the id of a memory that programs must not find again
NEVER_UNDONE = ("undo", "rebuild", "purge")  # actions that only the id of their commit selects for an undo
_AT_ONCE = 64  # commits whose changes are looked up together: a caller that stops early needs few


def commits(vault: Vault, only: Sequence[str] | None = None) -> Iterator[Commit]:
    """The commits that touched the vault, newest first; with `only`, just these, in the given order."""
    listed = log.messages(vault.repo, only=only)
    while part := list(islice(listed, _AT_ONCE)):
        for commit in _changed(vault, part):
            yield commit._replace(changes=told_apart(vault, commit.changes))


def _changed(vault: Vault, bare: Sequence[Commit]) -> Iterator[Commit]:
    """The commits with their changes: the index knows those of most, git compares trees for the others."""
    known = vault.whole_index.changes_in([commit.oid for commit in bare])
    unknown = [commit.oid for commit in bare if commit.oid not in known]
    asked = {commit.oid: commit for commit in log.commits(vault.repo, only=unknown)}
    for commit in bare:
        if commit.oid in known:
            yield commit._replace(changes=tuple(_change(*change) for change in known[commit.oid]))
        else:
            yield asked.get(commit.oid, commit)


def _change(path: str, before: str, after: str) -> FileChange:
    """The change of a file that stayed where it was."""
    return FileChange("M" if before and after else "D" if before else "A", path, path, before, after)


def told(vault: Vault, commits: Iterable[Commit]) -> Iterator[Commit]:
    """The commits that changed memories or raw entries, each with only those changes.

    Purges and merges by sync are included, without changes.
    """
    for commit in commits:
        changes = tuple(change for change in commit.changes if is_of_truth(vault, change))
        is_sync = commit.operation.action == "merge" and len(commit.parents) > 1
        if changes or is_sync or is_remnant(commit):
            yield commit._replace(changes=changes)


def uncommitted(vault: Vault) -> tuple[FileChange, ...]:
    """The changes to memories in the folder since the last commit."""
    return tuple(change for change in _uncommitted(vault) if is_of_memory(vault, change))


def _uncommitted(vault: Vault) -> tuple[FileChange, ...]:
    """As `uncommitted`, of all files; git is not asked if there were none when the index was freshened."""
    return told_apart(vault, tuple(log.uncommitted(vault.repo))) if vault.whole_index.differing() else ()


def memory_changes(vault: Vault, commit: Commit) -> tuple[FileChange, ...]:
    """The changes of a commit that are about memories."""
    return tuple(change for change in commit.changes if is_of_memory(vault, change))


def is_of_memory(vault: Vault, change: FileChange, *others: str) -> bool:
    """Whether the old or the new path of a change is a memory's, or of one of some other kinds."""
    kinds = (layout.Kind.MEMORY, *others)
    return any(layout.kind_of(path, vault.config) in kinds for path in {change.path, change.old_path})


def is_of_truth(vault: Vault, change: FileChange) -> bool:
    """Whether the old or the new path of a change is that of a memory or a raw file."""
    return is_of_memory(vault, change, layout.Kind.RAW)


def is_remnant(commit: Commit) -> bool:
    """Whether a commit is a purge, or what a purge left of a commit: it changes nothing and is not a merge."""
    return bool(commit.operation.action) and not commit.changes and len(commit.parents) < 2


def told_apart(vault: Vault, changes: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
    """The changes, corrected so that each rename is one of a memory, whatever git guessed; deletions come last.

    A memory can only change its path if a file was deleted or renamed, or was created while another one changed.
    """
    if {change.letter for change in changes} in ({"A"}, {"M"}):
        return changes
    about = [change for change in changes if is_of_memory(vault, change)]
    letters = {change.letter for change in about}
    made: set[str] = set()  # the ids in files that were created
    if {"A", "M"} <= letters:
        made = {_written_after(vault, change) for change in about if change.letter == "A"}
    if not (made - {""} or letters & {"R", "D"}):
        return changes
    apart: list[FileChange] = []
    for change in changes:
        if change.letter in "RM" and change in about and _is_replaced(vault, change, made):
            gone = change._replace(letter="D", path=change.old_path, after="")
            apart += [gone, change._replace(letter="A", old_path=change.path, before="")]
        else:
            apart.append(change)
    return tuple(sorted(_joined(vault, apart), key=lambda change: "AMTRD".find(change.letter)))


def _is_replaced(vault: Vault, change: FileChange, made: Container[str] = ()) -> bool:
    """Whether a file certainly held another memory before, by its id; it may be among those `made` elsewhere."""
    before = _written_before(vault, change)
    after = _written_after(vault, change) if before else ""
    return before != after and bool(after or before in made)


def _joined(vault: Vault, changes: list[FileChange]) -> list[FileChange]:
    """The changes, with each deletion and creation of the same id joined into a rename."""
    gone, made = (
        [change for change in changes if change.letter == letter and is_of_memory(vault, change)]
        for letter in "DA"
    )
    homes = {id: change for change in made if (id := _written_after(vault, change))} if gone else {}
    for old in gone if homes else ():
        new = homes.pop(_written_before(vault, old), None)
        if new is not None:
            changes[changes.index(old)] = new._replace(letter="R", old_path=old.path, before=old.before)
            changes.remove(new)
    return changes


def deletions(vault: Vault) -> list[Deleted]:
    """Every deletion of a memory or of a raw file, which has no id, latest first."""
    return [*_deleted(vault, None, _uncommitted(vault)), *_deletions(vault)]


def _deletions(vault: Vault) -> list[Deleted]:
    """The deletions that are committed."""

    def read(oids: list[str]) -> dict[str, list[Deleted]]:
        found = list(commits(vault, oids))
        changes = (change for commit in found for change in commit.changes)
        vault.repo.bring(change.before for change in changes if _takes_away(vault, change))
        return {commit.oid: list(_deleted(vault, commit, commit.changes)) for commit in found}

    return vault.whole_index.deletions(read)


def _deleted(vault: Vault, commit: Commit | None, changes: Iterable[FileChange]) -> Iterator[Deleted]:
    """What a commit deleted; None for what is not committed."""
    when, actor, oid = (commit.when, commit.actor, commit.oid) if commit else (None, "", "")
    reason = commit.operation.reason if commit and commit.operation.action else ""
    for change in changes:
        path, kind = change.old_path, layout.kind_of(change.old_path, vault.config)
        item = Deleted(path, "", "", when, actor, reason, oid, change.before)
        if kind == layout.Kind.MEMORY and _takes_away(vault, change) and change.plain:
            id, title, purged = _last(vault, change)
            permanent = commit is not None and id in commit.operation.get(PERMANENT)
            yield item._replace(id=id, title=title, permanent=permanent, purged=purged)
        elif kind == layout.Kind.RAW and change.letter in "DR":
            yield item


def _takes_away(vault: Vault, change: FileChange) -> bool:
    """Whether a file is gone after a change, or moved to where no memories are, such as Obsidian's own trash."""
    is_out = change.letter == "R" and layout.kind_of(change.path, vault.config) != layout.Kind.MEMORY
    return change.letter == "D" or is_out


def _last(vault: Vault, change: FileChange) -> tuple[str, str, str]:
    """(id, title, day it was purged) of the memory that a change deletes."""
    path = change.old_path
    try:
        note = vault.parse(vault.repo.file(change.before, path), path)
    except NoteError:
        return memory.derived_id(path, vault.config.id), memory.name_words(memory.stem(path)), ""
    return note.id, note.title, tombstone.purged_on(note)


def follow(vault: Vault, path: str, id: str, alive: bool) -> Iterator[Commit]:
    """The commits of one memory, newest first, each with only the changes to that memory.

    If `alive`, it is the memory at `path` in the folder; else the deleted one with that id. It is followed through
    renames, and by its id through deletions. The index knows which commits may be about it, so that git has to
    compare the trees of those only.
    """
    index, trail = vault.whole_index, _Trail(vault, path if alive else None, id)
    trail.own(uncommitted(vault))
    _bring(vault, path)
    telling, last = index.told([id]), ""  # the last commit after which the place was another one
    while True:
        concerning = trail.concerning()
        order = index.told(among=None if concerning is None else {*concerning, *telling, last})
        for commit in commits(vault, order[order.index(last) + 1 :] if last else order):
            place, is_named = trail.place, id in commit.operation.ids
            own = trail.own(commit.changes)
            if is_named and not own:  # on a branch where its path differed from the one after the merge
                plain = (change for change in commit.changes if change.letter in "AMR" and change.after)
                own = [change for change in plain if _written_after(vault, change) in trail.ids]
            if own or (is_named and is_remnant(commit)):
                yield commit._replace(changes=tuple(own))
            if trail.place != place:  # from here on, the relevant commits are those of another path
                last = commit.oid
                break
        else:
            return


def _bring(vault: Vault, path: str) -> None:
    """Fetch what a partial clone lacks of a file's versions, all at once. Raises AwayError."""
    if vault.repo.promisor:
        vault.repo.bring(version.blob for version in vault.whole_index.versions(path))


class _Trail:
    """Follows one memory back through history. `place` is its path at the commit being visited."""

    def __init__(self, vault: Vault, place: str | None, id: str) -> None:
        self.vault, self.place = vault, place
        self.ids = {id}  # its ids; more than one if an id was derived from a path

    def concerning(self) -> set[str] | None:
        """The commits in which the trail may continue; None if the index cannot tell, for paths of other files."""
        if self.place is None:
            return {item.commit for item in _deletions(self.vault) if item.id in self.ids}
        is_memory = layout.kind_of(self.place, self.vault.config) == layout.Kind.MEMORY
        return self.vault.index.commits_of([self.place]) if is_memory else None

    def own(self, changes: Iterable[FileChange]) -> list[FileChange]:
        """The changes that are about this memory; moves the trail back past them."""
        found = []
        for change in changes:
            if change.letter == "D" or (self.place is None and _takes_away(self.vault, change)):
                is_gone = self.place is None and is_of_memory(self.vault, change)
                if is_gone and id_before(self.vault, change) in self.ids:  # it may have been restored later
                    self.place = change.old_path
                    found.append(change)
            elif change.path == self.place:
                found.append(change)
                if change.letter == "A" or _is_replaced(self.vault, change):
                    self.place = None  # before this there was no such memory, or another one at this path
                else:
                    self.ids.add(id_before(self.vault, change))
                    self.place = change.old_path
        return found


def id_before(vault: Vault, change: FileChange) -> str:
    """The id of the memory before a change, derived from its path if none was written."""
    return _written_before(vault, change) or memory.derived_id(change.old_path, vault.config.id)


def id_after(vault: Vault, change: FileChange) -> str:
    """The id of the memory after a change, derived from its path if none is written."""
    return _written_after(vault, change) or memory.derived_id(change.path, vault.config.id)


def _written_before(vault: Vault, change: FileChange) -> str:
    if not (change.before and change.plain):
        return ""
    return written_id(vault, vault.repo.file(change.before, change.old_path), change.old_path)


def _written_after(vault: Vault, change: FileChange) -> str:
    """The id written in a file after a change; if that is not committed, in the file in the folder."""
    if change.letter == "D" or not change.plain:
        return ""
    data = vault.repo.file(change.after, change.path) if change.after else vault.read(change.path)
    return written_id(vault, data, change.path)


def written_id(vault: Vault, data: bytes, path: str) -> str:
    """The id written in a note, "" if it has none or cannot be read."""
    try:
        note = vault.parse(data, path)
    except NoteError:
        return ""
    return note.id if note.has_id else ""


def note_undone(commit: Commit, undone: set[str]) -> None:
    """Add to `undone` the commits that this one took back, unless it was undone itself. Call it newest first."""
    if commit.operation.action == "undo" and commit.oid not in undone:
        undone.update(commit.operation.get("Undoes"))

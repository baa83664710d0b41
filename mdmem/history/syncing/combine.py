"""Merge two commits in objects: path by path for the whole repository, the files themselves by what they are.

Only what both sides changed is merged; that is few files, each in this process. Notes that moved are found by
their ids, other files by git's guess of likeness.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from posixpath import dirname, splitext
from typing import NamedTuple

from mdmem import registry
from mdmem.errors import ConflictError, NoteError
from mdmem.git import trees
from mdmem.git.repo import TreeFile
from mdmem.git.trees import PathChange
from mdmem.history.merging import files
from mdmem.history.syncing import kinds
from mdmem.note import memory, naming
from mdmem.vault.vault import Vault

_LINK_OR_MODULE = ("120000", "160000")


class Combined(NamedTuple):
    """Two commits as one: the tree of the second with these `entries`, by path of the repository (None: gone).

    `merged` are the paths that both sides changed, `conflicts` those of them that need a person; `notices` say
    what was decided.
    """

    entries: Mapping[str, TreeFile | None]
    merged: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


class _Side(NamedTuple):
    """What one side changed since the common past, and where it moved what the other side changed, too."""

    changed: Mapping[str, PathChange]
    moved: Mapping[str, str]

    def file(self, path: str) -> TreeFile | None:
        """The file at a path that this side changed."""
        return self.changed[path].after


def combine(vault: Vault, base: str, ours: str, theirs: str) -> Combined:
    """What two commits are together. Raises ConflictError for files that cannot be merged without a person."""
    return _Combination(vault, base, ours, theirs).run()


class _Combination:
    def __init__(self, vault: Vault, base: str, ours: str, theirs: str) -> None:
        self.vault, self.repo = vault, trees.whole(vault.repo)
        self.base, self.commits = base, (ours, theirs)
        changed = [
            {change.path: change for change in trees.differences(self.repo, base, commit)}
            for commit in self.commits
        ]
        self.ours, self.theirs = (
            _Side(mine, self._moves(commit, mine, other))
            for commit, mine, other in zip(self.commits, changed, reversed(changed), strict=True)
        )
        self.entries: dict[str, TreeFile | None] = {}
        self.merged: list[str] = []
        self.conflicts: list[str] = []
        self.notices: list[str] = []
        self.settled: set[str] = set()  # paths that need no further look

    def run(self) -> Combined:
        """Moves first, for they decide at which path to merge; then what both changed; then what only we did."""
        self._settle_moves()
        for path in self.ours.changed:
            if path in self.settled:
                continue
            if path in self.theirs.changed:
                self._settle_both(path)
            else:
                self.entries[path] = self.ours.file(path)
        self._part_namesakes()
        self._refuse_files_for_folders()
        return Combined(self.entries, *(tuple(found) for found in (self.merged, self.conflicts, self.notices)))

    # -- moves ---------------------------------------------------------------------------------------------

    def _moves(
        self, commit: str, mine: Mapping[str, PathChange], other: Mapping[str, PathChange]
    ) -> dict[str, str]:
        """old path -> new path of what a side moved, as far as the other side changed it."""
        gone = [path for path, change in mine.items() if not change.blob and path in other]
        if not gone:
            return {}
        moved = trees.renames(self.repo, self.base, commit)
        ids = self._ids(change for change in mine.values() if change.blob and not change.old_blob)
        homes = {id: path for path, id in ids.items()}
        known = self._ids(mine[path]._replace(blob=mine[path].old_blob) for path in gone)
        moved |= {path: homes[id] for path, id in known.items() if id in homes}
        return {path: moved[path] for path in gone if path in moved}

    def _settle_moves(self) -> None:
        for old, new in self.ours.moved.items():
            home = self.theirs.moved.get(old, new)
            if home != new:
                self.notices.append(f"{_name(old)} was renamed on both sides: {_name(home)} stays")
                self._leave(new)
            self._meet(old, new, self.theirs.moved.get(old, old), home)
        for old, new in self.theirs.moved.items():
            if old not in self.ours.moved:
                self._meet(old, old, new, new)

    def _leave(self, path: str) -> None:
        """Have a path of ours not be in the result."""
        self.settled.add(path)

    def _meet(self, old: str, our_path: str, their_path: str, home: str) -> None:
        """Merge the file that was at `old` where it is now."""
        home = self._cleared(home, our_path, their_path)
        self.settled |= {old, our_path, their_path, home}
        self.entries[old] = None
        ours, theirs = self.ours.file(our_path), self.theirs.file(their_path)
        if ours and theirs:
            self._merge(home, self._blob_before(old), ours, theirs)
        else:
            self.entries[home] = (ours or theirs or TreeFile(home, trees.FILE, ""))._replace(path=home)
            self.notices.append(f"{_name(home)} stays: one side deleted it, the other moved it")

    def _cleared(self, home: str, our_path: str, their_path: str) -> str:
        """`home`, or another path where the other side has a new file there; a new one of ours goes elsewhere."""
        if home != their_path and home in self.theirs.changed and self.theirs.file(home):
            free = self._free(home)
            self._tell_apart(home, free, "here")
            return free
        newcomer = self.ours.changed.get(home)
        if home != our_path and newcomer and newcomer.after:
            self._keep_both(home, newcomer.after)
        return home

    def _blob_before(self, path: str) -> str:
        change = self.ours.changed.get(path) or self.theirs.changed.get(path)
        return change.old_blob if change else ""

    # -- what both sides changed ---------------------------------------------------------------------------

    def _settle_both(self, path: str) -> None:
        ours, theirs = self.ours.file(path), self.theirs.file(path)
        if ours == theirs:
            return
        if ours and theirs:
            self._merge(path, self.ours.changed[path].old_blob, ours, theirs)
        elif kinds.is_derived(self.vault, path):
            self.entries[path] = None
        else:
            self.entries[path] = ours or theirs
            where = ("here", "there") if ours else ("there", "here")
            self.notices.append(f"{_name(path)} stays: edited {where[0]}, deleted {where[1]}")

    def _merge(self, path: str, base: str, ours: TreeFile, theirs: TreeFile) -> None:
        """Merge the contents of a file."""
        if ours.blob == theirs.blob or {ours.mode, theirs.mode} & set(_LINK_OR_MODULE):
            self._require_same(path, ours, theirs)
            self.entries[path] = theirs._replace(path=path)
            return
        blobs = [base, ours.blob, theirs.blob]
        texts = dict(zip(filter(None, blobs), self.repo.blobs(list(filter(None, blobs))), strict=False))
        merged = self._content(path, texts.get(base), texts[ours.blob], texts[theirs.blob])
        if merged.two:
            self._part(path, ours, *merged.two)
            return
        if merged.conflicts and not self._is_note(path):
            raise ConflictError(
                f"{path} was changed on both sides, and is not a note", "settle it with git: git pull --no-rebase"
            )
        mode = ours.mode if ours.mode != trees.FILE else theirs.mode
        self.entries[path] = TreeFile(path, mode, trees.store(self.repo, merged.data or b""))
        self.merged.append(path)
        if merged.conflicts:
            self.conflicts.append(path)

    def _content(self, path: str, base: bytes | None, ours: bytes, theirs: bytes) -> registry.MergedFile:
        """Two versions of a file as one. What lies outside of the vault is merged line by line."""
        if path.startswith(self.vault.repo.prefix):
            return files.merge_path(self._inner(path), base, ours, theirs, self.vault.config)
        return files.merge_other(base, ours, theirs)

    def _require_same(self, path: str, ours: TreeFile, theirs: TreeFile) -> None:
        """A link or submodule that both sides changed is for git and its person."""
        if ours.blob != theirs.blob:
            raise ConflictError(f"{path} was changed on both sides, and is not a file", "git pull --no-rebase")

    # -- names ---------------------------------------------------------------------------------------------

    def _part(self, path: str, ours: TreeFile, kept: bytes, moved: bytes) -> None:
        """Two files of one name: one keeps it, the other gets another."""
        home = self._free(path)
        for place, data in ((path, kept), (home, moved)):
            self.entries[place] = TreeFile(place, ours.mode, trees.store(self.repo, data))
        origin = "here" if self.entries[home] == ours._replace(path=home) else "there"
        self._tell_apart(path, home, origin)

    def _keep_both(self, path: str, ours: TreeFile) -> None:
        """A file of theirs keeps the name, ours gets another."""
        home = self._free(path)
        self.entries[home] = ours._replace(path=home)
        self.entries.pop(path, None)
        self._tell_apart(path, home, "here")

    def _tell_apart(self, path: str, home: str, origin: str) -> None:
        self.notices.append(f"two notes are called {_name(path)}: the one from {origin} is {_name(home)} now")

    def _part_namesakes(self) -> None:
        """Notes that both sides added under names that mean the same, in other folders or other capitals."""
        added = {
            naming.fold(_name(path)): path
            for path, change in self.theirs.changed.items()
            if change.blob and not change.old_blob and self._is_note(path)
        }
        for path, change in self.ours.changed.items():
            twin = added.get(naming.fold(_name(path)), path)
            file = self.entries.get(path)
            if twin != path and file and not change.old_blob and self._is_note(path):
                del self.entries[path]
                self._keep_both(path, file)

    def _refuse_files_for_folders(self) -> None:
        """Raises ConflictError where a file of one side is a folder of the other, for git can hold only one."""
        theirs = {path: change.after for path, change in self.theirs.changed.items()}
        there = {path for path, file in {**theirs, **self.entries}.items() if file}
        for path in there:
            for folder in _folders(path):
                if folder in there:
                    raise ConflictError(
                        f"{folder} is a file on one side and a folder on the other",
                        f"git mv {folder} to another name, commit, then: mdmem sync",
                    )

    def _free(self, path: str) -> str:
        """A path for a note beside another: its name with the first number that no note has."""
        stem, ending = splitext(path)
        names, number = self._names(), 2
        while naming.fold(_name(home := f"{stem}_{number}{ending}")) in names:
            number += 1
        return home

    def _names(self) -> set[str]:
        """All names of files, folded."""
        paths = (file.path for commit in self.commits for file in self.repo.files(commit))
        return {naming.fold(_name(path)) for path in (*paths, *self.entries)}

    # -- what a file is ------------------------------------------------------------------------------------

    def _inner(self, path: str) -> str:
        """A path of the repository as one of the vault."""
        return path.removeprefix(self.vault.repo.prefix)

    def _is_note(self, path: str) -> bool:
        return kinds.is_note(self.vault, path)

    def _ids(self, changes: Iterable[PathChange]) -> dict[str, str]:
        """path -> the id of the note that is there after a change; left out where there is none."""
        notes = [change for change in changes if self._is_note(change.path)]
        blobs = self.repo.blobs([change.blob for change in notes])
        ids = {change.path: self._id(change.path, data) for change, data in zip(notes, blobs, strict=True)}
        return {path: id for path, id in ids.items() if id}

    def _id(self, path: str, data: bytes) -> str:
        """The id that a note has of its own, "" if it has none or cannot be read."""
        try:
            note = self.vault.parse(data, self._inner(path))
        except NoteError:
            return ""
        return note.id if note.has_id else ""


def _folders(path: str) -> Iterator[str]:
    """The folders that a path goes through."""
    while path := dirname(path):
        yield path


def _name(path: str) -> str:
    return memory.stem(path)

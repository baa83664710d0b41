"""Where one side now has the files of the common base.

A memory is identified by its id, whatever its path. A file that gave its name to another memory is searched for by
its id; one without an id, by its text and by git's guesses of renames.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mdmem.history import trail
from mdmem.history.syncing import kinds
from mdmem.store.git import trees
from mdmem.store.git.repo import TreeFile
from mdmem.store.git.trees import PathChange
from mdmem.store.vault.vault import Vault

Changes = Mapping[str, PathChange]  # by path in the repository


class Side(NamedTuple):
    """The changes of one side, and where the changed files are now: old path -> new path, None if deleted."""

    changed: Changes
    places: Mapping[str, str | None]

    def file(self, path: str | None) -> TreeFile | None:
        """The file at a path that this side changed."""
        return None if path is None else self.now(path)

    def now(self, path: str) -> TreeFile | None:
        return self.changed[path].after

    def before(self, path: str) -> TreeFile | None:
        """The file at a path in the common base, if this side changed it."""
        one = self.changed.get(path)
        return TreeFile(path, one.old_mode, one.old_blob) if one and one.old_blob else None

    @property
    def added(self) -> list[str]:
        """The paths of new files."""
        known = set(self.places.values())
        return [path for path, change in self.changed.items() if change.blob and path not in known]


class NoteIds:
    """The ids that notes of a repository have in them; each blob is parsed once."""

    def __init__(self, vault: Vault) -> None:
        self.vault, self.repo = vault, vault.repo.whole
        self._known: dict[str, str] = {}

    def of(self, blobs: Mapping[str, str]) -> dict[str, str]:
        """path -> the id written in the note there; notes without one are left out."""
        notes = {path: blob for path, blob in blobs.items() if blob and kinds.is_note(self.vault, path)}
        new = {blob: path for path, blob in notes.items() if blob not in self._known}
        for (blob, path), data in zip(new.items(), self.repo.blobs(list(new)), strict=True):
            self._known[blob] = trail.written_id(self.vault, data, path)
        return {path: id for path, blob in notes.items() if (id := self._known[blob])}

    def written(self, path: str, blob: str) -> str:
        """The id written in one file, "" if it has none."""
        return self.of({path: blob}).get(path, "")


def in_place(changed: Changes) -> Side:
    """A side whose files are taken to be where they were."""
    return Side(changed, {path: path if change.blob else None for path, change in _older(changed).items()})


def followed(ids: NoteIds, base: str, commit: str, changed: Changes) -> Side:
    """A side with each of its files tracked to its current path."""
    return Side(changed, _Search(ids, changed).run(base, commit))


def _older(changed: Changes) -> dict[str, PathChange]:
    """The changes to files that existed before."""
    return {path: change for path, change in changed.items() if change.old_blob}


class _Search:
    """Finds the new paths: by id, then by identical text, then by similarity. The rest did not move."""

    def __init__(self, ids: NoteIds, changed: Changes) -> None:
        self.repo, self.changed = ids.repo, changed
        self.before = ids.of({path: change.old_blob for path, change in changed.items()})
        self.after = ids.of({path: change.blob for path, change in changed.items()})
        self.places: dict[str, str | None] = {}
        self.taken: set[str] = set()

    def run(self, base: str, commit: str) -> dict[str, str | None]:
        """old path -> new path, None if deleted."""
        self._by_id()
        self._by_text()
        self._by_likeness(base, commit)
        for path in self._left():
            stays = self.changed[path].blob and path not in self.taken and not self._is_other(path, path)
            self.places[path] = path if stays else None
        return self.places

    def _left(self) -> list[str]:
        """The old paths of files not found yet."""
        return [path for path in _older(self.changed) if path not in self.places]

    def _settle(self, old: str, new: str) -> None:
        self.places[old] = new
        self.taken.add(new)

    def _by_id(self) -> None:
        homes = {id: path for path, id in self.after.items() if self.before.get(path) != id}
        for path, id in self.before.items():
            if self.after.get(path) == id:
                self._settle(path, path)
            elif id in homes:
                self._settle(path, homes.pop(id))

    def _by_text(self) -> None:
        """Find files that are elsewhere byte for byte, while something else is at their old path."""
        homes = {change.blob: path for path, change in self.changed.items() if path not in self.taken}
        for path in self._left():
            old = self.changed[path].old_blob
            home = homes.get(old, path)
            if home != path and home not in self.taken and self._is_replaced(path):
                self._settle(path, home)

    def _is_replaced(self, path: str) -> bool:
        """Whether the file at a path now has nothing to do with the one that was there."""
        change = self.changed[path]
        if not change.blob or path in self.taken:
            return True
        old, new = (
            {*data.split(b"\n")} - {b"", b"---"} for data in self.repo.blobs([change.old_blob, change.blob])
        )
        return len(old & new) * 2 < len(old)

    def _by_likeness(self, base: str, commit: str) -> None:
        lost = [path for path in self._left() if not self.changed[path].blob or path in self.taken]
        if not lost:
            return
        guesses = trees.renames(self.repo, base, commit)
        for path in lost:
            home = guesses.get(path)
            if home is not None and home not in self.taken and not self._is_other(path, home):
                self._settle(path, home)

    def _is_other(self, old: str, new: str) -> bool:
        """Whether two paths certainly hold different memories."""
        ids = self.before.get(old), self.after.get(new)
        return all(ids) and ids[0] != ids[1]

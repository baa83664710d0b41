"""Where a derived tree is: in folders of its own, or with its files among others.

A folder of its own has a `.gitignore` as a mark, which keeps all of it out of git. Files among others are ignored
by their names.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from stat import S_ISLNK
from typing import NamedTuple

from mdmem.errors import ConflictError
from mdmem.store import layout
from mdmem.store.git import exclude
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault


class Stamp(NamedTuple):
    """A file's size in bytes, and its modification time in nanoseconds."""

    size: int
    time: int


class FolderTree:
    """A tree with folders of its own. `mark` is the .gitignore in each, which ignores the whole folder."""

    name: str
    mark: bytes
    elsewhere: str

    def folders(self, known: Iterable[str] = ()) -> list[str]:
        """Its folders, and those with files that it is known to have written."""
        raise NotImplementedError

    def claim(self, vault: Vault, ours: Collection[str]) -> None:
        """Create and mark its folders. Raises ConflictError for one that holds files of others."""
        known = {*ours, layout.audit_log(vault.config)}  # the only file of another tree in one of these folders
        for folder in self.folders():
            place = files.locate(vault.root, folder)
            mark = os.path.join(place, ".gitignore")
            if _is_marked(mark, self.mark):
                continue
            others = (path for path in sorted(_files_in(vault.root, folder)) if path not in known)
            foreign = next((path for path in others if not self._is_cloned(vault, path)), None)
            if foreign or os.path.lexists(mark) or (os.path.lexists(place) and not os.path.isdir(place)):
                message = f"{folder}/ is in use: {foreign or folder} was not written by the {self.name}"
                raise ConflictError(message, self.elsewhere)
            os.makedirs(place, exist_ok=True)
            with open(mark, "xb") as file:
                file.write(self.mark)

    def wrote(self, vault: Vault, path: str) -> bool:
        """Whether a file looks as if the tree wrote it."""
        raise NotImplementedError

    def _is_cloned(self, vault: Vault, path: str) -> bool:
        """Whether a file of this tree came with a clone, as git tracks the files of trees here."""
        return vault.config.derived.commit == "all" and self.wrote(vault, path)

    def present(self, vault: Vault, known: Iterable[str]) -> dict[str, Stamp]:
        """Every file in its folders except for the marks, with its stamp."""
        there: dict[str, Stamp] = {}
        for folder in self.folders(known):
            there |= _files_in(vault.root, folder)
            there.pop(f"{folder}/.gitignore", None)
        return there

    def top(self, path: str) -> str:
        """The folder of the tree that a file is in; it stays even if it becomes empty."""
        return next(folder for folder in self.folders([path]) if path.startswith(folder + "/"))


class ScatteredTree:
    """A tree whose files are among others. git ignores them by `info/exclude`, which nobody has to maintain."""

    name: str
    elsewhere: str

    def patterns(self) -> list[str]:
        """The patterns for git to ignore: paths in the vault, in which `*` stands for any name."""
        raise NotImplementedError

    def places(self, vault: Vault) -> Iterable[str]:
        """Every path at which one of its files may be."""
        raise NotImplementedError

    def claim(self, vault: Vault, ours: Collection[str]) -> None:
        """Have git ignore its files."""
        del ours  # they may lie beside any others
        exclude.ignore(vault.repo, self.patterns())

    def present(self, vault: Vault, known: Iterable[str]) -> dict[str, Stamp]:
        """The files of it that exist, with their stamps."""
        there: dict[str, Stamp] = {}
        for path in {*self.places(vault), *known}:
            with suppress(FileNotFoundError, NotADirectoryError):
                there[path] = _stamp(os.stat(os.path.join(vault.root, path), follow_symlinks=False))
        return there

    def top(self, path: str) -> str:
        """The first folder on the path to a file; it stays even if it becomes empty."""
        return path.partition("/")[0] if "/" in path else "."


def _files_in(root: str, folder: str) -> dict[str, Stamp]:
    try:
        entries = list(os.scandir(os.path.join(root, folder)))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    there: dict[str, Stamp] = {}
    for entry in entries:
        path = f"{folder}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            there |= _files_in(root, path)
        else:
            there[path] = _stamp(entry.stat(follow_symlinks=False))
    return there


def _stamp(status: os.stat_result) -> Stamp:
    """The stamp of a file; a symbolic link gets one that no file has."""
    return Stamp(-2, 0) if S_ISLNK(status.st_mode) else Stamp(status.st_size, status.st_mtime_ns)


def _is_marked(mark: str, words: bytes) -> bool:
    if not os.path.isfile(mark) or os.path.islink(mark):
        return False
    with open(mark, "rb") as file:
        return file.read() == words

"""Where a derived tree lies: in folders of its own, or with its files among others.

Folders are marked by a `.gitignore` that keeps all of them out of git. Where that cannot be, git ignores each file
by its name.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from stat import S_ISLNK

from mdmem.errors import ConflictError
from mdmem.git import exclude
from mdmem.local import files
from mdmem.note import layout
from mdmem.values import NamedTuple
from mdmem.vault.vault import Vault


class Stamp(NamedTuple):
    """How a file looks from outside: bytes, and nanoseconds of its last change."""

    size: int
    time: int


class FolderTree:
    """A tree with folders of its own. `mark` is what the .gitignore of each says: that git ignores all of it."""

    name: str
    mark: bytes
    elsewhere: str

    def folders(self, known: Iterable[str] = ()) -> list[str]:
        """Its folders, and those in which files lie that it is known to have written."""
        raise NotImplementedError

    def claim(self, vault: Vault, ours: Collection[str]) -> None:
        """Make its folders and mark them. Raises ConflictError for one that holds files of others."""
        known = {*ours, layout.audit_log(vault.config)}  # the one file of another tree in one of those folders
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
        """Whether a file looks as the tree writes it."""
        raise NotImplementedError

    def _is_cloned(self, vault: Vault, path: str) -> bool:
        """Whether a file of this tree came with a clone, where git tracks the files of trees."""
        return vault.config.derived.commit == "all" and self.wrote(vault, path)

    def present(self, vault: Vault, known: Iterable[str]) -> dict[str, Stamp]:
        """Every file in its folders but the marks."""
        there: dict[str, Stamp] = {}
        for folder in self.folders(known):
            there |= _files_in(vault.root, folder)
            there.pop(f"{folder}/.gitignore", None)
        return there

    def top(self, path: str) -> str:
        """The folder that a file of it lies in, which stays when it is empty."""
        return next(folder for folder in self.folders([path]) if path.startswith(folder + "/"))


class ScatteredTree:
    """A tree whose files lie among others. git ignores them by its `info/exclude`, which no person has to keep."""

    name: str
    elsewhere: str

    def patterns(self) -> list[str]:
        """What git is to ignore: paths in the vault, in which `*` stands for any name."""
        raise NotImplementedError

    def places(self, vault: Vault) -> Iterable[str]:
        """Every path at which a file of it may lie."""
        raise NotImplementedError

    def claim(self, vault: Vault, ours: Collection[str]) -> None:
        """Have git ignore its files."""
        del ours  # they may lie beside any others
        exclude.ignore(vault.repo, self.patterns())

    def present(self, vault: Vault, known: Iterable[str]) -> dict[str, Stamp]:
        """Its files that are there."""
        there: dict[str, Stamp] = {}
        for path in {*self.places(vault), *known}:
            with suppress(FileNotFoundError, NotADirectoryError):
                there[path] = _stamp(os.stat(os.path.join(vault.root, path), follow_symlinks=False))
        return there

    def top(self, path: str) -> str:
        """The first folder on the way to a file of it, which stays when it is empty."""
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
    """How a file looks; a link is like no file."""
    return Stamp(-2, 0) if S_ISLNK(status.st_mode) else Stamp(status.st_size, status.st_mtime_ns)


def _is_marked(mark: str, words: bytes) -> bool:
    if not os.path.isfile(mark) or os.path.islink(mark):
        return False
    with open(mark, "rb") as file:
        return file.read() == words

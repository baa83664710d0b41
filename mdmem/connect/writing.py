"""Writes and deletes files outside the vault so that all of it can be undone until it is done."""

from __future__ import annotations

import os
from contextlib import ExitStack

from mdmem.store.local.files import bytes_of, save


class Writing(ExitStack):
    """Files written and deleted within a block; if the block fails, they are restored. Raises OSError."""

    def write(self, path: str, data: bytes) -> None:
        """Replace a whole file; a symbolic link is followed."""
        place = os.path.realpath(path)
        before = bytes_of(place)
        for folder in missing_folders([place]):
            os.mkdir(folder)
            self.callback(os.rmdir, folder)
        if before is None:
            self.callback(_unlink, place)
        else:
            self.callback(save, place, before, os.path.dirname(place))
        save(place, data, os.path.dirname(place))

    def delete(self, path: str) -> None:
        """Delete a file, if it exists."""
        before = bytes_of(path)
        if before is not None:
            self.callback(save, path, before, os.path.dirname(path))
            os.unlink(path)

    def done(self) -> None:
        """Keep everything: nothing is undone any more."""
        self.pop_all()


def missing_folders(paths: list[str]) -> list[str]:
    """The folders that these files need and that do not exist, the outermost first."""
    missing: set[str] = set()
    for path in paths:
        folder = os.path.dirname(path)
        while not os.path.isdir(folder):
            missing.add(folder)
            folder = os.path.dirname(folder)
    return sorted(missing, key=len)


def remove_empty(folders: list[str]) -> None:
    """Remove those of the folders that are empty, the innermost first."""
    for folder in sorted(folders, key=len, reverse=True):
        if os.path.isdir(folder) and not os.path.islink(folder) and not os.listdir(folder):
            os.rmdir(folder)


def _unlink(path: str) -> None:
    if os.path.lexists(path):
        os.unlink(path)

"""The vault's local folder: index and journal. Never tracked, and never trusted if it came from elsewhere."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mdmem.errors import MdmemError
from mdmem.note.encoded import encoded
from mdmem.store import layout
from mdmem.store.git.repo import Repo
from mdmem.store.local import files, lock

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault

PURGE = "purge"  # the folder of a purge in progress
SESSIONS = "sessions"  # the folder of session files, if there ever was a session
_FORMAT = 1  # of the files of items
_MARK = "here"  # identifies this folder, once it is clear that git does not track it


class LocalItems:
    """Items of a vault that are kept as small JSON files in a folder of its local one, which is called `KEPT_IN`.

    Another process that is changing them is waited for `PATIENCE` seconds.
    """

    KEPT_IN: str
    PATIENCE: float

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._folder = os.path.join(vault.state, self.KEPT_IN)
        self._scratch = os.path.join(self._folder, "tmp")

    def is_known(self, id: str) -> bool:
        """Whether there is an item with that id, damaged or not."""
        return os.path.lexists(self._place(id))

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Hold the lock for changing items. Raises OSError if nothing can be written, BusyError."""
        self._vault.prepare_state()
        os.makedirs(self._folder, exist_ok=True)
        with lock.held(os.path.join(self._folder, "lock"), patience=self.PATIENCE):
            files.clear(self._scratch)
            yield

    def _place(self, id: str) -> str:
        return os.path.join(self._folder, encoded(id) + ".json")

    def _save(self, id: str, value: Mapping[str, Any]) -> None:
        data = json.dumps({"format": _FORMAT, **value}, indent=1).encode()
        files.save(self._place(id), data, self._scratch)

    def _load(self, place: str) -> dict[str, Any] | None:
        """What a file holds; None if it is missing or damaged. A damaged file is reported."""
        try:
            with open(place, "rb") as file:
                found = json.load(file)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError, RecursionError):
            found = None
        if isinstance(found, dict) and found.pop("format", 0) == _FORMAT:
            return found
        self._damaged(place)
        return None

    def _damaged(self, place: str) -> None:
        self._vault.tell(f"{layout.STATE}/{self.KEPT_IN}/{os.path.basename(place)} is damaged; it is ignored")


def prepare(root: str, repo: Repo) -> str:
    """Create the local folder of the vault at `root`, with a .gitignore of its own; its path.

    Raises OSError, and MdmemError for anything that a clone could plant there: symbolic links, files tracked by
    git.
    """
    folder = os.path.join(root, layout.STATE)
    if os.path.islink(folder):
        raise MdmemError(f"{layout.STATE} is a symbolic link", "delete it; mdmem makes a folder of that name")
    os.makedirs(folder, exist_ok=True)
    _refuse_links(folder)
    _refuse_tracked(folder, repo)
    ignoring = os.path.join(folder, ".gitignore")
    if not os.path.exists(ignoring):
        with open(ignoring, "w", encoding="utf-8") as file:
            file.write("*\n")
    return folder


def save(root: str, repo: Repo, name: str, data: bytes) -> None:
    """Replace a file in the local folder of the vault at `root` atomically. Raises like `prepare`."""
    folder = prepare(root, repo)
    files.save(os.path.join(folder, name), data, os.path.join(folder, "tmp"))


def load(root: str, name: str) -> Any:
    """The JSON in a file of the local folder of the vault at `root`; None if there is none that can be read."""
    try:
        return json.loads(files.bytes_at(os.path.join(root, layout.STATE, name)))
    except (OSError, ValueError, RecursionError):
        return None


def _refuse_links(folder: str) -> None:
    for entry in files.listed(folder):
        if entry.is_symlink():
            place = f"{layout.STATE}/{entry.name}"
            raise MdmemError(f"{place} is a symbolic link", "delete it; nothing in that folder needs to be kept")


def _refuse_tracked(folder: str, repo: Repo) -> None:
    """Raises MdmemError for tracked files. Asks git once per folder: clones and copies do not match the mark."""
    found = os.stat(folder)
    this = f"{found.st_dev} {found.st_ino}\n"
    mark = os.path.join(folder, _MARK)
    if os.path.exists(mark):
        with open(mark, encoding="utf-8") as file:
            if file.read() == this:
                return
    if tracked := repo.tracked(layout.STATE):
        raise MdmemError(
            f"{tracked[0]} came with the repository; mdmem's local files must not",
            f"git rm -r --cached {layout.STATE}, then delete that folder",
        )
    with open(mark, "w", encoding="utf-8") as file:
        file.write(this)

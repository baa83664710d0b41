"""Finds the files to ingest as dialogs: a single file, or those in a folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from mdmem.errors import NotFoundError, Problem, UsageError
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import dialog

_READ_ENDS = (".md", ".markdown", ".txt", ".json", ".jsonl", ".ndjson")


class DialogSource(NamedTuple):
    """A dialog to ingest: the name shown to people, and a function that reads its bytes."""

    name: str
    read: Callable[[], bytes]


def sources_in(vault: Vault, folder: str) -> tuple[list[DialogSource], list[Problem]]:
    """The dialogs in a folder and its subfolders, by path, and a problem for each that has to be skipped.

    Raises UsageError if the folder is the vault or contains it.
    """
    root = os.path.realpath(folder)
    if root == vault.root or vault.root.startswith(root + os.sep):
        raise UsageError(f"{folder} contains this vault", "give the folder that holds the dialogs")
    problems: list[Problem] = []

    def unlisted(error: OSError) -> None:
        problems.append(Problem("dialog", str(error.filename), 0, "cannot be listed", "fix its permissions"))

    found = []
    for path in files.walk(root, lambda place: True, unlisted):  # noqa: ARG005
        place = os.path.join(root, path)
        if not path.lower().endswith(_READ_ENDS):
            continue
        if os.path.islink(place) or not os.path.isfile(place):
            problems.append(
                Problem("dialog", path, 0, "is a link or not a regular file", "give the file itself", "warning")
            )
        else:
            found.append(file_source(place, path))
    return sorted(found), problems


def file_source(place: str, name: str = "") -> DialogSource:
    """A file as a dialog to ingest; `name` defaults to its base name."""
    name = name or os.path.basename(place)

    def read() -> bytes:
        try:
            with open(place, "rb") as file:
                return file.read(dialog.MOST_BYTES + 1)
        except OSError as error:
            raise NotFoundError(f"{name} cannot be read: {error.strerror}") from None

    return DialogSource(name, read)

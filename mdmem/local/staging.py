"""What is staged, as the hook before a commit sees it, recorded for the hook after it, which need not ask git.

A record counts if a commit has the parent and the tree that it names: what the commit changes is the difference
between those two.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from mdmem.errors import MdmemError
from mdmem.git.repo import Repo, StagedFile, TreeFile
from mdmem.local import state
from mdmem.note import layout
from mdmem.values import NamedTuple

_RECORD = "staged.json"


class StagedRecord(NamedTuple):
    """A commit that was to be made: its parent and tree, and what it changes, as in Step."""

    parent: str
    tree: str
    changed: tuple[tuple[str, TreeFile], ...]


def files(root: str, repo: Repo, index_file: str, at_most: int) -> list[StagedFile]:
    """What is staged in git's index, or in the one that git named to a hook.

    Where that are up to `at_most` files, a record of them is left.
    """
    place = os.path.join(repo.top, index_file) if index_file else repo.git_path("index")
    before = repo.head_commit(), _look(place)
    every = list(repo.staged(index_file))
    is_steady = before == (repo.head_commit(), _look(place))
    is_of_use = 0 < len(every) <= at_most and os.path.exists(os.path.join(root, layout.STATE, "index.sqlite"))
    if is_steady and is_of_use:
        changed = tuple((each.letter, each.file) for each in every)
        with suppress(OSError, MdmemError):  # it only saves time
            _keep(root, repo, before[0], place, changed)
    return every


def _look(place: str) -> tuple[int, int, int] | None:
    """What tells a file from another one that is put in its place; None if there is none."""
    try:
        status = os.stat(place)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _keep(root: str, repo: Repo, parent: str, place: str, changed: tuple[tuple[str, TreeFile], ...]) -> None:
    """Raises OSError, MdmemError."""
    from mdmem.git.indexfile import IndexFile

    with open(os.path.join(state.prepare(root, repo), _RECORD), "w", encoding="ascii") as file:
        json.dump(StagedRecord(parent, IndexFile(place).tree(), changed), file)


def recorded(root: str) -> StagedRecord | None:
    """The last commit that was to be made, if it was recorded."""
    try:
        with open(os.path.join(root, layout.STATE, _RECORD), encoding="ascii") as file:
            parent, tree, changed = json.load(file)
        return StagedRecord(parent, tree, tuple((letter, TreeFile(*told)) for letter, told in changed))
    except (OSError, ValueError, TypeError):
        return None

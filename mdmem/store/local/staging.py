"""What is staged, as recorded by the pre-commit hook for the post-commit hook, which then need not ask git.

A record is valid if a commit has the parent and the tree that it names: the commit's changes are the difference
between those two.
"""

import json
import os
from contextlib import suppress
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.store import layout
from mdmem.store.git.repo import PathChange, Repo
from mdmem.store.local import state
from mdmem.store.local.files import stamp

_RECORD = "staged.json"


class StagedRecord(NamedTuple):
    """A commit about to be made: its parent, its tree, and its changes as in `Step`."""

    parent: str
    tree: str
    changed: tuple[PathChange, ...]


class _IndexLook(NamedTuple):
    """HEAD, the tree id cached in an index, and the inode, size and time that identify the index file."""

    head: str
    tree: str
    file: tuple[int, int, int]


def files(root: str, repo: Repo, index_file: str, at_most: int) -> list[PathChange]:
    """The files staged in git's index, or in the index file that git named to a hook.

    They are recorded if there are at most `at_most` of them.
    """
    place = os.path.join(repo.top, index_file) if index_file else repo.git_path("index")
    has_index = os.path.exists(os.path.join(root, layout.STATE, "index.sqlite"))
    before = _look(repo, place) if has_index else None
    every = list(repo.staged(index_file))
    if before and 0 < len(every) <= at_most and before == _look(repo, place):
        record = StagedRecord(before.head, before.tree, tuple(every))
        with suppress(OSError, MdmemError):  # it only saves time
            kept = os.path.join(state.prepare(root, repo), _RECORD)
            with open(kept, "w", encoding="utf-8") as file:
                json.dump(record, file)
    return every


def _look(repo: Repo, place: str) -> _IndexLook | None:
    """The state that must not change while HEAD is compared with an index; None if there is no index."""
    from mdmem.store.git.indexfile import IndexFile

    found = stamp(place)
    return _IndexLook(repo.head_commit(), IndexFile(place).tree(), found) if found else None


def take(root: str) -> StagedRecord | None:
    """The record of the last commit about to be made, if there is one. It is deleted, as it counts only once."""
    record = state.load(root, _RECORD)
    with suppress(OSError):
        os.unlink(os.path.join(root, layout.STATE, _RECORD))
    try:
        parent, tree, changed = record
        return StagedRecord(parent, tree, tuple(PathChange(*told) for told in changed))
    except (ValueError, TypeError):
        return None

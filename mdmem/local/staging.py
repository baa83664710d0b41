"""What is staged, as the hook before a commit sees it, recorded for the hook after it, which need not ask git.

A record counts if a commit has the parent and the tree that it names: what the commit changes is the difference
between those two.
"""

from __future__ import annotations

import os
from contextlib import suppress

from mdmem import jsontext
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


class _IndexLook(NamedTuple):
    """HEAD, the tree that git has noted for an index, and what tells the index's file from another one."""

    head: str
    tree: str
    file: tuple[int, int, int]


def files(root: str, repo: Repo, index_file: str, at_most: int) -> list[StagedFile]:
    """What is staged in git's index, or in the one that git named to a hook.

    It is recorded if it is at most `at_most` files.
    """
    place = os.path.join(repo.top, index_file) if index_file else repo.git_path("index")
    has_index = os.path.exists(os.path.join(root, layout.STATE, "index.sqlite"))
    before = _look(repo, place) if has_index else None
    every = list(repo.staged(index_file))
    if before and 0 < len(every) <= at_most and before == _look(repo, place):
        record = StagedRecord(before.head, before.tree, tuple((each.letter, each.file) for each in every))
        with suppress(OSError, MdmemError):  # it only saves time
            _keep(state.prepare(root, repo), record)
    return every


def _look(repo: Repo, place: str) -> _IndexLook | None:
    """What must not change while HEAD is compared with an index; None if there is no index."""
    from mdmem.git.indexfile import IndexFile

    try:
        status = os.stat(place)
        tree = IndexFile(place).tree()
    except FileNotFoundError:
        return None
    return _IndexLook(repo.head_commit(), tree, (status.st_ino, status.st_size, status.st_mtime_ns))


def _keep(folder: str, record: StagedRecord) -> None:
    """Raises OSError."""
    with open(os.path.join(folder, _RECORD), "wb") as file:
        file.write(jsontext.readable(record).encode("utf-8", "surrogateescape"))


def take(root: str) -> StagedRecord | None:
    """The last commit that was to be made, if it was recorded. The record is deleted: it counts once."""
    place = os.path.join(root, layout.STATE, _RECORD)
    try:
        with open(place, "rb") as file:
            parent, tree, changed = jsontext.loads(file.read().decode("utf-8", "surrogateescape"))
        os.unlink(place)
        return StagedRecord(parent, tree, tuple((letter, TreeFile(*told)) for letter, told in changed))
    except (OSError, ValueError, TypeError):
        return None

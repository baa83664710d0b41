"""Updates the index for a commit from the commit's own diff, without a look at other files, as hooks do.

If the hook before the commit has recorded that diff, the record is used (see `local.staging`).
"""

from __future__ import annotations

import os
import sqlite3

from mdmem.errors import NoteError
from mdmem.note.patterns import late
from mdmem.store.git import log
from mdmem.store.git.folder import ids_of
from mdmem.store.git.repo import PathChange
from mdmem.store.index import disk, sources
from mdmem.store.index.freshness import Index
from mdmem.store.local import staging

# a commit with one parent; an address that is not ASCII is left to git
_HEADER = late(rb"tree (\w+)\nparent (\w+)\nauthor .*\ncommitter .*<([\x00-\x7f]*?)> (\d+) \S+\n")


def take_in_head(index: Index, at_most: int) -> bool:
    """Update the index for the commit at HEAD if it changed at most `at_most` files; returns whether it did.

    It is left to `Index.catch_up` if the index does not know the commit's only parent or cannot be read, if the
    folder of memories is gone, or if a file is not as it was committed. Raises MdmemError if the index cannot be
    written.
    """
    try:
        return index.retry_as_one(lambda: _take_in(index, at_most), heal=False)
    except sqlite3.DatabaseError:
        return False


def _take_in(index: Index, at_most: int) -> bool:
    step = _next_step(index)
    if step is None or len(step.changed) > at_most:
        return False
    indexed = (change for change in step.changed if sources.is_indexed(change.path, index.config))
    if not all(_is_as_committed(index.root, change) for change in indexed):
        return False
    index.freshen_commit(step)
    return index.head == step.oid


def _next_step(index: Index) -> log.Step | None:
    """The commit at HEAD, if its only parent is the commit that the index knows."""
    known, head = index.head, index.repo.head_commit()
    is_folder_there = os.path.isdir(os.path.join(index.root, index.config.memories))
    if not known or known == head or not is_folder_there:
        return None
    step = recorded_step(index, known, head) or log.step(index.repo, head)
    return step if step.parents == (known,) else None


def recorded_step(index: Index, parent: str, oid: str) -> log.Step | None:
    """A commit as it was recorded before it was made; None if no record has its tree and parent."""
    record = staging.take(index.root)
    made = _HEADER.match(index.repo.loose_commit(oid))
    if record is None or made is None:
        return None
    tree, its_parent, email, when = (field.decode() for field in made.groups())
    if not parent == its_parent == record.parent or tree != record.tree:
        return None
    return log.Step(oid, (parent,), int(when), record.changed, email)


def _is_as_committed(root: str, change: PathChange) -> bool:
    """Whether the file on disk is as it was committed: it may have been edited again, or staged in part."""
    if not change.blob:
        return not os.path.lexists(os.path.join(root, change.path))
    try:
        data = disk.read(root, change.path, disk.MOST_RAW)
    except NoteError:
        return False
    return data is not None and change.blob in ids_of(data, len(change.blob))

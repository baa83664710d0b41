"""Checks a rewritten history: it is searched again, and every commit is compared with the one that it replaces.

Nothing may hold the purged content, and nothing else may have changed.
"""

from __future__ import annotations

from collections.abc import Iterable

from mdmem.errors import MdmemError
from mdmem.history.purging import objects
from mdmem.history.purging.objects import RawCommit
from mdmem.history.purging.rewriting import Rewriting
from mdmem.history.purging.survey import Census
from mdmem.store.git import trees
from mdmem.store.git.trees import PathChange
from mdmem.store.progress import Progress

_NO_FILE = (trees.NOTHING, "")


class PurgeFailedError(MdmemError):
    """The rewritten history is wrong; nothing was changed."""

    def __init__(self, message: str) -> None:
        super().__init__(
            f"{message}; nothing was changed", "mdmem doctor --deep; then report this as a bug of mdmem"
        )


def verify(rewriting: Rewriting, progress: Progress) -> None:
    """Raises PurgeFailedError for the first fault that is found; `progress` gets (done, total) objects."""
    clone = rewriting.clone
    census = Census(clone, rewriting.target, progress)  # of the old objects, too: they are still in the clone
    old = list(objects.commits(rewriting.source, "--all"))
    new = {commit.id: commit for commit in census.history}
    for commit in old:
        _compare(rewriting, census, commit, new.get(rewriting.renew(commit.id)))
    if len(new) != len(old):
        raise PurgeFailedError(f"{len(new)} commits took the place of {len(old)}")
    moved = {ref.name: ref.commit for ref in objects.refs(clone)}
    for ref in rewriting.refs:
        if moved.get(ref.name) != rewriting.renew(ref.commit):
            raise PurgeFailedError(f"{ref.name} is not where it should be")
    if left := [*census.holding, *census.refs(set())]:
        raise PurgeFailedError(f"{left[0]} still holds what is to be purged")
    if lines := clone.complaints("fsck", "--connectivity-only", "--no-dangling", "--no-progress"):
        raise PurgeFailedError(f"git fsck says of the rewritten history: {lines[0]}")


def _compare(rewriting: Rewriting, census: Census, old: RawCommit, new: RawCommit | None) -> None:
    """Compare a commit with the one that replaces it: parents, people, times, and every file."""
    name, target = old.id[:10], rewriting.target
    if new is None:
        raise PurgeFailedError(f"commit {name} has no successor")
    if tuple(map(rewriting.renew, old.parents)) != new.parents or target.name(old.who) != new.who:
        raise PurgeFailedError(f"commit {name} has other parents, people or times")
    expected = [
        change._replace(
            path=target.path(change.path),
            old_blob=census.stored.get(change.old_blob, change.old_blob),
            blob=census.stored.get(change.blob, change.blob),
        )
        for change in old.changes
    ]
    if _combined(expected) != _combined(new.changes):
        raise PurgeFailedError(f"commit {name} changes other files: would two files get one name?")


def _combined(changes: Iterable[PathChange]) -> dict[str, tuple[tuple[str, str], tuple[str, str]]]:
    """path -> mode and blob before and after the changes; those of two files that became one are combined.

    Files that are the same before and after are left out.
    """
    found: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {}
    for change in changes:
        before, after = found.get(change.path, (_NO_FILE, _NO_FILE))
        found[change.path] = (
            (change.old_mode, change.old_blob) if before == _NO_FILE else before,
            (change.mode, change.blob) if after == _NO_FILE else after,
        )
    return {path: sides for path, sides in found.items() if sides[0] != sides[1]}

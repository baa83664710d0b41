"""The commits that an undo has to walk through: in a long history, most do not affect it.

To list the changes of a commit, git compares two trees, which takes a millisecond in a folder of 10,000 notes.
Commits that only edited files in place can be skipped; the index knows which are the others.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from mdmem.history import trail
from mdmem.history.selection import UndoRequest
from mdmem.note.terminal import safe_line
from mdmem.store.git import log
from mdmem.store.index import sources
from mdmem.store.vault.vault import Vault


def named(vault: Vault, wanted: UndoRequest, exact: Set[str]) -> list[str] | None:
    """All commits that a request can choose, newest first: the `exact` ones, or those of its session or run.

    None if commit messages alone cannot tell.
    """
    if exact:
        return [oid for oid in log.order(vault.repo) if oid in exact]
    name = wanted.session or wanted.run
    if not name.strip() or safe_line(name) != name or wanted.with_children:
        return None
    return log.order(vault.repo, "--fixed-strings", f"--grep={name.strip()}")


def on(vault: Vault, chosen: Sequence[str]) -> list[str] | None:
    """The commits that affect an undo of `chosen`, newest first, from HEAD back to the oldest chosen one.

    These are the chosen commits, all undos, commits that deleted or moved files, and commits that created such a
    file again. None if the index does not cover every file that the chosen ones changed, or if these are most of
    the commits since.
    """
    order = log.order(vault.repo)
    order = order[: order.index(chosen[-1]) + 1]
    if len(chosen) * 2 > len(order):
        return None
    for commit in trail.commits(vault, chosen):
        if not all(sources.is_indexed(change.path, vault.config) for change in commit.changes):
            return None
    undos = log.order(vault.repo, "--fixed-strings", "--grep=Memory-Action: undo")
    leaving = vault.whole_index.deleting_commits().intersection(order)
    bearing = {*chosen, *undos, *leaving, *_returns(vault, sorted(leaving))}
    return [oid for oid in order if oid in bearing]


def _returns(vault: Vault, leaving: Sequence[str]) -> set[str]:
    """The commits of memories that exist now although one of the commits in `leaving` deleted them."""
    index = vault.whole_index
    changes = (change for commit in trail.commits(vault, leaving) for change in commit.changes)
    gone = {trail.id_before(vault, change) for change in changes if change.letter == "D"}
    again = {record.path for id in gone for record in index.with_id(id)}
    return {version.commit for path in again for version in index.versions(path)}

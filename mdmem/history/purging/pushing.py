"""Bring a purge to a remote: replace every ref there that holds old history, unless somebody has moved it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mdmem.errors import ConflictError, UsageError
from mdmem.history.purging import objects, published
from mdmem.history.purging.published import Purges
from mdmem.store.git import remotes
from mdmem.store.git.repo import Repo

_PEELED = "^{}"


class PushedPurge(NamedTuple):
    """The refs replaced in a remote, and those that still hold old history there, to be deleted by hand."""

    remote: str
    refs: tuple[str, ...]
    left: tuple[str, ...]


class _Lease(NamedTuple):
    """A ref of the remote, the id that it is expected to have there, and the id that it is to get."""

    ref: str
    there: str
    new: str


def push(repo: Repo, remote: str) -> PushedPurge:
    """Replace all refs of a remote that hold old history, all of them or none.

    Raises UsageError if nothing was purged or there is no such remote, ConflictError if the remote has commits
    that are not here, AwayError, GitError.
    """
    purges = Purges(repo)
    if not purges.commit:
        raise UsageError("nothing was purged here", "mdmem purge NAME, or mdmem purge --text")
    if remote not in remotes.remotes(repo):
        raise UsageError(f"there is no remote {remote}", "git remote -v lists them")
    there = remotes.refs(repo, remote, "refs/*")
    here = {ref.name: ref for ref in objects.refs(repo)}
    leases, left = list(_leases(repo, purges, there, here)), []
    for name, id in there.items():
        known = {lease.ref for lease in leases}
        if name not in known and not name.endswith(_PEELED) and purges.is_old(there.get(name + _PEELED, id)):
            left.append(name)
    if published.REF not in there or there[published.REF] != purges.commit:
        leases.append(_Lease(published.REF, there.get(published.REF, ""), purges.commit))
    remotes.replace(repo, remote, leases)
    return PushedPurge(remote, tuple(lease.ref for lease in leases), tuple(left))


def _leases(repo: Repo, purges: Purges, there: dict[str, str], here: dict[str, objects.Ref]) -> Iterator[_Lease]:
    """The old branches, tags and notes of the remote, with the ids that replace them."""
    for name, id in there.items():
        if name.endswith(_PEELED) or not name.startswith(("refs/heads/", "refs/tags/", "refs/notes/")):
            continue
        commit = there.get(name + _PEELED, id)
        new = here[name].id if name in here else purges.renewed.get(commit, "")
        if not new or new == id:
            continue
        if name.startswith("refs/heads/") and not (commit in purges.renewed or repo.has_commit(commit)):
            shown = name.removeprefix("refs/heads/")
            raise ConflictError(
                f"{shown} has commits there that are not here", "they come by mdmem sync, in an old clone"
            )
        if name.startswith("refs/notes/") or purges.is_old(commit) or commit in purges.renewed:
            yield _Lease(name, id, new)

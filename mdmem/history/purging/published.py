"""What a purge publishes: which commit replaced which, on a ref of its own. It has ids only, no content.

The ref `refs/mdmem/purges` is a branch with one commit per purge. Its tree holds `commit-map`, with one line
`OLD NEW` for each commit rewritten by any purge so far, and `first-changed`, the ids of the oldest of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple

from mdmem.errors import ConflictError, UsageError
from mdmem.history.purging import objects
from mdmem.store.git import remotes, trees
from mdmem.store.git.folder import PURGES
from mdmem.store.git.repo import Repo
from mdmem.store.git.trees import Signed

REF = PURGES
_MAP, _FIRST = "commit-map", "first-changed"


class Purges:
    """The purges published in a repository; none if `commit` is ""."""

    def __init__(self, repo: Repo, ref: str = REF) -> None:
        self.repo = repo
        self.commit = repo.ids([ref])[0]

    @cached_property
    def renewed(self) -> dict[str, str]:
        """old commit -> the commit that replaced it."""
        lines = (line.split() for line in self._read(_MAP))
        return {pair[0]: pair[1] for pair in lines if len(pair) == 2}

    @cached_property
    def first_changed(self) -> list[str]:
        """The oldest purged commits: any history that contains one of them is old."""
        return self._read(_FIRST)

    @cached_property
    def last(self) -> datetime:
        """The time of the last purge."""
        return datetime.fromtimestamp(self.repo.time_of(self.commit), UTC)

    def is_old(self, commit: str) -> bool:
        """Whether a commit that is here belongs to the history from before a purge."""
        if not self.commit or not commit:
            return False
        if commit in self.renewed:
            return True
        known = [id for id in self.first_changed if self.repo.has_commit(id)]
        return any(self.repo.is_ancestor(id, commit) for id in known)

    def _read(self, name: str) -> list[str]:
        if not self.commit:
            return []
        return next(self.repo.blobs([f"{self.commit}:{name}"])).decode("ascii", "replace").splitlines()


def publish(repo: Repo, renewed: Mapping[str, str], first: Iterable[str], message: str, by: Signed) -> None:
    """Add a purge to what was published before."""
    before = Purges(repo)
    whole = {old: renewed.get(new, new) for old, new in before.renewed.items()} | dict(renewed)
    contents = {
        _MAP: "".join(f"{old} {new}\n" for old, new in sorted(whole.items())),
        _FIRST: "".join(f"{id}\n" for id in sorted({*before.first_changed, *first})),
    }
    files = {name: text.encode() for name, text in contents.items()}
    made = trees.commit_files(repo, files, [before.commit] if before.commit else [], message, by)
    repo.run("update-ref", REF, made)


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
    if REF not in there or there[REF] != purges.commit:
        leases.append(_Lease(REF, there.get(REF, ""), purges.commit))
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

"""Commits by mdmem that are on no branch: made on a detached HEAD, reset away, or amended."""

from collections.abc import Hashable
from typing import NamedTuple

from mdmem.store.git import log
from mdmem.store.git.log import Commit
from mdmem.store.git.repo import Repo

_REFS = ("--branches", "--remotes", "--tags")


class Amended(NamedTuple):
    """A commit by mdmem, and the one that replaced it, which does not say who wrote in which session."""

    commit: Commit
    into: Commit


class Strays(NamedTuple):
    """Commits whose writes are `lost`, newest first, and those that only lost their message."""

    lost: list[Commit]
    amended: list[Amended]


def find(repo: Repo) -> Strays:
    """The strays reachable from HEAD or git's reflog, without their changes.

    Commits whose id merely changed in a rebase, a cherry-pick or an amended message are not strays.
    """
    head = repo.head()[0]
    if not head:
        return Strays([], [])
    off = log.messages(repo, "--date-order", "--reflog", head, "--not", *_REFS)  # in one second: children first
    left = [commit for commit in off if commit.operation.action]
    if not left:
        return Strays([], [])
    oldest = int(min(commit.when for commit in left).timestamp())
    held = list(log.messages(repo, f"--since=@{oldest} +0000", *_REFS))
    known = {_traits(commit) for commit in held}
    left = [commit for commit in left if _traits(commit) not in known]
    amended = [Amended(commit, into) for commit in left if (into := _amended(repo, commit, held))]
    lost = [commit for commit in left if commit.oid not in {found.commit.oid for found in amended}]
    return Strays(lost, amended)


def _amended(repo: Repo, commit: Commit, held: list[Commit]) -> Commit | None:
    """The commit that `git commit --amend` made of this one, if it still contains all that this one wrote."""
    for other in held:
        is_reworded = not other.operation.action and (other.email, other.when) == (commit.email, commit.when)
        if is_reworded and _has_all(repo, other.oid, commit.oid):
            return other
    return None


def _has_all(repo: Repo, oid: str, wrote: str) -> bool:
    """Whether the files that the commit `wrote` changed are the same in the commit `oid`."""
    written = {change.path: change.blob for change in log.step(repo, wrote).changed}
    there = repo.blob_ids(oid, list(written))
    return all(there.get(path, "") == blob for path, blob in written.items())


def _traits(commit: Commit) -> Hashable:
    """The properties that a commit keeps when it is made again elsewhere."""
    return commit.email, commit.when, commit.operation.action, commit.operation.ids

"""Commits of mdmem that no branch holds: left behind off a branch, reset away, or amended."""

from __future__ import annotations

from collections.abc import Hashable

from mdmem.git import log
from mdmem.git.log import Commit
from mdmem.git.repo import Repo
from mdmem.values import NamedTuple

_REFS = ("--branches", "--remotes", "--tags")


class Amended(NamedTuple):
    """A commit of mdmem, and what someone made of it, which no longer says who wrote in which session."""

    commit: Commit
    into: Commit


class Strays(NamedTuple):
    """The commits whose writes are `lost`, newest first, and those of which only the message is."""

    lost: list[Commit]
    amended: list[Amended]


def find(repo: Repo) -> Strays:
    """The strays of HEAD and of git's reflog, without their changes.

    Not among them is what a rebase, a cherry-pick or an amended message has given another id.
    """
    head = repo.head()[0]
    if not head:
        return Strays([], [])
    off = log.messages(repo, "--date-order", "--reflog", head, "--not", *_REFS)  # of one second: children first
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
    """What `git commit --amend` made of a commit, if that still has all that the commit wrote."""
    for other in held:
        is_reworded = not other.operation.action and (other.email, other.when) == (commit.email, commit.when)
        if is_reworded and _has_all(repo, other.oid, commit.oid):
            return other
    return None


def _has_all(repo: Repo, oid: str, wrote: str) -> bool:
    """Whether the files that the commit `wrote` wrote are the same in another commit."""
    written = {file.path: "" if letter == "D" else file.blob for letter, file in log.step(repo, wrote).changed}
    there = repo.blob_ids(oid, list(written))
    return all(there.get(path, "") == blob for path, blob in written.items())


def _traits(commit: Commit) -> Hashable:
    """What a commit keeps when it is made again elsewhere."""
    return commit.email, commit.when, commit.operation.action, commit.operation.ids

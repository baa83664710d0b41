"""Commits of mdmem that no branch holds: made while HEAD was off its branch, and left behind there."""

from __future__ import annotations

from collections.abc import Hashable

from mdmem.git import log
from mdmem.git.log import Commit
from mdmem.git.repo import Repo

_REFS = ("--branches", "--remotes", "--tags")


def find(repo: Repo) -> list[Commit]:
    """Those of HEAD and of git's reflog, newest first, without their changes.

    Not among them is what a rebase, a cherry-pick or an amended message has given another id.
    """
    head = repo.head()[0]
    if not head:
        return []
    left = [commit for commit in log.messages(repo, "--reflog", head, "--not", *_REFS) if commit.operation.action]
    if not left:
        return []
    oldest = int(min(commit.when for commit in left).timestamp())
    held = {_traits(commit) for commit in log.messages(repo, f"--since=@{oldest} +0000", *_REFS)}
    return [commit for commit in left if _traits(commit) not in held]


def _traits(commit: Commit) -> Hashable:
    """What a commit keeps when it is made again elsewhere."""
    return commit.email, commit.when, commit.operation.action, commit.operation.ids

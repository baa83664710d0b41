"""Make one commit of exactly the given paths: no hooks run, nothing else that is staged rides along.

The tree is built in a copy of git's index, so that the person's own index is touched only for these paths.
HEAD moves last and only if it is still where the tree was built from; a commit that someone else made
meanwhile is built upon, never lost.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import BusyError, ConflictError
from mdmem.store.repo import GitError, Identity, Repo

PATIENCE = 10.0  # seconds to wait for another git command's lock
_ZERO = "0" * 40
_ATTEMPTS = 5
_LOOSE_SAMPLE = 27  # files in one of 256 folders: about the 6,700 loose objects at which git itself tidies up


class Draft(NamedTuple):
    """A commit to make: the working state of `paths`, under `message`."""

    paths: tuple[str, ...]
    message: str
    author: Identity
    committer: Identity
    when: datetime | None = None


def commit(repo: Repo, draft: Draft, scratch: str) -> str:
    """Commit the working state of `draft.paths` on top of HEAD, whatever branch or none it is on.

    Returns the commit's id, or "" if HEAD already holds exactly that. `scratch` is a folder for the
    temporary index. Raises BusyError if another git command keeps its lock, ConflictError if HEAD keeps moving.
    """
    for _ in range(_ATTEMPTS):
        head, base = repo.head()
        tree = _tree(repo, draft.paths, head, base, scratch)
        if tree == base:
            stage(repo, draft.paths)
            return ""
        oid = _commit_object(repo, draft, tree, head)
        stage(repo, draft.paths)
        try:
            subject = draft.message.split("\n", 1)[0]
            repo.run("update-ref", "-m", f"mdmem: {subject}", "HEAD", oid, head or _ZERO)
        except (GitError, BusyError):
            if repo.head()[0] == head:
                raise
            continue
        return oid
    raise ConflictError("other commits keep arriving on this branch", "try again")


def stage(repo: Repo, paths: Sequence[str]) -> None:
    """Make git's index agree with the working state of `paths`. Waits for another git command's lock."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            repo.run("update-index", "--add", "--remove", "-z", "--stdin", stdin=_listed(repo, paths))
            return
        except BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def tidy(repo: Repo) -> None:
    """Let git pack loose objects when there are many, as `git commit` does; plumbing never would."""
    try:
        many = len(os.listdir(repo.git_path("objects/17"))) >= _LOOSE_SAMPLE
    except FileNotFoundError:
        return
    if many:
        repo.run("gc", "--auto", "--quiet", ok=(0, 1, 128))  # another gc may be at work; git does it later


def _tree(repo: Repo, paths: Sequence[str], head: str, base: str, scratch: str) -> str:
    """The tree of `base` with the working state of `paths`."""
    os.makedirs(scratch, exist_ok=True)
    index = os.path.join(scratch, f"index-{os.getpid()}")
    env = {"GIT_INDEX_FILE": index}
    try:
        if head and not _copy_clean_index(repo, index, base, env):
            repo.run("read-tree", head, env=env)
        repo.run("update-index", "--add", "--remove", "-z", "--stdin", stdin=_listed(repo, paths), env=env)
        return repo.run("write-tree", env=env).decode().strip()
    finally:
        for leftover in (index, index + ".lock"):
            if os.path.exists(leftover):
                os.unlink(leftover)


def _copy_clean_index(repo: Repo, copy: str, base: str, env: dict[str, str]) -> bool:
    """Copy git's index to `copy`; False if it is missing or has anything staged against `base`.

    The copy is one consistent state (git replaces its index as a whole) and much cheaper than `read-tree`.
    """
    try:
        shutil.copyfile(repo.git_path("index"), copy)
    except FileNotFoundError:
        return False
    return repo.asks("diff-index", "--cached", "--quiet", base, "--", env=env)


def _commit_object(repo: Repo, draft: Draft, tree: str, head: str) -> str:
    env = {
        "GIT_AUTHOR_NAME": draft.author.name,
        "GIT_AUTHOR_EMAIL": draft.author.email,
        "GIT_COMMITTER_NAME": draft.committer.name,
        "GIT_COMMITTER_EMAIL": draft.committer.email,
    }
    if draft.when:
        stamp = f"@{int(draft.when.timestamp())} +0000"
        env |= {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
    parent = ["-p", head] if head else []
    return repo.run("commit-tree", *parent, tree, stdin=draft.message.encode(), env=env).decode().strip()


def _listed(repo: Repo, paths: Sequence[str]) -> bytes:
    return b"".join(repo.full(path) + b"\0" for path in paths)

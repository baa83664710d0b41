"""A second working tree of a repository, beside the person's own, which stays as it is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from mdmem.errors import ConflictError, UsageError
from mdmem.store.git.repo import Repo
from mdmem.store.local import usage
from mdmem.store.vault.vault import Vault


@contextmanager
def on_branch(vault: Vault, branch: str) -> Iterator[Vault]:
    """The vault at HEAD, checked out on a new branch in a temporary folder, which is deleted afterwards.

    The branch is deleted, too, if nothing was committed on it or an error occurred. Raises UsageError for a vault
    without commits, ConflictError if the branch exists, GitError if git fails.
    """
    import tempfile

    repo = vault.repo
    head = repo.head()[0]
    if not head or not repo.tree(head):
        raise UsageError("nothing of this vault is committed yet", "git add, git commit")
    if is_there(repo, branch):
        raise ConflictError(f"the branch {branch} exists", f"git branch -D {branch}, or give it another name")
    with tempfile.TemporaryDirectory(prefix="mdmem-") as folder:
        place = os.path.join(folder, "garden")
        repo.run("worktree", "add", "--quiet", "-b", branch, place, head)
        wanted = False
        try:
            with Vault(os.path.join(place, repo.prefix), vault.tell, clearance=vault.clearance) as found:
                usage.copy(vault.root, found.prepare_state())
                yield found
                wanted = found.repo.head()[0] != head
        finally:
            repo.run("worktree", "remove", "--force", "--force", place)
            if not wanted:
                repo.run("branch", "--quiet", "-D", "--", branch)


def free_branch(repo: Repo, name: str) -> str:
    """`name`, or `name` with the first number that no branch has yet."""
    number = 1
    while is_there(repo, found := name if number == 1 else f"{name}-{number}"):
        number += 1
    return found


def check_name(repo: Repo, name: str) -> None:
    """Raises UsageError if git does not accept this as a branch name."""
    if not repo.asks("check-ref-format", f"refs/heads/{name}") or name.startswith("-") or name == "HEAD":
        raise UsageError(f"{name!r} cannot be the name of a branch", "write it like garden/spring")


def is_there(repo: Repo, branch: str) -> bool:
    """Whether a branch with that name exists."""
    return repo.asks("show-ref", "--verify", "--quiet", f"refs/heads/{branch}")

"""Gardening on a branch: the same commits, to review like a pull request; the working files stay as they are."""

from __future__ import annotations

from typing import NamedTuple

from mdmem.garden import apply as gardening
from mdmem.garden.apply import Request, Run, Watch
from mdmem.store.operation import Caller
from mdmem.store.vault import worktree
from mdmem.store.vault.vault import Vault

FOLDER = "mdmem/garden"


class Branch(NamedTuple):
    """A run on a branch: its `name` ("" if nothing was applied), and the branch or commit that it starts from."""

    name: str
    base: str
    run: Run


def apply(
    vault: Vault, request: Request, caller: Caller, run: str, watch: Watch, name: str, allow_loss: bool = False
) -> Branch:
    """Apply the requested proposals on a new branch that starts at the last commit.

    Without a `name` the branch is named after the day. Uncommitted changes are not part of it. Raises UsageError
    or ConflictError for the name, and what gardening.apply raises; no branch is left behind then.
    """
    if name:
        worktree.check_name(vault.repo, name)
    else:
        name = worktree.free_branch(vault.repo, f"{FOLDER}/{caller.now:%Y-%m-%d}")
    base = vault.repo.status().branch or vault.repo.head()[0][:8]
    with worktree.on_branch(vault, name) as there:
        done = gardening.apply(there, request, caller, run, watch, allow_loss)
    return Branch(name if done.applied else "", base, done)

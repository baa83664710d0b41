"""Gardening on a branch: the same commits, for a person to look at as at a pull request; their files stay."""

from __future__ import annotations

from mdmem.garden import apply as gardening
from mdmem.garden.apply import Request, Run, Watch
from mdmem.operation import Caller
from mdmem.values import NamedTuple
from mdmem.vault import worktree
from mdmem.vault.vault import Vault

FOLDER = "mdmem/garden"


class Branch(NamedTuple):
    """A run on a branch: its `name`, "" if there was nothing to do, and the branch or commit it goes out from."""

    name: str
    base: str
    run: Run


def apply(
    vault: Vault, request: Request, caller: Caller, run: str, watch: Watch, name: str, allow_loss: bool = False
) -> Branch:
    """Apply what is asked for to the last commit, on a new branch; without a `name`, one named by the day.

    What is not committed is not in it. Raises UsageError, ConflictError for the name, and as gardening.apply;
    no branch is left then.
    """
    if name:
        worktree.check_name(vault.repo, name)
    else:
        name = worktree.free_branch(vault.repo, f"{FOLDER}/{caller.now:%Y-%m-%d}")
    base = vault.repo.status().branch or vault.repo.head()[0][:8]
    with worktree.on_branch(vault, name) as there:
        done = gardening.apply(there, request, caller, run, watch, allow_loss)
    return Branch(name if done.applied else "", base, done)

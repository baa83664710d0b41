"""What prevents a safe purge, each obstacle with how to remove it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.history.purging import objects
from mdmem.note.plural import counted
from mdmem.store.git import remotes
from mdmem.store.git.repo import Repo
from mdmem.store.vault.vault import Vault

PROGRAM = "git-filter-repo"
_SECONDS = 20.0  # time limit for asking one remote
_SHOWN = 3


class Obstacle(NamedTuple):
    """Why a purge cannot be done, and what to do about it first."""

    message: str
    fix: str


def found(vault: Vault, whole_repository: bool = False) -> list[Obstacle]:
    """Everything that is in the way of a purge; `whole_repository` permits rewriting files outside the vault."""
    checks = (program_missing, unreadable, unfinished, uncommitted, incomplete, entangled, beyond)
    in_way = [obstacle for check in checks for obstacle in check(vault)]
    if vault.repo.prefix and not whole_repository:
        message = (
            f"the vault is the folder {vault.repo.prefix} of a bigger repository, which would be rewritten too"
        )
        in_way.append(Obstacle(message, "if all who use that repository agree: --whole-repository"))
    return in_way


def program() -> str:
    """The path of git-filter-repo: beside this Python, or on PATH; "" if it is not installed."""
    beside = os.path.join(os.path.dirname(sys.executable), PROGRAM)
    return beside if os.path.isfile(beside) else shutil.which(PROGRAM) or ""


def program_missing(vault: Vault) -> Iterator[Obstacle]:
    """git-filter-repo, which does the rewriting, is not installed."""
    del vault
    if not program():
        fix = "pip install 'mdmem[purge]', or install git-filter-repo with your system's packages"
        yield Obstacle(f"{PROGRAM} is not installed", fix)


def unreadable(vault: Vault) -> Iterator[Obstacle]:
    """A history that git-filter-repo cannot rewrite."""
    if not vault.repo.is_sha1:
        fix = f"{PROGRAM} reads SHA-1 only: export the vault into a new repository, without what is to go"
        yield Obstacle("the ids of this repository are SHA-256", fix)


def unfinished(vault: Vault) -> Iterator[Obstacle]:
    """Unfinished git operations, and a HEAD that is not a commit on a branch."""
    for what, how in vault.repo.unfinished():
        yield Obstacle(f"{what} is in progress", how)
    if not vault.repo.head()[0]:
        yield Obstacle("the vault has no commits", "there is no history to purge: delete the file")
    elif vault.repo.off_branch():
        yield Obstacle("HEAD is detached", "git switch to the branch that the vault is on")


def uncommitted(vault: Vault) -> Iterator[Obstacle]:
    """Edits, which would keep the purged content. Untracked files are not obstacles; they are reported later."""
    edited = [entry.path for entry in vault.repo.whole.status().entries if entry.staged != "?"]
    if edited:
        shown = ", ".join(edited[:_SHOWN]) + (" ..." if len(edited) > _SHOWN else "")
        yield Obstacle(
            f"{counted(len(edited), 'edited file')} not committed: {shown}", "git commit or git restore them"
        )


def incomplete(vault: Vault) -> Iterator[Obstacle]:
    """Clones that do not have all of the history, or have some of it elsewhere."""
    repo = vault.repo
    if repo.shallow():
        yield Obstacle("this is a shallow clone", "git fetch --unshallow")
    if any(map(repo.setting, ("extensions.partialclone", "remote.origin.promisor"))):
        yield Obstacle("this is a partial clone, which does not have every version", "purge in a complete clone")
    objects_folder = os.path.join(repo.common_dir(), "objects")
    if os.path.exists(os.path.join(objects_folder, "info", "alternates")):
        fix = "git repack -a -d, then delete .git/objects/info/alternates"
        yield Obstacle("git keeps objects of this clone in another repository", fix)
    packs = os.path.join(objects_folder, "pack")
    if os.path.isdir(packs) and any(name.endswith(".keep") for name in os.listdir(packs)):
        yield Obstacle("one of git's packs is marked to be kept", f"delete the .keep files in {packs}")


def entangled(vault: Vault) -> Iterator[Obstacle]:
    """Anything else in this repository that holds on to old commits."""
    repo = vault.repo
    if trees := linked_worktrees(repo):
        shown = ", ".join(trees[:_SHOWN])
        yield Obstacle(f"{counted(len(trees), 'linked worktree')}: {shown}", "git worktree remove each, or prune")
    if stashes := repo.run("stash", "list").splitlines():
        yield Obstacle(counted(len(stashes), "stash"), "git stash pop and commit each, or drop it")
    if any(file.mode == "160000" for file in repo.files("HEAD")) or os.path.isdir(
        os.path.join(repo.common_dir(), "modules")
    ):
        yield Obstacle("the repository has submodules", "purge in each of them, and take them out first")
    if objects.refs(repo, "refs/replace/") or os.path.exists(os.path.join(repo.common_dir(), "info", "grafts")):
        yield Obstacle("the repository has replacements or grafts of commits", "git replace -d each")


def linked_worktrees(repo: Repo) -> list[str]:
    """The paths of the other working trees of this repository."""
    lines = repo.run("worktree", "list", "--porcelain").decode("utf-8", "replace").splitlines()
    places = [line.removeprefix("worktree ") for line in lines if line.startswith("worktree ")]
    return [place for place in places if os.path.realpath(place) != os.path.realpath(repo.top)]


def beyond(vault: Vault) -> Iterator[Obstacle]:
    """Remotes with commits that are not here: a purge would lose them or leave them as they are."""
    for remote in remotes.remotes(vault.repo):
        try:
            heads = remotes.refs(vault.repo, remote, "refs/heads/*", seconds=_SECONDS)
        except MdmemError:
            continue  # reported among what was not reached
        if ahead := sorted(name for name, id in heads.items() if not vault.repo.has_commit(id)):
            shown = ", ".join(name.removeprefix("refs/heads/") for name in ahead[:_SHOWN])
            yield Obstacle(
                f"{remote} has commits that are not here: {shown}", f"git pull {remote}, then try again"
            )

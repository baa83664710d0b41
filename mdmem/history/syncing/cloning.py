"""Cloning a vault that exists elsewhere."""

import os
import re
import shlex

from mdmem.errors import ConflictError
from mdmem.store import config
from mdmem.store.git import remotes
from mdmem.store.git.repo import Repo
from mdmem.store.local import files, place

SECONDS = 1800.0  # time limit for a clone


def clone(url: str, folder: str = "", seconds: float = SECONDS) -> str:
    """Clone the vault at a URL or path into a folder ("": one named after it); returns the vault's absolute path.

    No hook or program of the clone runs. If the vault is in a folder of that repository, that folder is returned.
    A repository without a vault is returned as it is, for a vault to be made in it. Raises UsageError for a
    malformed URL, ConflictError for a folder that is in use, AwayError, GitError.
    """
    remotes.check_url(url)
    target = os.path.abspath(folder or _named(url))
    if files.listed(target):
        raise ConflictError(f"{target} already exists, and is not empty", "name another folder")
    remotes.clone(url, target, seconds)
    stand_on_a_branch(target)
    return _vault_in(target)


def stand_on_a_branch(top: str) -> None:
    """Check out the only branch of a clone whose remote names a default branch that it does not have.

    A new bare repository may say "master" while its only branch is called "main". Without any branch there is
    nothing to check out. Raises ConflictError if there are several.
    """
    repo = Repo(top, "")
    if repo.head_commit():
        return
    names = repo.run("for-each-ref", "--format=%(refname:lstrip=3)", "refs/remotes/origin/").decode().split()
    if len(names) > 1:
        hint = f"choose one: git -C {shlex.quote(top)} checkout BRANCH, then mdmem init {shlex.quote(top)}"
        raise ConflictError(f"the default branch is not there; there are {', '.join(names)}", hint)
    for name in names:
        repo.run("checkout", "--quiet", "-b", name, "--track", f"origin/{name}")


def _named(url: str) -> str:
    """The name of the folder that git would clone into."""
    last = re.split(r"[/:\\]", url.rstrip("/\\"))[-1]
    return last.removesuffix(".git") or "memories"


def _vault_in(top: str) -> str:
    """The vault in a clone: its top folder, or the only folder with mdmem's settings file."""
    if place.is_vault(top):
        return top
    folders = {
        os.path.dirname(path) for path in Repo(top, "").tracked(".") if os.path.basename(path) == config.FILE
    }
    return os.path.join(top, folders.pop()) if len(folders) == 1 else top

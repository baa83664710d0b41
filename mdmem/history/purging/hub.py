"""The hooks of a hub, a bare repository that others push to.

One refuses history from before a purge. It is a shell script that needs only git, as most hubs do not have mdmem.
The other publishes pushed commits to a team's index, if mdmem is installed there and a server is configured.
"""

from __future__ import annotations

import os

from mdmem.errors import ConflictError, UsageError
from mdmem.store.git.command import Git, GitError
from mdmem.store.vault import hookfiles
from mdmem.store.vault.hookfiles import HookState

NAME, PUBLISHER = "pre-receive", "post-receive"
_SCRIPTS = {NAME: "hub.sh", PUBLISHER: "publish.sh"}


def install(folder: str, name: str = NAME) -> HookState:
    """Install a hook, the guard or the PUBLISHER, in a bare repository. A hook that is there already runs first.

    Raises UsageError if the folder is not a bare repository, ConflictError if its hooks are in another folder or
    an earlier hook was set aside already.
    """
    place = _place(folder, name)
    hookfiles.require_room(place)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    hookfiles.put(place, hookfiles.script(_SCRIPTS[name], name))
    return status(folder, name)


def uninstall(folder: str, name: str = NAME) -> HookState:
    """Remove a hook, and put back the one that was there before."""
    hookfiles.take_away(_place(folder, name))
    return status(folder, name)


def status(folder: str, name: str = NAME) -> HookState:
    """The state of a hook."""
    return hookfiles.state(name, _place(folder, name), _SCRIPTS[name])


def _place(folder: str, name: str) -> str:
    git = Git(os.path.abspath(folder))
    try:
        is_bare = git.run("rev-parse", "--is-bare-repository").strip() == b"true"
    except GitError:
        is_bare = False
    if not is_bare:
        raise UsageError(
            f"{folder} is not a bare repository", "run it on the hub, in the folder that others push to"
        )
    if elsewhere := hookfiles.configured(git):
        raise ConflictError(
            f"its hooks are in {elsewhere[-1]} (core.hooksPath)", "git config --unset core.hooksPath"
        )
    top = os.fsdecode(git.run("rev-parse", "--absolute-git-dir")).rstrip("\n")
    return os.path.join(top, "hooks", name)

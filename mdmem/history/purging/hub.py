"""The hooks of a hub, a bare repository that others push to.

One refuses history from before a purge. It is a shell script that needs only git, as most hubs do not have mdmem.
The other publishes pushed commits to a team's index, if mdmem is installed there and a server is configured.
"""

from __future__ import annotations

import os
import shlex
from typing import NamedTuple

from mdmem.errors import ConflictError, UsageError
from mdmem.store.git.command import Git, GitError
from mdmem.store.local import files
from mdmem.store.local.program import program
from mdmem.store.vault.starter import share

NAME, PUBLISHER = "pre-receive", "post-receive"
_SCRIPTS = {NAME: "hub.sh", PUBLISHER: "publish.sh"}
_MARK = b"# mdmem-hook hub"
_BEFORE = ".before-mdmem"


class HubGuard(NamedTuple):
    """The state of a hook: whether it is installed, is up to date, and runs an earlier hook first."""

    name: str
    path: str
    installed: bool
    current: bool
    chained: bool


def install(folder: str, name: str = NAME) -> HubGuard:
    """Install a hook, the guard or the PUBLISHER, in a bare repository. A hook that is there already runs first.

    Raises UsageError if the folder is not a bare repository, ConflictError if its hooks are in another folder or
    an earlier hook was set aside already.
    """
    place = _place(folder, name)
    before = place + _BEFORE
    if os.path.lexists(place) and not _is_ours(place):
        if os.path.lexists(before):
            raise ConflictError(f"{before} already exists", "merge the two hooks, then try again")
        os.rename(place, before)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place + ".new", "wb") as file:
        file.write(_script(name))
    os.chmod(place + ".new", 0o755)  # noqa: S103 - git runs only executable hooks
    os.replace(place + ".new", place)
    return status(folder, name)


def uninstall(folder: str, name: str = NAME) -> HubGuard:
    """Remove a hook, and put back the one that was there before."""
    place = _place(folder, name)
    if _is_ours(place):
        os.unlink(place)
        if os.path.lexists(place + _BEFORE):
            os.rename(place + _BEFORE, place)
    return status(folder, name)


def status(folder: str, name: str = NAME) -> HubGuard:
    """The state of a hook."""
    place = _place(folder, name)
    ours = _is_ours(place)
    return HubGuard(
        name, place, ours, ours and files.bytes_at(place) == _script(name), os.path.lexists(place + _BEFORE)
    )


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
    out = os.fsdecode(git.run("config", "-z", "--show-scope", "--get-all", "core.hooksPath", ok=(0, 1))).split(
        "\0"
    )
    elsewhere = [path for scope, path in zip(out[::2], out[1::2], strict=False) if scope != "command"]
    if elsewhere:
        raise ConflictError(
            f"its hooks are in {elsewhere[-1]} (core.hooksPath)", "git config --unset core.hooksPath"
        )
    top = os.fsdecode(git.run("rev-parse", "--absolute-git-dir")).rstrip("\n")
    return os.path.join(top, "hooks", name)


def _script(name: str) -> bytes:
    script = files.bytes_at(os.path.join(share("hooks"), _SCRIPTS[name]))
    return script.replace(b"@MDMEM@", shlex.quote(program()).encode())


def _is_ours(place: str) -> bool:
    return _MARK in files.bytes_at(place)

"""The guard of a hub: a hook of a bare repository that refuses history from before a purge.

It is a script of its own that needs nothing but git, because hubs have no mdmem.
"""

from __future__ import annotations

import os

from mdmem.errors import ConflictError, UsageError
from mdmem.git.command import Git, GitError
from mdmem.values import NamedTuple
from mdmem.vault.starter import share

NAME = "pre-receive"
_MARK = b"# mdmem-hook hub"
_BEFORE = ".before-mdmem"


class HubGuard(NamedTuple):
    """The state of the guard, as of other hooks: whether it is there and up to date, and runs another first."""

    name: str
    path: str
    installed: bool
    current: bool
    chained: bool


def install(folder: str) -> HubGuard:
    """Put the guard into the bare repository at a folder; a hook that is there runs first.

    Raises UsageError for a folder that is not one, ConflictError if the hook has another place or was set aside.
    """
    place = _place(folder)
    before = place + _BEFORE
    if os.path.lexists(place) and not _is_ours(place):
        if os.path.lexists(before):
            raise ConflictError(f"{before} is there already", "merge the two hooks, then try again")
        os.rename(place, before)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place + ".new", "wb") as file:
        file.write(_script())
    os.chmod(place + ".new", 0o755)  # noqa: S103 - git runs only executable hooks
    os.replace(place + ".new", place)
    return status(folder)


def uninstall(folder: str) -> HubGuard:
    """Take the guard away, and put back the hook that was there before."""
    place = _place(folder)
    if _is_ours(place):
        os.unlink(place)
        if os.path.lexists(place + _BEFORE):
            os.rename(place + _BEFORE, place)
    return status(folder)


def status(folder: str) -> HubGuard:
    """Whether the guard is there."""
    place = _place(folder)
    ours = _is_ours(place)
    return HubGuard(NAME, place, ours, ours and _bytes(place) == _script(), os.path.lexists(place + _BEFORE))


def _place(folder: str) -> str:
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
            f"its hooks lie in {elsewhere[-1]} (core.hooksPath)", "git config --unset core.hooksPath"
        )
    top = os.fsdecode(git.run("rev-parse", "--absolute-git-dir")).rstrip("\n")
    return os.path.join(top, "hooks", NAME)


def _script() -> bytes:
    return _bytes(os.path.join(share("hooks"), "hub.sh"))


def _is_ours(place: str) -> bool:
    return _MARK in _bytes(place)


def _bytes(place: str) -> bytes:
    if not os.path.isfile(place):
        return b""
    with open(place, "rb") as file:
        return file.read()

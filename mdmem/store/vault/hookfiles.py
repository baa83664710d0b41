"""The files of git's hooks: putting mdmem's in place, so that those that were there before run first."""

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from mdmem.errors import ConflictError, NotFoundError, UsageError
from mdmem.store.git.command import Git, GitError
from mdmem.store.local import files

_MARK = b"# mdmem-hook "
_BEFORE, LEGACY = ".before-mdmem", ".legacy"  # suffixes of hooks set aside by mdmem and by pre-commit


class HookState(NamedTuple):
    """One hook: whether mdmem's is in place and up to date, and whether it runs another one first."""

    name: str
    path: str
    installed: bool
    current: bool
    chained: bool


def state(name: str, path: str, file: str, is_wanted: bool = True) -> HookState:
    """The state of the hook `name`, whose script is in a file, at a path."""
    ours = is_wanted and is_ours(path)
    chained = os.path.lexists(set_aside(path)) or path.endswith(LEGACY)
    return HookState(name, path, ours, ours and files.bytes_at(path) == script(file, name), chained)


def set_aside(path: str) -> str:
    """Where a hook is moved to make room for mdmem's."""
    return path.removesuffix(LEGACY) + _BEFORE


def put(path: str, data: bytes) -> Callable[[], None]:
    """Put one hook in place, and set an existing one aside; returns a function that undoes this."""
    if is_ours(path):
        old = files.bytes_at(path)
        _write_executable(path, data)
        return partial(_write_executable, path, old)
    if not os.path.lexists(path):
        _write_executable(path, data)
        return partial(os.unlink, path)
    before = set_aside(path)
    os.rename(path, before)
    with ExitStack() as on_failure:
        on_failure.callback(os.replace, before, path)
        _write_executable(path, data)
        on_failure.pop_all()
    return partial(os.replace, before, path)


def take_away(path: str) -> None:
    if is_ours(path):
        os.unlink(path)
        if os.path.lexists(set_aside(path)):
            os.rename(set_aside(path), path)


def script(file: str, name: str) -> bytes:
    """The script that mdmem installs as the hook `name`."""
    import shlex

    from mdmem.store.vault.starter import share

    text = files.bytes_at(os.path.join(share("hooks"), file)).decode()
    return text.replace("@NAME@", name).replace("@MDMEM@", shlex.quote(program())).encode()


def require_room(path: str) -> None:
    """Raise ConflictError if a hook would have to be set aside where another one was set aside before."""
    if os.path.lexists(path) and not is_ours(path) and os.path.lexists(set_aside(path)):
        raise ConflictError(
            f"{path} is not mdmem's, and {os.path.basename(set_aside(path))} is there already",
            "merge the two, then try again",
        )


def configured(git: Git) -> list[str]:
    """The folders of hooks that git's settings name, the one that counts last."""
    out = git.run("config", "-z", "--show-scope", "--type=path", "--get-all", "core.hooksPath", ok=(0, 1))
    words = os.fsdecode(out).split("\0")
    return [path for scope, path in zip(words[::2], words[1::2], strict=False) if scope != "command"]


def is_ours(path: str) -> bool:
    """Whether the file at `path` is a hook of mdmem."""
    return os.path.isfile(path) and _MARK in files.bytes_at(path)


def _write_executable(path: str, data: bytes) -> None:
    temporary = path + ".new"
    with open(temporary, "wb") as file:
        file.write(data)
    os.chmod(temporary, 0o755)  # noqa: S103 - git runs only executable hooks
    os.replace(temporary, path)


def program() -> str:
    """The absolute path of this mdmem: GUI clients run hooks with a minimal PATH. Raises NotFoundError."""
    for folder in (os.path.dirname(sys.executable), os.path.dirname(os.path.abspath(sys.argv[0]))):
        for name in ("mdmem", "mdmem.exe"):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                return path.replace(os.sep, "/")
    raise NotFoundError(
        "the mdmem command is not installed beside this Python", "pip install mdmem, then try again"
    )


NAME, PUBLISHER = "pre-receive", "post-receive"
_SCRIPTS = {NAME: "hub.sh", PUBLISHER: "publish.sh"}


def install(folder: str, name: str = NAME) -> HookState:
    """Install a hook, the guard or the PUBLISHER, in a bare repository. A hook that is there already runs first.

    Raises UsageError if the folder is not a bare repository, ConflictError if its hooks are in another folder or
    an earlier hook was set aside already.
    """
    place = _place(folder, name)
    require_room(place)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    put(place, script(_SCRIPTS[name], name))
    return status(folder, name)


def uninstall(folder: str, name: str = NAME) -> HookState:
    """Remove a hook, and put back the one that was there before."""
    take_away(_place(folder, name))
    return status(folder, name)


def status(folder: str, name: str = NAME) -> HookState:
    """The state of a hook."""
    return state(name, _place(folder, name), _SCRIPTS[name])


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
    if elsewhere := configured(git):
        raise ConflictError(
            f"its hooks are in {elsewhere[-1]} (core.hooksPath)", "git config --unset core.hooksPath"
        )
    top = os.fsdecode(git.run("rev-parse", "--absolute-git-dir")).rstrip("\n")
    return os.path.join(top, "hooks", name)

"""git hooks: installing them, and what they do.

A hook never commits and never fails a person's commit, unless the vault is strict and a staged memory cannot
be read. Hooks are never the only way: every opening of the index catches up by itself.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from mdmem.core import layout, properties
from mdmem.errors import ConflictError, MdmemError, NoteError, NotFoundError, Problem
from mdmem.store import repo as git
from mdmem.store.repo import Repo
from mdmem.store.vault import Vault, is_vault

NAMES = ("pre-commit", "post-commit", "post-merge", "post-checkout", "post-rewrite")
REFUSE = 10  # exit code by which the hook script knows that a commit is to be refused
_MARK = b"# mdmem-hook "
_BEFORE, _LEGACY = ".before-mdmem", ".legacy"  # what a hook is set aside as, by us and by pre-commit
_SETTING = "mdmem.vault"  # in the repository's own git settings, which no clone brings along
_SHOWN = 5  # warnings that pre-commit prints
_MANY = 500  # changed files from which a hook leaves the index to its next opening


class HookState(NamedTuple):
    """One hook: whether ours is in place and up to date, and whether it runs another one first."""

    name: str
    path: str
    installed: bool
    current: bool
    chained: bool


# -- installing --------------------------------------------------------------------------------------------


class Folder(NamedTuple):
    """Where git runs hooks from. `own`: it is this repository's alone; `off`: git is told to run none."""

    path: str
    own: bool
    off: bool = False


def install(repo: Repo, shared: bool = False) -> list[HookState]:
    """Put our hooks where git looks for them, all or none; hooks that are there run first.

    Raises ConflictError, before anything is changed, if that folder is not this repository's alone (unless
    `shared`), is made anew by husky, or holds a hook that was set aside for ours and yet another one.
    """
    folder = folder_of(repo)
    wanted = {_place(folder.path, name): _script(name) for name in NAMES}
    missing = {path: data for path, data in wanted.items() if _bytes(path) != data}
    if missing:
        _check(folder, list(missing), shared)
        os.makedirs(folder.path, exist_ok=True)
    with ExitStack() as on_failure:
        for path, data in missing.items():
            on_failure.callback(_put(path, data))
        place = _registered(repo)
        if place not in repo.setting(_SETTING):
            repo.run("config", "--local", "--add", _SETTING, place)
        on_failure.pop_all()
    return status(repo)


def uninstall(repo: Repo, shared: bool = False) -> list[HookState]:
    """Take our hooks away and put back those that were there before.

    They stay where another vault of this repository needs them, and in a folder that is not this
    repository's alone unless `shared`: they do nothing for a repository that did not ask for them.
    """
    place = _registered(repo)
    if place in repo.setting(_SETTING):
        repo.run("config", "--local", "--fixed-value", "--unset-all", _SETTING, place)
    if not repo.setting(_SETTING):
        folder = folder_of(repo)
        ours = [folder.path] if folder.own or shared else []
        for path in dict.fromkeys([*ours, _own_folder(repo)]):
            for name in NAMES:
                _take_away(_place(path, name), os.path.join(path, name + _BEFORE))
    return status(repo)


def status(repo: Repo) -> list[HookState]:
    """The state of each hook."""
    folder = folder_of(repo)
    asked = not folder.off and _registered(repo) in repo.setting(_SETTING)
    states = []
    for name in NAMES:
        path = _place(folder.path, name)
        ours = asked and is_ours(path)
        chained = os.path.lexists(os.path.join(folder.path, name + _BEFORE)) or path.endswith(_LEGACY)
        states.append(HookState(name, path, ours, ours and _bytes(path) == _script(name), chained))
    return states


def folder_of(repo: Repo) -> Folder:
    """The folder git runs hooks from: `core.hooksPath`, or the repository's own."""
    out = repo.run("config", "-z", "--show-scope", "--type=path", "--get-all", "core.hooksPath", ok=(0, 1))
    words = os.fsdecode(out).split("\0")
    configured = [path for scope, path in zip(words[::2], words[1::2], strict=False) if scope != "command"]
    if not configured:
        return Folder(_own_folder(repo), own=True)
    path = os.path.normpath(os.path.join(repo.top, configured[-1]))
    if not configured[-1] or path == os.devnull:
        return Folder(_own_folder(repo), own=True, off=True)
    inside = os.path.realpath(path).startswith(os.path.realpath(repo.common_dir()) + os.sep)
    return Folder(path, own=inside)


def _own_folder(repo: Repo) -> str:
    return os.path.join(repo.common_dir(), "hooks")


def _registered(repo: Repo) -> str:
    """How a vault stands in the repository's settings: its place in the working tree."""
    return repo.prefix.rstrip("/") or "."


def _place(folder: str, name: str) -> str:
    """Where our hook is, or is to be: the pre-commit framework sets it aside and runs it from there."""
    path = os.path.join(folder, name)
    return path + _LEGACY if not is_ours(path) and is_ours(path + _LEGACY) else path


def _check(folder: Folder, paths: list[str], shared: bool) -> None:
    """Raise ConflictError if our hooks are not to be put at `paths`."""
    if folder.off:
        raise ConflictError("git is told to run no hooks: core.hooksPath", "git config --unset core.hooksPath")
    by_hand = "call `mdmem hook-impl validate` in your pre-commit hook and `mdmem hook-impl index` in post-commit"
    if os.path.exists(os.path.join(folder.path, "h")) or os.path.exists(os.path.join(folder.path, "husky.sh")):
        raise ConflictError(f"{folder.path} is made anew by husky", by_hand)
    if not folder.own and not shared:
        raise ConflictError(
            f"core.hooksPath is {folder.path}, which is not this repository's alone",
            f"mdmem hooks install --shared puts its hooks there; or {by_hand}",
        )
    for path in paths:
        if os.path.lexists(path) and not is_ours(path) and os.path.lexists(path + _BEFORE):
            raise ConflictError(
                f"{path} is not mdmem's, and {os.path.basename(path)}{_BEFORE} is there already",
                "merge the two, then try again",
            )


def _put(path: str, data: bytes) -> Callable[[], None]:
    """Put one hook in place, the one that is there set aside; returns how to take that back."""
    if is_ours(path):
        return partial(_write_executable, path, _replaced(path, data))
    if not os.path.lexists(path):
        _write_executable(path, data)
        return partial(os.unlink, path)
    os.rename(path, path + _BEFORE)
    with ExitStack() as on_failure:
        on_failure.callback(os.replace, path + _BEFORE, path)
        _write_executable(path, data)
        on_failure.pop_all()
    return partial(os.replace, path + _BEFORE, path)


def _replaced(path: str, data: bytes) -> bytes:
    old = _bytes(path)
    _write_executable(path, data)
    return old


def _take_away(path: str, before: str) -> None:
    if is_ours(path):
        os.unlink(path)
        if os.path.lexists(before):
            os.rename(before, path)


def _script(name: str) -> bytes:
    from mdmem.services.starter import share

    text = _bytes(os.path.join(share("hooks"), "hook.sh")).decode()
    return text.replace("@NAME@", name).replace("@MDMEM@", shlex.quote(_program())).encode()


def _program() -> str:
    """The absolute place of this mdmem: GUI clients run hooks with a bare PATH. Raises NotFoundError."""
    for folder in (os.path.dirname(sys.executable), os.path.dirname(os.path.abspath(sys.argv[0]))):
        for name in ("mdmem", "mdmem.exe"):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                return path.replace(os.sep, "/")
    raise NotFoundError(
        "the mdmem command is not installed beside this Python", "pip install mdmem, then try again"
    )


def is_ours(path: str) -> bool:
    """Whether the file at `path` is a hook of mdmem."""
    return os.path.isfile(path) and _MARK in _bytes(path)


def _bytes(path: str) -> bytes:
    if not os.path.isfile(path):
        return b""
    with open(path, "rb") as file:
        return file.read()


def _write_executable(path: str, data: bytes) -> None:
    temporary = path + ".new"
    with open(temporary, "wb") as file:
        file.write(data)
    os.chmod(temporary, 0o755)  # noqa: S103 - git runs only executable hooks
    os.replace(temporary, path)


# -- running -----------------------------------------------------------------------------------------------


def run(argv: list[str]) -> int:
    """`mdmem hook-impl NAME ...`, run by git in the top folder of a working tree; the exit code.

    NAME is that of a hook, or `validate` or `index` for the pre-commit framework. Only REFUSE keeps git from
    committing; every failure of ours is one line on standard error.
    """
    if os.environ.get(git.GUARD) or not argv or argv[0] not in (*NAMES, "validate", "index"):
        return 0
    top = git.find_top(os.getcwd())
    if top is None:
        return 0
    refused = False
    for prefix in _vaults(top, argv[0] in NAMES):
        try:
            if argv[0] in ("pre-commit", "validate"):
                refused |= _validate(os.path.join(top, prefix))
            else:
                _freshen(os.path.join(top, prefix))
        except MdmemError as error:
            print(f"mdmem {argv[0]}: {error}", file=sys.stderr)
    return REFUSE if refused else 0


def _vaults(top: str, asked: bool) -> Iterator[str]:
    """The vaults of this working tree, as folders in it: those that asked for hooks, or else the tree itself."""
    for place in Repo(top, "").setting(_SETTING) or ([] if asked else ["."]):
        inner = os.path.normpath(os.path.join(top, place))
        if (inner == top or inner.startswith(top + os.sep)) and is_vault(inner):
            yield place


def _freshen(root: str) -> None:
    """Bring an index that is there up to date, unless that is a lot of work."""
    with Vault(root) as vault:
        if os.path.exists(os.path.join(vault.state, "index.sqlite")):
            vault.open_index().freshen(at_most=_MANY)


def _validate(root: str) -> bool:
    """Report what is wrong with the staged memories; True if the commit is to be refused."""
    with Vault(root) as vault:
        problems = list(staged_problems(vault))
        errors = sum(problem.severity == "error" for problem in problems)
        problems.sort(key=lambda problem: problem.severity != "error")
        for problem in problems[: max(errors, _SHOWN)]:
            print(f"mdmem: {problem}", file=sys.stderr)
        if len(problems) > max(errors, _SHOWN):
            print(f"mdmem: ... and {len(problems) - max(errors, _SHOWN)} warnings: mdmem doctor", file=sys.stderr)
        if errors and vault.config.hooks_strict:
            print(
                "mdmem: commit refused ([hooks] strict = true); git commit --no-verify overrides", file=sys.stderr
            )
            return True
    return False


def staged_problems(vault: Vault) -> Iterator[Problem]:
    """What is wrong with the memories in the index about to be committed; names only where they are new."""
    staged = [
        (letter, file)
        for letter, file in vault.repo.staged(os.environ.get("GIT_INDEX_FILE", ""))
        if file.mode.startswith("100") and layout.is_memory(file.path, vault.config)
    ]
    blobs = vault.repo.blobs([file.blob for _, file in staged])
    for (letter, file), data in zip(staged, blobs, strict=True):
        try:
            note = vault.parse(data, file.path)
        except NoteError as error:
            yield error.problem
            continue
        yield from note.problems
        yield from (found for found in properties.check(note) if letter == "A" or found.code != "name")

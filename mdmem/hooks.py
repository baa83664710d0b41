"""git hooks: installing them, and what they do.

A hook never commits and never fails a person's commit, unless the vault is strict and a staged memory cannot
be read. Hooks are never the only way: every opening of the index catches up by itself.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from typing import NamedTuple

from mdmem.core import layout, properties
from mdmem.errors import ConflictError, MdmemError, NoteError, NotFoundError, Problem
from mdmem.store import repo as git
from mdmem.store.command import GUARD
from mdmem.store.index import HOOK_PATIENCE
from mdmem.store.repo import Repo
from mdmem.store.vault import Vault, is_vault

NAMES = ("pre-commit", "post-commit", "post-merge", "post-checkout", "post-rewrite")
REFUSE = 10  # exit code by which the hook script knows that a commit is to be refused
_MARK = b"# mdmem-hook "
_BEFORE = ".before-mdmem"
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


def install(repo: Repo) -> list[HookState]:
    """Put our hooks where git looks for them; hooks that are there run first.

    Raises ConflictError if an earlier hook was set aside already and another one has taken its place.
    """
    text = _script()
    folder = folder_of(repo)
    os.makedirs(folder, exist_ok=True)
    for name in NAMES:
        path = os.path.join(folder, name)
        if os.path.lexists(path) and not _is_ours(path):
            if os.path.lexists(path + _BEFORE):
                raise ConflictError(
                    f"{path} is not mdmem's, and {name}{_BEFORE} is there already", "merge the two, then try again"
                )
            os.rename(path, path + _BEFORE)
        _write_executable(path, text)
    place = repo.prefix.rstrip("/") or "."
    if place not in repo.setting(_SETTING):
        repo.run("config", "--local", "--add", _SETTING, place)
    return status(repo)


def uninstall(repo: Repo) -> list[HookState]:
    """Take our hooks away and put back those that were there before."""
    place = repo.prefix.rstrip("/") or "."
    others = [known for known in repo.setting(_SETTING) if known != place]
    if place in repo.setting(_SETTING):
        repo.run("config", "--local", "--fixed-value", "--unset-all", _SETTING, place)
    for name in NAMES if not others else ():
        path = os.path.join(folder_of(repo), name)
        if _is_ours(path):
            os.unlink(path)
            if os.path.lexists(path + _BEFORE):
                os.rename(path + _BEFORE, path)
    return status(repo)


def status(repo: Repo) -> list[HookState]:
    """The state of each hook."""
    folder, text = folder_of(repo), _script()
    states = []
    for name in NAMES:
        path = os.path.join(folder, name)
        ours = _is_ours(path) and (repo.prefix.rstrip("/") or ".") in repo.setting(_SETTING)
        states.append(HookState(name, path, ours, ours and _bytes(path) == text, os.path.lexists(path + _BEFORE)))
    return states


def folder_of(repo: Repo) -> str:
    """The folder git runs hooks from: `core.hooksPath`, or the repository's own."""
    configured = repo.setting("core.hooksPath")
    own = [path for path in configured if path != os.devnull]
    if own:
        return os.path.normpath(os.path.join(repo.top, os.path.expanduser(own[-1])))
    return os.path.join(repo.common_dir(), "hooks")


def _script() -> bytes:
    from mdmem.services.starter import share

    text = _bytes(os.path.join(share("hooks"), "hook.sh")).decode()
    return text.replace("@MDMEM@", shlex.quote(_program())).encode()


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


def _is_ours(path: str) -> bool:
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
    if os.environ.get(GUARD) or not argv or argv[0] not in (*NAMES, "validate", "index"):
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
            vault.open_index(HOOK_PATIENCE).catch_up(_MANY)


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

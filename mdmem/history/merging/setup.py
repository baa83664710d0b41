"""Telling git how to merge memories: an attribute names the merge driver, and this clone's settings its command.

The attribute is tracked in new vaults, and is in `info/attributes` if the repository existed before. The command
is only in this clone's settings, which git never transfers: nothing that arrives by git decides what runs here.
"""

import os
import shlex
from collections.abc import Iterator

from mdmem.errors import Problem, warning
from mdmem.history.merging.driver import CONFLICT
from mdmem.store.git.command import GitError
from mdmem.store.git.exclude import literal
from mdmem.store.git.repo import Repo
from mdmem.store.local import files
from mdmem.store.vault.hookfiles import program

_SECTION = "merge.mdmem"
_NAME = "mdmem: properties key by key, text by sections and bullets"
_ATTRIBUTE = "merge=mdmem"
_PATTERNS = ("*.md", "*.json")
_SAMPLE = "mdmem-sample.md"  # a path to ask git about; the file need not exist
_FIX = "mdmem hooks install"


def ensure_driver(repo: Repo) -> bool:
    """Have git merge the memories of a vault with mdmem in this clone; whether anything had to be set.

    Raises NotFoundError if the mdmem command is not installed, OSError, GitError.
    """
    # mdmem, or git's own merge of the texts if mdmem is missing or fails
    ours = shlex.quote(program()).replace("%", "%%")
    by_git = "git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"
    wanted = f"{ours} merge-driver %O %A %B %L %P || {{ test $? -eq {CONFLICT} && exit 1; {by_git}; }}"
    changed = repo.setting(f"{_SECTION}.driver") != [wanted]
    if changed:  # a name without a driver is an error to git, so the driver comes first
        repo.run("config", "--local", "--replace-all", f"{_SECTION}.driver", wanted)
        repo.run("config", "--local", "--replace-all", f"{_SECTION}.name", _NAME)
    if not _is_named(repo):
        folder = f"/{literal(repo.prefix)}**/" if repo.prefix else ""  # the file is for the whole repository
        lines = [f"{_quoted(folder + pattern)} {_ATTRIBUTE}" for pattern in _PATTERNS]
        _write_attributes(repo, [*_attributes(repo), *lines])
        changed = True
    return changed


def remove_driver(repo: Repo) -> None:
    """Undo `ensure_driver` in this clone; with a tracked attribute alone, git then merges by itself."""
    if repo.setting(f"{_SECTION}.driver") or repo.setting(f"{_SECTION}.name"):
        try:
            repo.run("config", "--local", "--remove-section", _SECTION)
        except GitError:  # it is in the person's own settings, not in this clone's
            return
    lines = _attributes(repo)
    left = [line for line in lines if not line.endswith(_ATTRIBUTE)]
    if left != lines:
        _write_attributes(repo, left)


def problems(repo: Repo) -> Iterator[Problem]:
    """What keeps git from merging memories with mdmem as configured."""
    drivers, names = repo.setting(f"{_SECTION}.driver"), repo.setting(f"{_SECTION}.name")
    if names and not drivers:
        message = f"{_SECTION}.name is set and {_SECTION}.driver is not: git refuses to merge"
        yield Problem("merge-driver", "", 0, message, _FIX)
    elif not drivers and _is_named(repo):
        message = "git merges memories line by line: this clone does not define `merge=mdmem`"
        yield warning("merge-driver", "", message, _FIX)
    elif drivers and (gone := _missing_program(drivers[-1])):
        message = f"git merges memories line by line: the merge driver {gone} is not there"
        yield warning("merge-driver", "", message, _FIX)


def _missing_program(command: str) -> str:
    """The program that a driver's command begins with, if it does not exist."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    path = words[0].replace("%%", "%") if words else command
    return path if os.path.isabs(path) and not os.path.isfile(path) else ""


def _is_named(repo: Repo) -> bool:
    """Whether the attributes of the vault's notes name our driver."""
    out = repo.run("check-attr", "-z", "merge", "--", repo.prefix + _SAMPLE)
    return out.split(b"\0")[2:3] == [b"mdmem"]


def _quoted(pattern: str) -> str:
    """A pattern as an attributes file takes it: in quotes if it has spaces or quotes."""
    escaped = pattern.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"' if " " in pattern or '"' in pattern else pattern


def _place(repo: Repo) -> str:
    return os.path.join(repo.common_dir(), "info", "attributes")


def _attributes(repo: Repo) -> list[str]:
    return os.fsdecode(files.bytes_at(_place(repo))).splitlines()


def _write_attributes(repo: Repo, lines: list[str]) -> None:
    os.makedirs(os.path.dirname(_place(repo)), exist_ok=True)
    with open(_place(repo), "wb") as file:
        file.write(os.fsencode("".join(line + "\n" for line in lines)))

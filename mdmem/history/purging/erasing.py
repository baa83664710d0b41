"""The end of a purge: the vault takes over the rewritten history, and everything that holds the old one is erased.

Until `swap.json` exists, nothing in the vault has changed, and a purge that was cut short is rolled back. From
then on it is completed, by the next command if need be: each step can be repeated.
"""

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from typing import Any

from mdmem.errors import ConflictError
from mdmem.history.purging import objects, rewriter, survey
from mdmem.history.purging.objects import Ref
from mdmem.store import registry
from mdmem.store.git import commits
from mdmem.store.git.command import GitError
from mdmem.store.git.repo import Repo
from mdmem.store.local import files, state
from mdmem.store.vault.vault import Vault

_FETCHED = "refs/mdmem/purging/"  # refs that hold the new history until the real ones have moved
_SWAP = "swap.json"
_ERASING = ("gc.pid", "gc.pid.lock")  # files in git's folder while `git gc` runs
_KEPT_DATABASES = ("usage.sqlite",)  # recall counts, by id


def folder(vault: Vault) -> str:
    """The folder in which a purge works."""
    return os.path.join(vault.state, state.PURGE)


def _swap(vault: Vault) -> str:
    return os.path.join(folder(vault), _SWAP)


def begin(vault: Vault) -> str:
    """Create the folder of a purge. The caller holds the vault's lock and has settled any earlier purge."""
    os.makedirs(folder(vault), mode=0o700)
    return folder(vault)


def take_over(vault: Vault, clone: str, rewritten: Iterable[Ref]) -> None:
    """Give the vault the refs and files of the clone, and erase everything from before.

    `rewritten` are the vault's refs from which the clone was made. Raises ConflictError, with nothing changed, if
    a ref has moved or a file was edited since.
    """
    repo = vault.repo.whole
    options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance")
    repo.run("fetch", *options, "--", clone, f"+refs/*:{_FETCHED}*")
    old = {ref.name: ref.id for ref in rewritten}
    now = {ref.name: ref.id for ref in objects.refs(repo) if not ref.name.startswith(_FETCHED)}
    new = {ref.name.removeprefix(_FETCHED): ref.id for ref in objects.refs(repo, _FETCHED)}
    moves = [[f"refs/{name}", old.get(f"refs/{name}", ""), id] for name, id in new.items()]
    if moved := [name for name in old.keys() | now.keys() if old.get(name) != now.get(name)]:
        raise ConflictError(f"{min(moved)} has moved meanwhile; nothing was changed", "purge again")
    if edited := [entry.path for entry in repo.status().entries if entry.staged != "?"]:
        raise ConflictError(
            f"{edited[0]} was edited meanwhile; nothing was changed", "commit it, then purge again"
        )
    announce(vault, moves)


def announce(vault: Vault, moves: Sequence[Sequence[str]]) -> None:
    """Move refs, given as (name, old id, new id), and erase the objects that only the old ids reached.

    Raises ConflictError, with nothing changed, if an edited file is in the way.
    """
    branch = vault.repo.run("symbolic-ref", "HEAD").decode().strip()
    swap = {"refs": moves, "branch": branch}
    _check_out(vault, swap, "--dry-run")
    place = _swap(vault)
    files.sync([files.save(place, json.dumps(swap).encode(), os.path.join(folder(vault), "tmp"))])
    complete(vault)


def settle(vault: Vault) -> None:
    """Complete or roll back a purge that was cut short. The caller holds the vault's lock.

    What the dead process left locked is set free first. Its locks on refs are newer than what it wrote last before
    it moved them. If its `git gc` still runs, a second one does no harm: both began after the refs had moved.
    """
    if not os.listdir(folder(vault)):
        os.rmdir(folder(vault))
        vault.tell("a purge that was interrupted had not begun, or it was complete; mdmem log tells which")
        return
    locks = vault.repo.ref_locks()
    if is_announced(vault):
        locks += [os.path.join(vault.repo.common_dir(), name) for name in _ERASING]
        commits.free(locks, os.stat(_swap(vault)).st_mtime_ns)
        complete(vault)
        vault.tell("completed a purge that was interrupted")
    else:
        commits.free(locks, os.stat(folder(vault)).st_mtime_ns)
        take_back(vault)
        vault.tell("took back a purge that was interrupted; nothing was purged")


def is_announced(vault: Vault) -> bool:
    """Whether a purge has got so far that it is to be completed rather than rolled back."""
    return os.path.exists(_swap(vault))


def take_back(vault: Vault) -> None:
    """Roll back a purge of which no ref has moved yet."""
    repo = vault.repo
    lines = [f"delete {ref.name}\n" for ref in objects.refs(repo, _FETCHED)]
    repo.run("update-ref", "--stdin", stdin="".join(lines).encode())
    shutil.rmtree(folder(vault))


def complete(vault: Vault) -> None:
    """Do everything that is left to do after the announcement. Raises ConflictError, BusyError, GitError."""
    place = _swap(vault)
    with open(place, encoding="utf-8") as file:
        swap = json.load(file)
    vault.close()
    _swap_refs(vault, swap)
    _check_out(vault, swap)
    shutil.rmtree(os.path.join(folder(vault), "clone.git"), ignore_errors=True)
    erase_old(vault.repo)
    clean_local(vault)
    for entry in list(os.scandir(folder(vault))):
        if entry.is_dir():
            shutil.rmtree(entry)
        elif entry.name != _SWAP:  # it goes last: while it is there, the purge is completed
            os.unlink(entry)
    os.unlink(place)
    os.rmdir(folder(vault))


def _swap_refs(vault: Vault, swap: dict[str, Any]) -> None:
    """Move all refs at once, leaving those that have moved already. A ref with another value ends the purge."""
    repo = vault.repo
    now = {ref.name: ref.id for ref in objects.refs(repo)}
    left = [move for move in swap["refs"] if now.get(move[0], "") != move[2]]
    begun = len(left) < len(swap["refs"])
    lines = ["start\n"]
    lines += [f"option no-deref\nupdate {name} {new} {old or '0' * len(new)}\n" for name, old, new in left]
    lines += [f"delete {name}\n" for name in now if name.startswith(_FETCHED)]
    lines += ["prepare\n", "commit\n"]
    try:
        repo.run(
            "update-ref", "-m", "mdmem purge", "--stdin", stdin="".join(lines).encode("utf-8", "surrogateescape")
        )
    except GitError as error:
        if any(now.get(name, "") not in (old, new) for name, old, new in swap["refs"]) and not begun:
            take_back(vault)
            raise ConflictError("somebody committed meanwhile; nothing was changed", "purge again") from error
        raise


def _check_out(vault: Vault, swap: dict[str, Any], *options: str) -> None:
    """Have git's index and the files follow the branch. If the old commit is erased already, they have."""
    repo = vault.repo
    moved = [(old, new) for name, old, new in swap["refs"] if name == swap["branch"]]
    if not moved or not repo.has_commit(moved[0][0]):
        return
    repo.run("update-index", "-q", "--refresh", ok=(0, 1))  # files may have been copied since git looked at them
    try:
        repo.run("read-tree", *options, "-m", "-u", *moved[0])
    except GitError as error:
        hint = "commit the edit, or move it elsewhere and git checkout the file; then try again"
        raise ConflictError(f"an edited file is in the way of a purge: {error}", hint) from error


def erase_old(repo: Repo) -> None:
    """Have git forget everything that no ref reaches: reflogs, files like ORIG_HEAD, and the objects."""
    repo.run("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    for memo in survey.GIT_MEMOS:
        files.discard(repo.git_path(memo))
    repo.run("-c", "gc.bigPackThreshold=0", "gc", "--prune=now", "--quiet")


def clean_local(vault: Vault) -> None:
    """Delete local files that mdmem can make again, and erase the purged content from those that it cannot."""
    plan = os.path.join(folder(vault), rewriter.PLAN)
    rules = rewriter.load(plan) if os.path.exists(plan) else None
    for path in survey.local_files(vault):
        name = os.path.basename(path)
        if ".sqlite" in name and not name.startswith(_KEPT_DATABASES):
            os.unlink(path)
        elif rules:
            _clean(path, rules)
    if rules:
        for tree in registry.all_trees(vault):
            for path in tree.present(vault, ()):
                if tree.wrote(vault, path):
                    _clean(os.path.join(vault.root, path), rules, is_derived=True)


def _clean(path: str, rules: rewriter.PurgeTarget, is_derived: bool = False) -> None:
    """Erase the purged content from a text file. A derived file, or one that is not text, is deleted instead."""
    data = files.bytes_at(path)
    cleaned = rules.elsewhere(data)
    if cleaned == data:
        return
    if is_derived or b"\0" in data:
        os.unlink(path)
    else:
        files.save(path, cleaned)

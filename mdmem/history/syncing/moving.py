"""Move HEAD, git's index and the files to an existing commit, all of them or none.

The files of the vault are replaced under its journal, as in any other change: a process that is killed leaves
either the old commit with its files or the new one with its own, and the next command settles which. Files
elsewhere in the repository are replaced by git.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from mdmem.errors import ConflictError, StoppedError, UsageError
from mdmem.history.syncing import kinds
from mdmem.store import layout
from mdmem.store.git import commits, trees
from mdmem.store.git.repo import TreeFile
from mdmem.store.git.trees import PathChange
from mdmem.store.local import files, lock
from mdmem.store.vault.vault import Vault


class _Move(NamedTuple):
    """What to move.

    `files` are files of the vault, by their path in it, as (before, after). `placed` are the entries for git's
    index. `others` says whether git has to replace other files.
    """

    files: dict[str, tuple[bytes | None, bytes | None]]
    placed: list[TreeFile]
    others: bool


def move(
    vault: Vault, old: str, new: str, differences: Sequence[PathChange], patience: float = lock.PATIENCE
) -> bool:
    """Move the vault to the commit `new`, a descendant of `old`; False if HEAD or git's index has moved since.

    `differences` are those of the two commits. Waits `patience` seconds for other writers. Edited files that no
    commit touched stay as they are. Raises ConflictError for a file that was both edited and changed by a commit;
    nothing is changed then.
    """
    homes = layout.homes(vault.config)
    with vault.following(), vault.locked(patience):
        if vault.repo.head_commit() != old:
            return False
        planned = _planned(vault, differences)
        with ExitStack() as on_failure:
            on_failure.callback(vault.journal.settle, homes)
            vault.journal.begin(old, "sync", planned.files, new)
            vault.journal.replace(planned.files, homes)
            if not trees.advance(vault.repo, old, new, planned.placed, planned.others):
                return False
            on_failure.pop_all()
        vault.journal.close()
        vault.moved(planned.files)
        commits.tidy(vault.repo)
    return True


def in_the_way(vault: Vault, differences: Sequence[PathChange], edited: Sequence[str]) -> list[str]:
    """The `edited` files (paths in the repository) that the commits with these `differences` would overwrite.

    Ignored files that a commit adds count, too; derived files do not. Raises StoppedError if the commits have
    local files of mdmem.
    """
    _refuse_state(vault, differences)
    touched = {change.path: change for change in differences}
    ignored = [path for path, change in touched.items() if not change.old_blob and _is_there(vault, path)]
    doubtful = dict.fromkeys([*(path for path in edited if path in touched), *ignored])
    now = trees.saved(vault.repo, (touched[path] for path in doubtful))
    wrong = [path for path in doubtful if now.get(path, "") != touched[path].blob]
    return [path for path in wrong if not kinds.is_derived(vault, path)]


def _is_there(vault: Vault, path: str) -> bool:
    return os.path.lexists(os.path.join(vault.repo.top, path))


def _planned(vault: Vault, differences: Sequence[PathChange]) -> _Move:
    """What a move has to do. Raises ConflictError if one of its files is edited."""
    repo = vault.repo
    _refuse_state(vault, differences)
    own = _own(vault, differences)
    saved = trees.saved(repo, differences)
    moved = {}
    for path, change in own.items():
        before = files.read_or_none(vault.root, path)
        if not kinds.is_derived(vault, change.path) and _is_edited(change, saved, before):
            raise ConflictError(
                f"{path} is edited here and changed on the other side", "commit or revert the edit"
            )
        moved[path] = before, repo.file(change.blob, path) if change.blob else None
    ours = {change.path for change in own.values()}
    others = [change for change in differences if change.path not in ours]
    there = [
        change for change in others if saved.get(change.path, "") == change.blob and change.mode.startswith("100")
    ]
    placed = [change.after or commits.gone(change.path) for change in [*own.values(), *there]]
    return _Move(moved, placed, len(there) < len(others))


def _is_edited(change: PathChange, saved: Mapping[str, str], before: bytes | None) -> bool:
    """Whether a file is neither as before a change nor as after it; `saved` has the blobs of the current files."""
    is_there = before is not None
    return saved.get(change.path, "") not in (change.old_blob, change.blob) or is_there != (change.path in saved)


def _own(vault: Vault, differences: Sequence[PathChange]) -> dict[str, PathChange]:
    """path in the vault -> the change there, for regular files that git was not told to skip."""
    repo, plain = vault.repo, {trees.FILE, trees.NOTHING}
    own = {
        one.path.removeprefix(repo.prefix): one
        for one in differences
        if one.path.startswith(repo.prefix) and {one.old_mode, one.mode} <= plain and "\n" not in one.path
    }
    unseen = repo.unseen(list(own))
    return {path: one for path, one in own.items() if path not in unseen and _is_real(vault.root, path)}


def _is_real(root: str, path: str) -> bool:
    """Whether a path in the vault goes through no symbolic link."""
    try:
        files.locate(root, path)
    except UsageError:
        return False
    return True


def _refuse_state(vault: Vault, differences: Sequence[PathChange]) -> None:
    """Raises StoppedError for another machine's local files of mdmem: they would be trusted here."""
    state = vault.repo.prefix + layout.STATE
    for one in differences:
        if one.blob and layout.within(one.path, state):
            raise StoppedError(
                f"the other side has {one.path} in git; mdmem's local files must not be",
                f"there: git rm -r {state}",
            )

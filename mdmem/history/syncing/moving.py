"""Move HEAD, git's index and the files to a commit that is there already, as a whole.

The files of the vault are replaced behind its journal, as in any other change: a process that is killed leaves the
old commit with its files or the new one with its own, and the next command settles which. What lies elsewhere in
the repository is put there by git.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from mdmem.errors import ConflictError, StoppedError, UsageError
from mdmem.git import commits, trees
from mdmem.git.repo import TreeFile
from mdmem.git.trees import PathChange
from mdmem.history.syncing import kinds
from mdmem.local import files, lock
from mdmem.note import layout
from mdmem.values import NamedTuple
from mdmem.vault.vault import Vault


class _Move(NamedTuple):
    """What moves: files of the vault, by their path in it, as (before, after); what of them and of others git's
    index has to hold; and whether git has to put others in their place."""

    files: dict[str, tuple[bytes | None, bytes | None]]
    placed: list[TreeFile]
    others: bool


def move(vault: Vault, old: str, new: str, patience: float = lock.PATIENCE) -> bool:
    """Have the vault be as in the commit `new`, which follows `old`; False if HEAD is not `old` any more.

    Waits `patience` seconds for other writers.

    What a person edited and no commit touched stays as it is. Raises ConflictError where both did, and nothing
    is changed then.
    """
    homes = layout.homes(vault.config)
    with vault.following(), vault.locked(patience):
        if vault.repo.head()[0] != old:
            return False
        planned = _planned(vault, old, new)
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


def in_the_way(vault: Vault, old: str, new: str, edited: Sequence[str]) -> list[str]:
    """The `edited` files (paths of the repository) that the commits between would change.

    Raises StoppedError for local files of mdmem among these.
    """
    differences = trees.differences(vault.repo, old, new)
    _refuse_state(vault, differences)
    touched = {change.path: change for change in differences}
    ignored = [path for path, change in touched.items() if not change.old_blob and _is_there(vault, path)]
    doubtful = dict.fromkeys([*(path for path in edited if path in touched), *ignored])
    now = trees.saved(vault.repo, list(doubtful))
    wrong = [path for path in doubtful if now.get(path, "") != touched[path].blob]
    return [path for path in wrong if not kinds.is_derived(vault, path)]


def _is_there(vault: Vault, path: str) -> bool:
    return os.path.lexists(os.path.join(vault.repo.top, path))


def _planned(vault: Vault, old: str, new: str) -> _Move:
    """What is to be done; raises ConflictError if a file of it is edited."""
    repo = vault.repo
    differences = trees.differences(repo, old, new)
    _refuse_state(vault, differences)
    own = _own(vault, differences)
    saved = trees.saved(repo, [change.path for change in differences])
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
    """Whether a file is neither as before a change nor as after it; `saved` are the blobs of files as they are."""
    is_there = before is not None
    return saved.get(change.path, "") not in (change.old_blob, change.blob) or is_there != (change.path in saved)


def _own(vault: Vault, differences: Sequence[PathChange]) -> dict[str, PathChange]:
    """path in the vault -> what is different there, for ordinary files that git looks at."""
    repo, plain = vault.repo, {trees.FILE, trees.NOTHING}
    own = {
        one.path.removeprefix(repo.prefix): one
        for one in differences
        if one.path.startswith(repo.prefix) and {one.old_mode, one.mode} <= plain and "\n" not in one.path
    }
    unseen = repo.unseen(list(own))
    return {path: one for path, one in own.items() if path not in unseen and _is_real(vault.root, path)}


def _is_real(root: str, path: str) -> bool:
    """Whether a path is one of the vault that goes through no symbolic link."""
    try:
        files.locate(root, path)
    except UsageError:
        return False
    return True


def _refuse_state(vault: Vault, differences: Sequence[PathChange]) -> None:
    """Nobody else's local files: they would be believed."""
    state = vault.repo.prefix + layout.STATE
    for one in differences:
        if one.blob and layout.within(one.path, state):
            raise StoppedError(
                f"the other side has {one.path} in git; mdmem's local files must not be",
                f"there: git rm -r {state}",
            )

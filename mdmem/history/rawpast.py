"""The past of raw entries, `topics/<topic>/<entry id>/`: their history, deleted entries, restoring them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from mdmem.errors import ConflictError, NotFoundError
from mdmem.history.past import Deleted, deleted
from mdmem.history.shown import PastSight
from mdmem.note import moments
from mdmem.store import layout
from mdmem.store.git import log
from mdmem.store.git.log import Commit, FileChange
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault


def history(vault: Vault, name: str) -> list[Commit]:
    """The commits of the entry with that path or `topic/id`, newest first. Raises NotFoundError."""
    found = list(PastSight(vault).commits(log.commits(vault.repo, paths=[_folder(vault, name)])))
    if not found:
        raise NotFoundError(f"there is no entry {name}, and there never was one", "mdmem log shows what there was")
    return found


def trash(vault: Vault) -> list[Deleted]:
    """The entries that are in history but no longer in the folder, latest deletion first."""
    found: dict[str, Deleted] = {}
    for commit, change in _deletions(vault):
        folder = layout.entry_of(change.old_path, vault.config)
        if folder and not _is_there(vault, folder):
            blob = change.before if change.old_path == f"{folder}/{layout.RAW_FILE}" else ""
            item = _deleted(folder, commit, blob)
            known = found.setdefault(folder, item)
            if blob and known.commit == item.commit:
                found[folder] = item
    return list(found.values())


def _deletions(vault: Vault) -> Iterator[tuple[Commit | None, FileChange]]:
    """Every deletion of a file in the topics, latest first; None for a commit that is not made yet."""
    yield from ((None, change) for change in log.uncommitted(vault.repo) if change.letter in "DR")
    for commit in log.commits(vault.repo, "--diff-filter=D", paths=[vault.config.topics]):
        yield from ((commit, change) for change in commit.changes)


def restore(vault: Vault, name: str, caller: Caller, reason: str = "") -> tuple[str, str]:
    """Bring a deleted entry back as it was; (folder, commit).

    The commit is "" if the deletion was not committed. Raises NotFoundError if the entry is not in the trash,
    ConflictError if it exists.
    """
    folder = _folder(vault, name)
    if _is_there(vault, folder):
        raise ConflictError(f"{folder} is there", "nothing needs to be restored")
    item = next((item for item in trash(vault) if item.path == folder), None)
    if item is None:
        raise NotFoundError(f"the trash holds no '{name}'", "mdmem trash lists what it holds")
    before = f"{item.commit}^" if item.commit else "HEAD"
    with vault.change(caller.does("restore", reason)) as tx:
        for path in (f"{folder}/{part}" for part in layout.ENTRY_PARTS):
            if (data := vault.repo.read(before, path)) is not None:
                tx.write(path, data)
        tx.operation = tx.operation._replace(names=(layout.entry_name(folder),))
    return folder, tx.commit


def _folder(vault: Vault, name: str) -> str:
    """The folder of the entry with that name, whether it exists or not."""
    topic, entry_id = layout.entry_name(name).split("/")
    return layout.entry_folder(topic, entry_id, vault.config)


def _is_there(vault: Vault, folder: str) -> bool:
    return any(os.path.lexists(os.path.join(vault.root, folder, part)) for part in layout.ENTRY_PARTS)


def _deleted(folder: str, commit: Commit | None, blob: str) -> Deleted:
    topic, entry_id = folder.split("/")[-2:]
    day = moments.normal(f"{entry_id[:4]}-{entry_id[4:6]}-{entry_id[6:8]}")[:10]  # of 20260208T...
    return deleted(folder, entry_id, f"a dialog about {topic.replace('_', ' ')} of {day}", commit, blob)

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
from mdmem.store.git.log import Commit
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
    topics = vault.config.topics
    found: dict[str, Deleted] = {}
    for entry in vault.repo.status().entries:
        if "D" in (entry.staged, entry.worktree) and (folder := _gone(vault, entry.path)):
            head = vault.repo.head()[0]
            found.setdefault(folder, _deleted(folder, None, vault.repo.find(head, _raw(folder)) or ""))
    if vault.repo.head()[0]:
        for commit in log.commits(vault.repo, "--diff-filter=D", paths=[topics]):
            for change in commit.changes:
                if folder := _gone(vault, change.path):
                    blob = change.before if change.path == _raw(folder) else ""
                    known = found.setdefault(folder, _deleted(folder, commit, blob))
                    if blob and known.commit == commit.oid:
                        found[folder] = known._replace(blob=blob)
    return list(found.values())


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
        for path, data in _parts(vault, before, folder):
            tx.write(path, data)
        tx.operation = tx.operation._replace(names=(layout.entry_name(folder),))
    return folder, tx.commit


def _parts(vault: Vault, rev: str, folder: str) -> Iterator[tuple[str, bytes]]:
    for part in layout.ENTRY_PARTS:
        data = vault.repo.read(rev, f"{folder}/{part}")
        if data is not None:
            yield f"{folder}/{part}", data


def _folder(vault: Vault, name: str) -> str:
    """The folder of the entry with that name, whether it exists or not."""
    topic, entry_id = layout.entry_name(name).split("/")
    return layout.entry_folder(topic, entry_id, vault.config)


def _raw(folder: str) -> str:
    return f"{folder}/{layout.RAW_FILE}"


def _gone(vault: Vault, path: str) -> str:
    """The folder of the entry to which a path belongs, if no part of it exists; else ""."""
    folder = layout.entry_of(path, vault.config)
    return folder if folder and not _is_there(vault, folder) else ""


def _is_there(vault: Vault, folder: str) -> bool:
    return any(os.path.lexists(os.path.join(vault.root, folder, part)) for part in layout.ENTRY_PARTS)


def _deleted(folder: str, commit: Commit | None, blob: str) -> Deleted:
    topic, entry_id = folder.split("/")[-2:]
    title = f"a dialog about {topic.replace('_', ' ')} of {moments.normal(_time_of(entry_id))[:10]}"
    return deleted(folder, entry_id, title, commit, blob)


def _time_of(entry_id: str) -> str:
    """The date in an entry's id, written as 2026-02-08."""
    return f"{entry_id[:4]}-{entry_id[4:6]}-{entry_id[6:8]}"

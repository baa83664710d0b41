"""The past of raw entries, `topics/<topic>/<entry id>/`: their history, deleted entries, restoring them."""

import os
from collections.abc import Iterable

from mdmem.errors import ConflictError, NotFoundError
from mdmem.history import trail
from mdmem.history.shown import PastSight
from mdmem.note import moments
from mdmem.store import layout
from mdmem.store.git import log
from mdmem.store.git.log import Commit
from mdmem.store.index.port import Deleted
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault


def history(vault: Vault, name: str) -> list[Commit]:
    """The commits of the entry with that path or `topic/id`, newest first. Raises NotFoundError."""
    folder, index = _folder(vault, name), vault.whole_index
    touching = index.commits_of(f"{folder}/{part}" for part in layout.ENTRY_PARTS)
    commits = log.commits(vault.repo, only=index.told(among=touching), paths=[folder])
    if found := list(PastSight(vault).commits(commits)):
        return found
    raise NotFoundError(f"there is no entry {name}, and there never was one", "mdmem log shows what there was")


def trash(vault: Vault, every: Iterable[Deleted] | None = None) -> list[Deleted]:
    """The entries in history but not in the folder, latest deletion first; `every` deletion may be known."""
    found: dict[str, Deleted] = {}
    for item in trail.deletions(vault) if every is None else every:
        folder = layout.entry_of(item.path, vault.config)
        if folder and not _is_there(vault, folder):
            topic, entry_id = folder.split("/")[-2:]
            day = moments.normal(f"{entry_id[:4]}-{entry_id[4:6]}-{entry_id[6:8]}")[:10]  # of 20260208T...
            title = f"a dialog about {topic.replace('_', ' ')} of {day}"
            blob = item.blob if item.path == f"{folder}/{layout.RAW_FILE}" else ""
            entry = item._replace(path=folder, id=entry_id, title=title, blob=blob)
            known = found.setdefault(folder, entry)
            if blob and known.commit == item.commit:
                found[folder] = entry
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

"""Sync when a session starts and ends, if this clone's own git settings ask for it; it never blocks a session."""

from mdmem.errors import MdmemError
from mdmem.history.syncing import target
from mdmem.note.plural import counted
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

AT_START, AT_END = 6.0, 20.0  # seconds that a session waits for a sync
_TRIES = 5


def sync_session(vault: Vault, who: Caller, seconds: float) -> None:
    """Sync with the remote that is set for sessions, if any, within `seconds`.

    What came, and what prevented the sync, is reported. Never raises MdmemError.
    """
    try:
        name = target.automatic(vault)
        if not name:
            return
        from mdmem.history.syncing import sync

        wanted = sync.SyncRequest(name, seconds=seconds, budget=seconds, tries=_TRIES)
        report = sync.visible(vault, sync.sync(vault, wanted, who))
    except (MdmemError, OSError) as error:
        vault.tell(f"not synced: {error.line if isinstance(error, MdmemError) else error}")
        return
    if report.came:
        vault.tell(f"synced with {name}: {counted(len(report.came), 'note')} came")
    for notice in report.notices:
        vault.tell(notice)
    for leak in report.secrets:
        vault.tell(f"sent to {name}: {leak}")
    if report.conflicts:
        vault.tell(f"{counted(len(report.conflicts), 'note')} in conflict: mdmem judge")

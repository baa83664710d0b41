"""How far session logs have been read, so that a hook resumes where the last one stopped: local, bounded.

A damaged file counts as empty. Logs are then read again, which proposes nothing twice.
"""

from __future__ import annotations

import json
import os
from typing import NamedTuple

from mdmem.capture.inbox.slices import LogPlace
from mdmem.note import typed
from mdmem.store.local import files, state
from mdmem.store.vault.vault import Vault

FILE = "transcripts.json"
_MOST = 200  # logs that are remembered: the latest


class ReadLog(NamedTuple):
    """A session log: its session, actor and project, and how far it has been read; `is_done` if to its end."""

    path: str
    session: str = ""
    actor: str = ""
    place: LogPlace = LogPlace()
    is_done: bool = False
    project: str = ""


class ReadLogs:
    """The logs that have been read for one vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._place = os.path.join(vault.state, FILE)

    def get(self, path: str) -> ReadLog | None:
        """What is known of the log at a path; None if it has not been read."""
        return next((log for log in self._load() if log.path == path), None)

    def unfinished(self) -> list[ReadLog]:
        """The logs that there was no time to finish, the oldest first."""
        return [log for log in self._load() if not log.is_done and os.path.isfile(log.path)]

    def save(self, log: ReadLog) -> None:
        """Remember how far a log has been read. Raises OSError, MdmemError if that is not possible."""
        others = [known for known in self._load() if known.path != log.path]
        folder = state.prepare(self._vault.root, self._vault.repo)
        files.save(self._place, json.dumps([*others, log][-_MOST:]).encode(), os.path.join(folder, "tmp"))

    def _load(self) -> list[ReadLog]:
        try:
            with open(self._place, encoding="utf-8") as file:
                return [typed.decoded(ReadLog, told) for told in json.load(file)]
        except (OSError, ValueError, TypeError, RecursionError):
            return []

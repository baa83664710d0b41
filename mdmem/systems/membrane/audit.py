"""The audit log of records, derived from git: what happened to each record, by whom, when and why.

A commit made by mdmem states its action; for a commit of another tool the diff tells it. An imported record keeps
its former log in a trailer of the import's commit (`Memory-Audit: {"id": ..., "log": [...]}`); that log stands in
place of an entry for the import.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from mdmem.history import past, trail
from mdmem.history.shown import PastSight
from mdmem.note import memory, moments
from mdmem.store.git import log
from mdmem.store.git.log import Commit, FileChange
from mdmem.store.vault.vault import Vault

TRAILER = "Audit"  # `Memory-Audit`
SOURCE = "Source"  # trailer with the id of a record that was forked, and that stays as it is
_KEPT = {
    "revise",
    "fork",
    "merge",
    "delete",
    "reinforce",
    "decay",
}  # what a commit states for itself and for every record it changes

Entry = dict[str, Any]


class RecordHistory(NamedTuple):
    """The audit log of a record, oldest entry first, its first commit, and its `path` in that commit."""

    log: tuple[Entry, ...] = ()
    first: Commit | None = None
    path: str = ""


Event = tuple[Commit, Sequence[FileChange]]  # what a commit did to a record; nothing: a fork


def of_memory(vault: Vault, path: str, id: str) -> RecordHistory:
    """The history of the memory at `path`, under all the paths it has had. A fork leaves it unchanged."""
    own = [(commit, commit.changes) for commit in past.history(vault, path, id)]
    naming = log.messages(vault.repo, only=vault.whole_index.told([id]))
    forks: list[Event] = [(commit, ()) for commit in naming if id in commit.operation.get(SOURCE)]
    order = vault.whole_index.told(among=[commit.oid for commit, _ in (*own, *forks)])
    return _told(id, sorted([*own, *forks], key=lambda event: order.index(event[0].oid)), _KeptLogs())


def of_all(vault: Vault, ids: Mapping[str, str]) -> dict[str, RecordHistory]:
    """The histories of many memories (path -> id), by id, from a single walk through git, newest commit first."""
    events: dict[str, list[Event]] = {id: [] for id in ids.values()}
    homes = _Homes(vault, ids)
    for commit in PastSight(vault).commits(trail.commits(vault)):
        for source in commit.operation.get(SOURCE):
            events.get(source, []).append((commit, ()))
        by_memory: dict[str, list[FileChange]] = {}
        for change in trail.memory_changes(vault, commit):
            by_memory.setdefault(homes.memory_of(change), []).append(change)
        for id, changes in by_memory.items():
            events.get(id, []).append((commit, changes))
    kept = _KeptLogs()
    return {id: _told(id, found, kept) for id, found in events.items()}


def trailer(id: str, log: Iterable[Mapping[str, Any]]) -> tuple[str, str]:
    """The trailer (key, value) in which an import stores the log of a record."""
    return TRAILER, json.dumps({"id": id, "log": [dict(entry) for entry in log]})


class _Homes:
    """The path of each memory as of the commit looked at, while the walk goes back in time."""

    def __init__(self, vault: Vault, ids: Mapping[str, str]) -> None:
        self._vault = vault
        self._at = dict(ids)  # path -> id
        self._made: dict[str, tuple[str, FileChange]] = {}  # earlier id -> the memory, and its addition

    def memory_of(self, change: FileChange) -> str:
        """The id of the memory that a change is about, "" if it is none of these; steps back before the change."""
        if change.letter == "D":
            return self._deleted(change)
        id = self._at.pop(change.path, "") if change.letter in "AR" else self._at.get(change.path, "")
        if change.letter == "R" and id:
            self._at[change.old_path] = id
        if change.letter == "A" and id:
            derived = memory.derived_id(change.path, self._vault.config.id)
            self._made |= {derived: (id, change), id: (id, change)}
        return id

    def _deleted(self, change: FileChange) -> str:
        """The id of the deleted memory, if it was restored later; otherwise ""."""
        before = trail.id_before(self._vault, change)
        id, made = self._made.get(before, ("", change))
        if not id or before not in (id, trail.id_after(self._vault, made)):
            return ""
        del self._made[before]
        self._at[change.path] = id
        return id


class _KeptLogs(dict[str, dict[str, list[Entry]]]):
    """commit -> the former logs of the records that it imported, by id. Malformed trailers are ignored."""

    def of(self, commit: Commit) -> dict[str, list[Entry]]:
        if commit.oid not in self:
            logs = self[commit.oid] = {}
            for value in commit.operation.get(TRAILER):
                with suppress(ValueError, TypeError, KeyError, RecursionError):
                    kept = json.loads(value)
                    logs[str(kept["id"])] = [dict(entry) for entry in kept["log"]]
        return self[commit.oid]


def _told(id: str, events: Iterable[Event], kept: _KeptLogs) -> RecordHistory:
    """The history of a record from what happened to it, the newest first."""
    entries: list[Entry] = []
    first: tuple[Commit, str] | tuple[()] = ()
    for commit, changes in events:
        if not changes:
            entries.append(_logged(commit, "fork", "another record was forked from it"))
            continue
        first = commit, changes[0].path
        former = kept.of(commit).get(id)
        entries += (_entry(commit, change) for change in changes) if former is None else reversed(former)
    entries.reverse()
    return RecordHistory(tuple(sorted(entries, key=lambda entry: moments.normal(entry.get("timestamp")))), *first)


def _entry(commit: Commit, change: FileChange) -> Entry:
    what = commit.operation.action or change.action
    return _logged(commit, _action(commit.operation.action, change.letter), f"{what} {change.path}")


def _action(said: str, letter: str) -> str:
    """An action of the schema: from the diff if the file was added or deleted, else from what the commit says."""
    if letter == "A":
        return "create"
    if letter == "D":
        return "decay" if said == "decay" else "delete"  # pruned, or deleted
    return said if said in _KEPT else "revise"


def _logged(commit: Commit, action: str, fallback: str) -> Entry:
    return {
        "action": action,
        "actor": commit.actor,
        "timestamp": moments.render(commit.when),
        "rationale": commit.operation.reason or fallback,
    }

"""The audit log of records, derived from git: what happened to each record, by whom, when and why.

A commit made by mdmem states its action; for a commit of another tool the diff tells it. An imported record keeps
its former log in a trailer of the import's commit (`Memory-Audit: {"id": ..., "log": [...]}`); that log stands in
place of an entry for the import.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


def of_memory(vault: Vault, path: str, id: str) -> RecordHistory:
    """The history of the memory at `path`, under all the paths it has had."""
    found = _History()
    own = past.history(vault, path, id)
    forks = {commit.oid: commit for commit in _forks(vault, id)}
    place = {oid: number for number, oid in enumerate(log.order(vault.repo))} if forks else {}
    for commit in sorted([*own, *forks.values()], key=lambda commit: place.get(commit.oid, 0)):
        if commit.oid in forks:
            found.add_fork(id, commit)
        else:
            found.add(id, commit, commit.changes)
    return found.of(id)


def of_all(vault: Vault, ids: Mapping[str, str]) -> dict[str, RecordHistory]:
    """The histories of many memories (path -> id), by id, from a single walk through git, newest commit first."""
    found = _History()
    homes = _Homes(vault, ids)
    for commit in PastSight(vault).commits(trail.commits(vault)):
        for source in commit.operation.get(SOURCE):
            found.add_fork(source, commit)
        by_memory: dict[str, list[FileChange]] = {}
        for change in trail.memory_changes(vault, commit):
            by_memory.setdefault(homes.memory_of(change), []).append(change)
        for id, changes in by_memory.items():
            if id:
                found.add(id, commit, changes)
    return {id: found.of(id) for id in dict.fromkeys(ids.values())}


def _forks(vault: Vault, id: str) -> Iterator[Commit]:
    """The commits that forked another record from this one. They leave this record unchanged."""
    oids = log.order(vault.repo, "--fixed-strings", f"--grep=Memory-{SOURCE}: {id}")
    for commit in log.messages(vault.repo, "--no-walk=unsorted", *oids) if oids else ():
        if id in commit.operation.get(SOURCE):
            yield commit


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


class _History:
    """Histories as they are gathered, from the newest commit back."""

    def __init__(self) -> None:
        self._entries: dict[str, list[Entry]] = {}
        self._first: dict[str, tuple[Commit, str]] = {}
        self._kept: dict[str, dict[str, list[Entry]]] = {}  # commit -> the logs in its trailers, by id

    def add(self, id: str, commit: Commit, changes: Sequence[FileChange]) -> None:
        """Add what a commit did to a memory."""
        self._first[id] = commit, changes[0].path
        if commit.oid not in self._kept:
            self._kept[commit.oid] = _kept_logs(commit)
        kept = self._kept[commit.oid]
        entries = self._entries.setdefault(id, [])
        if id in kept:
            entries.extend(reversed(kept[id]))
        else:
            entries.extend(_entry(commit, change) for change in changes)

    def add_fork(self, id: str, commit: Commit) -> None:
        """Add that a commit forked another record from this one."""
        self._entries.setdefault(id, []).append(_logged(commit, "fork", "another record was forked from it"))

    def of(self, id: str) -> RecordHistory:
        oldest_first = self._entries.get(id, [])[::-1]
        entries = sorted(oldest_first, key=_when)
        return RecordHistory(tuple(entries), *self._first.get(id, ()))


def _kept_logs(commit: Commit) -> dict[str, list[Entry]]:
    """The former logs of the records that a commit imported, by id. Malformed trailers are ignored."""
    logs: dict[str, list[Entry]] = {}
    for value in commit.operation.get(TRAILER):
        try:
            kept = json.loads(value)
            logs[str(kept["id"])] = [dict(entry) for entry in kept["log"]]
        except (ValueError, TypeError, KeyError, RecursionError):
            continue
    return logs


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


def _when(entry: Entry) -> str:
    return moments.normal(entry.get("timestamp"))

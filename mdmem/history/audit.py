"""The writes of a vault as a list of events, rendered from git, and the derived file `index/audit.log` of them.

A commit by mdmem is one event, described by its trailers. A commit by another tool is one event for each kind of
action in its diff. No second log can disagree with git: the file is generated from git, and can be deleted.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdmem.history import trail
from mdmem.history.shown import PastSight
from mdmem.note import moments
from mdmem.store import layout
from mdmem.store.config import VaultConfig
from mdmem.store.git import log
from mdmem.store.git.log import Commit, FileChange
from mdmem.store.local import files, lock
from mdmem.store.vault import derived
from mdmem.store.vault.derived import DerivedFile, Manifest, ScatteredTree
from mdmem.store.vault.vault import Vault


class AuditEvent(NamedTuple):
    """One write. `time` is RFC 3339 in UTC; `ids` are the memories that mdmem names in its commit.

    `paths` are the memories and raw files that it touched, with a raw entry given as its folder; `rationale` is
    the reason, or the message of a commit that another tool made.
    """

    time: str
    action: str
    actor: str
    session: str
    parent_session: str
    ids: tuple[str, ...]
    paths: tuple[str, ...]
    rationale: str
    commit: str


def events(vault: Vault, since: str = "") -> Iterator[AuditEvent]:
    """The events in HEAD's history, oldest first; with `since`, only those of the commits after it."""
    wanted = [f"{since}..HEAD"] if since else []
    sight = PastSight(vault.for_derived("audit"))
    for commit in log.commits(vault.repo, "--reverse", "--topo-order", *wanted):
        for shown in sight.commit(commit):
            yield from events_of(shown, vault)


def events_of(commit: Commit, vault: Vault) -> Iterator[AuditEvent]:
    """The events of one commit; none for a commit by another tool that touches no memory and no raw file."""
    touched = [change for change in commit.changes if trail.is_of_truth(vault, change)]
    if commit.operation.action:
        yield _event(commit, commit.operation.action, _paths(touched or commit.changes, vault.config))
        return
    for action in dict.fromkeys(change.action for change in touched):
        same = [change for change in touched if change.action == action]
        yield _event(commit, action, _paths(same, vault.config))


def _event(commit: Commit, action: str, paths: tuple[str, ...]) -> AuditEvent:
    operation = commit.operation
    return AuditEvent(
        time=moments.render(commit.when),
        action=action,
        actor=commit.actor,
        session=operation.session,
        parent_session=next(iter(operation.get("Parent-Session")), ""),
        ids=operation.ids,
        paths=paths,
        rationale=operation.reason,
        commit=commit.oid,
    )


def _paths(changes: Iterable[FileChange], config: VaultConfig) -> tuple[str, ...]:
    """The paths that changes touched, each once; a part of a raw entry is given as the entry's folder."""
    touched = (layout.entry_of(change.path, config) or change.path for change in changes)
    return tuple(dict.fromkeys(touched))


# -- the file ----------------------------------------------------------------------------------------------


class AuditLog(ScatteredTree):
    """`index/audit.log` as a derived tree (see `store.registry.DerivedTree`), with one event per line."""

    name = "audit"
    again = "mdmem rebuild all"
    elsewhere = "move it: mdmem writes its list of events there"

    def __init__(self, config: VaultConfig) -> None:
        self.path = layout.audit_log(config)

    def files(self, vault: Vault) -> Iterator[tuple[str, bytes]]:
        """The file, rendered from scratch, if it exists: a clone has none until something is written."""
        if os.path.isfile(os.path.join(vault.root, self.path)):
            yield self.path, _rendered(events(vault))

    def owns(self, path: str) -> bool:
        """Whether a path is that of the file."""
        return path == self.path

    def patterns(self) -> list[str]:
        """The paths that git should ignore."""
        return [self.path]

    def places(self, vault: Vault) -> Sequence[str]:
        """The paths where the file may be."""
        del vault
        return [self.path]

    def wrote(self, vault: Vault, path: str) -> bool:
        """Whether a file looks like a list of events: its first line is one, or it is empty."""
        first = (files.read_or_none(vault.root, path) or b"").partition(b"\n")[0]
        try:
            return [*json.loads(first)] == [*AuditEvent._fields]
        except (ValueError, TypeError, RecursionError):
            return not first


def follow(vault: Vault, paths: frozenset[str] | None, patience: float) -> None:
    """Update the file after a write, as a follower (see `store.registry`). Raises what `update` raises."""
    del paths  # the commits say what happened
    if os.path.isfile(os.path.join(vault.root, layout.audit_log(vault.config))) or _holds_dialogs(vault):
        update(vault, patience=patience)


def _holds_dialogs(vault: Vault) -> bool:
    """Whether there is a raw entry in the topics folder, which may also hold a person's own notes."""
    topics = os.path.join(vault.root, vault.config.topics)
    found = (entry for folder in files.listed(topics) for entry in files.listed(folder.path))
    return any(layout.is_entry_id(entry.name) for entry in found)


def update(vault: Vault, full: bool = False, patience: float = lock.PATIENCE) -> None:
    """Bring the file up to date: append the new events, or render all of them if the old ones do not fit.

    The old ones do not fit if history was rewritten or other memories are hidden. With `full`, all are rendered
    again. Raises ConflictError if the file there is not mdmem's, BusyError if another process has been writing it
    for `patience` seconds, UsageError for symbolic links, OSError.
    """
    tree = AuditLog(vault.config)
    head = vault.repo.head_commit()
    sight = PastSight(vault.for_derived("audit"))
    with derived.opened(vault, tree.name, Manifest, patience) as manifest:
        if full:
            manifest.forget()
        there = derived.existing(vault, tree, manifest)
        known, hidden = _covered(manifest, tree.path) if tree.path in there.intact else ("", "")
        known = known if hidden == sight.mark else ""
        if known and known == head:
            return
        if known and vault.repo.continues(known, head):  # all new commits come after the old ones
            data = files.read(vault.root, tree.path) + _rendered(events(vault, known))
        else:
            data = _rendered(events(vault))
        file = DerivedFile(tree.path, data, hashlib.sha256(data).hexdigest(), links=f"{head} {sight.mark}")
        derived.put(vault, tree, manifest, there, [tree.path], [file])


def _covered(manifest: Manifest, path: str) -> tuple[str, str]:
    """(last commit in the file, mark of the memories hidden from it), each "" if not known."""
    told = next((str(links) for (links,) in manifest.rows("SELECT links FROM files WHERE path=?", (path,))), "")
    head, _, hidden = told.partition(" ")
    return head, hidden


def _rendered(found: Iterable[AuditEvent]) -> bytes:
    lines = (json.dumps(event._asdict(), ensure_ascii=False) + "\n" for event in found)
    return "".join(lines).encode("utf-8", "replace")

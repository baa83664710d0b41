"""The state of a vault at a glance."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from mdmem.capture.inbox.store import Inbox
from mdmem.git import log
from mdmem.history import strays
from mdmem.history.shown import PastSight
from mdmem.note import layout
from mdmem.recall import meaning
from mdmem.recall.meaning import Standing
from mdmem.text import moments
from mdmem.vault.vault import Vault


class Survey(NamedTuple):
    """What `status` shows. `last` describes the latest commit of memories; `uncommitted` are paths.

    `strays` is the number of mdmem's commits that no branch holds, `waiting` that of the proposals in the inbox.
    `meaning` is how far it recalls by meaning.
    """

    root: str
    branch: str
    head: str
    memories: int
    by_type: dict[str, int]
    by_status: dict[str, int]
    uncommitted: list[str]
    problems: int
    strays: int
    last: str
    waiting: int
    meaning: Standing


def survey(vault: Vault) -> Survey:
    """Collect what `status` shows."""
    stale = vault.staleness()
    records = list(vault.index.records())
    status = vault.repo.status()
    last = vault.index.latest_commit()
    sight = PastSight(vault)
    latest = next(sight.commits(log.commits(vault.repo, "--max-count=1", last)), None) if last else None
    said = f"{moments.render(latest.when)} {','.join(latest.actions)} by {latest.actor}" if latest else ""
    edited = [entry.path for entry in status.entries if sight.shows(entry.path)]
    return Survey(
        root=vault.root,
        branch=status.branch,
        head=status.head,
        memories=len(records),
        by_type=dict(Counter(record.type for record in records).most_common()),
        by_status=dict(Counter(record.status for record in records).most_common()),
        uncommitted=[path for path in edited if layout.kind_of(path, vault.config) == layout.Kind.MEMORY],
        problems=len(stale) + len(vault.index.problems()),
        strays=len(strays.find(vault.repo).lost),
        last=said,
        waiting=Inbox(vault).count(),
        meaning=meaning.standing(vault),
    )

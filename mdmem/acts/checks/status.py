"""The state of a vault at a glance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from mdmem.capture.inbox.store import Inbox
from mdmem.history import past, strays
from mdmem.history.shown import PastSight
from mdmem.note import moments
from mdmem.note.memory import as_text
from mdmem.recall import meaning
from mdmem.recall.meaning import Standing
from mdmem.session import start
from mdmem.store import layout
from mdmem.store.git import log
from mdmem.store.vault.vault import Vault


class Survey(NamedTuple):
    """What `status` shows. `last` describes the latest commit of memories; `uncommitted` are paths.

    `strays` is the number of mdmem's commits that no branch holds, `waiting` that of the proposals in the inbox.
    `meaning` is how far it recalls by meaning. `tasks` are the names of the open ones, those due first, with the
    day or ""; `today` is how many commits each actor made today.
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
    tasks: tuple[tuple[str, str], ...] = ()
    today: Mapping[str, int] = MappingProxyType({})


def survey(vault: Vault, now: datetime | None = None) -> Survey:
    """Collect what `status` shows; without a clock it names no tasks, and nothing of today."""
    stale = vault.staleness()
    traits = Counter((record.type, record.status) for record in vault.index.records())
    types, states = Counter[str](), Counter[str]()
    for (kind, state), number in traits.items():
        types[kind] += number
        states[state] += number
    status = vault.repo.status()
    last = vault.index.latest_commit()
    sight = PastSight(vault)
    latest = next(sight.commits(log.commits(vault.repo, "--max-count=1", last)), None) if last else None
    said = f"{moments.render(latest.when)} {','.join(latest.actions)} by {latest.actor}" if latest else ""
    edited = [entry.path for entry in status.entries if sight.shows(entry.path)]
    midnight = now and now.replace(hour=0, minute=0, second=0, microsecond=0)
    tasks, done = (start.open_tasks(vault, now), past.events(vault, midnight)) if now else ((), ())
    return Survey(
        root=vault.root,
        branch=status.branch,
        head=status.head,
        memories=traits.total(),
        by_type=dict(types.most_common()),
        by_status=dict(states.most_common()),
        uncommitted=[path for path in edited if layout.kind_of(path, vault.config) == layout.Kind.MEMORY],
        problems=len(stale) + len(vault.index.problems()),
        strays=len(strays.find(vault.repo).lost),
        last=said,
        waiting=Inbox(vault).count(),
        meaning=meaning.standing(vault),
        tasks=tuple((task.name, as_text(task.meta.get("due"))) for task in tasks),
        today=dict(Counter(commit.actor for commit in done)),
    )

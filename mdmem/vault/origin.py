"""Which notes mdmem created, and which were a person's from the start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mdmem.git import log
from mdmem.index.port import Version
from mdmem.vault.vault import Vault

_CREATING = frozenset({"create", "import", "merge", "fork"})  # actions that create notes
_RETURNING = frozenset({"rename", "restore", "undo"})  # they bring back or move a note of any author


def created_by_mdmem(vault: Vault, paths: Iterable[str]) -> frozenset[str]:
    """Those of the notes at `paths` that mdmem created.

    A note that a person ever committed as a new file, or that is not committed at all, is the person's.
    """
    arrivals = {path: list(_arrivals(vault.index.versions(path))) for path in paths}
    commits = {commit for arrived in arrivals.values() for commit in arrived}
    if not commits:
        return frozenset()
    operations = log.operations(vault.repo, sorted(commits))
    actions = {path: {operations[commit].action for commit in arrived} for path, arrived in arrivals.items()}
    return frozenset(path for path, arrived_by in actions.items() if _is_ours(arrived_by))


def _is_ours(arrived_by: set[str]) -> bool:
    return not arrived_by.isdisjoint(_CREATING) and arrived_by <= _CREATING | _RETURNING


def _arrivals(versions: Sequence[Version]) -> Iterator[str]:
    """The commits that created a file where there was none; `versions` are latest first."""
    for at, version in enumerate(versions):
        before = versions[at + 1] if at + 1 < len(versions) else None
        if version.blob and (before is None or not before.blob):
            yield version.commit

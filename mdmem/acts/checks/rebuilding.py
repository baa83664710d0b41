"""Rebuilds what is derived from the memories: the index, the pages of topics, the audit log."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from mdmem.recall import meaning
from mdmem.store.index import sources
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.errors import Problem
    from mdmem.systems.layers.pages.tree import PagesReport

INDEX, TOPICS, GLOBAL, ALL = WHAT = ("index", "topics", "global", "all")


class Rebuilt(NamedTuple):
    """What was rebuilt: the index, with its number of memories, and pages. None for what was not asked for.

    `problems` are sources of the pages that cannot be read, and facts of notes that are none.
    """

    memories: int | None
    pages: PagesReport | None
    problems: tuple[Problem, ...]


def rebuild(vault: Vault, what: str, progress: Callable[[int, int], None], allow_loss: bool = False) -> Rebuilt:
    """Rebuild one of WHAT. Pages that git is to track are committed.

    Raises StoppedError if many memories are missing (unless `allow_loss`), ConflictError if files that mdmem did
    not write are in the way, BusyError.
    """
    memories = None
    if what in (INDEX, ALL):
        vault.rebuild(progress, allow_loss)
        memories = vault.index.count()
        meaning.refresh(vault, progress)
    pages = None if what == INDEX else _pages(vault, what, progress)
    if what == ALL:
        _audit_log(vault)
    if pages and vault.config.derived.commit:
        from mdmem.store.vault import following

        following.commit_derived(vault)
    return Rebuilt(memories, pages, pages.problems if pages else tuple(sources.not_facts(vault.index)))


def _pages(vault: Vault, what: str, progress: Callable[[int, int], None]) -> PagesReport:
    from mdmem.systems.layers.pages import tree, worded

    if what == GLOBAL:
        return tree.update_global(vault)
    if worded.is_wanted(vault):
        worded.refresh(vault, progress)
    return tree.update(vault, full=True, progress=progress)


def _audit_log(vault: Vault) -> None:
    """Rebuild the list of writes, if the vault wants one."""
    from mdmem.history import audit
    from mdmem.store import registry

    if any(isinstance(tree, audit.AuditLog) for tree in registry.trees(vault)):
        audit.update(vault, full=True)

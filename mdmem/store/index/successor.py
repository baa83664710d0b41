"""Finds the memory that replaces an outdated one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mdmem.store.index.edges import fold_target, targets_of
from mdmem.store.index.port import Catalogue, IndexedNote

if TYPE_CHECKING:
    from mdmem.store.index.port import Links

GONE = ("deprecated", "retracted")  # statuses of memories that are no longer in force


def successor_of(catalogue: Catalogue, record: IndexedNote) -> IndexedNote | None:
    """The memory that finally replaces another, if replacements were replaced themselves; None without any."""
    ((links, _),) = catalogue.homes([record.path])
    seen = {record.path}
    last = None
    following = _replacing(links, record)
    while following is not None and following.path not in seen:
        seen.add(following.path)
        last = following
        following = _replacing(links, following)
    return last


def superseded_of(catalogue: Catalogue, folded: Mapping[str, str]) -> set[str]:
    """Those of the paths whose memory is superseded by a current one; `folded` is path -> folded name."""
    found: set[str] = set()
    for links, paths in catalogue.homes(folded):
        superseded: set[str] = set()
        for source, _ in links.links_to({folded[path] for path in paths}, "supersedes"):
            if source.status not in GONE:
                superseded |= set(_targets(source, "supersedes")) - {fold_target(source.path)}
        found |= {path for path in paths if folded[path] in superseded}
    return found


def _targets(record: IndexedNote, relation: str) -> list[str]:
    """The folded link targets of a relation of a memory."""
    return [fold_target(target) for target in targets_of(record.meta.get(relation))]


def _replacing(links: Links, record: IndexedNote) -> IndexedNote | None:
    """The memory that `superseded_by` of a memory names, or else the latest that says it supersedes it."""
    for target in _targets(record, "superseded_by"):
        named = links.named(target)
        if named:
            return named[0]
    superseding = [source for source, _ in links.links_to([fold_target(record.name)], "supersedes")]
    return max(superseding, key=lambda source: (source.created, source.path), default=None)

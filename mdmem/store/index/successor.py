"""Finds the memory that replaces an outdated one."""

from __future__ import annotations

from collections.abc import Mapping

from mdmem.store.index.edges import fold_target, targets_of
from mdmem.store.index.port import Catalogue, IndexedNote

GONE = ("deprecated", "retracted")  # statuses of memories that are no longer in force


def successor_of(catalogue: Catalogue, record: IndexedNote) -> IndexedNote | None:
    """The memory that finally replaces another, if replacements were replaced themselves; None without any."""
    seen = {record.path}
    last = None
    following = _replacing(catalogue, record)
    while following is not None and following.path not in seen:
        seen.add(following.path)
        last = following
        following = _replacing(catalogue, following)
    return last


def superseded_of(catalogue: Catalogue, folded: Mapping[str, str]) -> set[str]:
    """Those of the paths whose memory is superseded by a current one; `folded` is path -> folded name."""
    superseded: set[tuple[str, str]] = set()  # the vaults and the names of such memories
    for source, _ in catalogue.links_to({*folded.values()}, "supersedes"):
        if source.status not in GONE:
            others = {*_targets(source, "supersedes")} - {fold_target(source.path)}
            superseded |= {(catalogue.home(source.path), name) for name in others}
    return {path for path, name in folded.items() if (catalogue.home(path), name) in superseded}


def _targets(record: IndexedNote, relation: str) -> list[str]:
    """The folded link targets of a relation of a memory."""
    return [fold_target(target) for target in targets_of(record.meta.get(relation))]


def _replacing(catalogue: Catalogue, record: IndexedNote) -> IndexedNote | None:
    """The memory that `superseded_by` of a memory names, or else the latest that says it supersedes it."""
    home = catalogue.home(record.path)
    for target in _targets(record, "superseded_by"):
        for named in catalogue.named(target):
            if catalogue.home(named.path) == home:
                return named
    superseding = [source for source, _ in catalogue.links_to([fold_target(record.name)], "supersedes")]
    own = (source for source in superseding if catalogue.home(source.path) == home)
    return max(own, key=lambda source: (source.created, source.path), default=None)

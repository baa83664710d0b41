"""What replaces a memory that is out of date."""

from __future__ import annotations

from collections.abc import Mapping

from mdmem.index.edges import fold_target, targets_of
from mdmem.index.port import IndexedNote, Records

GONE = ("deprecated", "retracted")  # statuses of memories that are no longer in force


def successor_of(catalogue: Records, record: IndexedNote) -> IndexedNote | None:
    """The memory that replaces another in the end, where replacements were replaced themselves."""
    seen = {record.path}
    last = None
    following = _replacing(catalogue, record)
    while following is not None and following.path not in seen:
        seen.add(following.path)
        last = following
        following = _replacing(catalogue, following)
    return last


def superseded_of(catalogue: Records, folded: Mapping[str, str]) -> set[str]:
    """Those of the paths whose memory is superseded by a current one; `folded` is path -> its folded name."""
    superseded: set[str] = set()
    for source, _ in catalogue.links_to(set(folded.values()), "supersedes"):
        if source.status not in GONE:
            superseded |= set(_targets(source, "supersedes")) - {fold_target(source.path)}
    return {path for path, target in folded.items() if target in superseded}


def _targets(record: IndexedNote, relation: str) -> list[str]:
    """What a relation of a memory links to, as the index compares it."""
    return [fold_target(target) for target in targets_of(record.meta.get(relation))]


def _replacing(catalogue: Records, record: IndexedNote) -> IndexedNote | None:
    """The memory that a memory's superseded_by names, or else the latest that says it supersedes it."""
    for target in _targets(record, "superseded_by"):
        named = catalogue.named(target)
        if named:
            return named[0]
    superseding = [source for source, _ in catalogue.links_to([fold_target(record.name)], "supersedes")]
    return max(superseding, key=lambda source: (source.created, source.path), default=None)

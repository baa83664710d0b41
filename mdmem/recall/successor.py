"""What replaces a memory that is out of date."""

from __future__ import annotations

from mdmem.index.edges import fold_target
from mdmem.index.port import IndexedNote, Records
from mdmem.note import links
from mdmem.note.memory import as_text


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


def _replacing(catalogue: Records, record: IndexedNote) -> IndexedNote | None:
    """The memory that a memory's superseded_by names, or else the latest that says it supersedes it."""
    written = record.meta.get("superseded_by")
    for value in written if isinstance(written, list) else [written]:
        text = as_text(value)
        named = catalogue.named(fold_target(links.wikilink_target(text) or text)) if text else []
        if named:
            return named[0]
    superseding = [source for source, _ in catalogue.links_to([fold_target(record.name)], "supersedes")]
    return max(superseding, key=lambda source: (source.created, source.path), default=None)

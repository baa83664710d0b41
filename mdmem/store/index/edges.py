"""The links of a note as edges of a graph, with their targets folded the way Obsidian resolves them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mdmem.note import links, memory
from mdmem.note.links import Link
from mdmem.note.memory import Memory

if TYPE_CHECKING:
    from mdmem.note.yamltext import Value


def edges(note: Memory, body_links: Sequence[Link]) -> Iterator[tuple[str, str, int]]:
    """(folded target, predicate, 1-based line in the file) of each link of a note.

    The predicate of links in its text (`body_links`) is "mentions". That of a property whose value is a wikilink
    is the name of the property; items of the property `relations` name their own.
    """
    for link in body_links:
        yield fold_target(link.target), "mentions", link.line + note.body_line - 1
    for key, value in note.meta.items():
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, str) or "[" not in item:
                continue
            predicate = key if links.wikilink_target(item) else "mentions"
            for link in links.to_notes(item):
                yield fold_target(link.target), predicate, 1
    listed = note.meta.get("relations")
    for item in listed if isinstance(listed, list) else []:
        if isinstance(item, dict) and (target := links.wikilink_target(memory.as_text(item.get("target")))):
            yield fold_target(target), memory.as_text(item.get("predicate")) or "relations", 1


def fold_target(target: str) -> str:
    """The form in which link targets are compared: the last part, case-folded, without `.md`."""
    return memory.fold(memory.stem(target))


def written_targets(meta: Mapping[str, Any], body: str) -> dict[str, str]:
    """Folded target -> the target as it is first written, for the links in a note's text and properties."""
    values = (value if isinstance(value, list) else [value] for value in meta.values())
    texts = [body, *(item for items in values for item in items if isinstance(item, str))]
    written = [link.target for text in texts for link in links.to_notes(text)]
    return {fold_target(target): target for target in reversed(written)}


def targets_of(value: Value) -> list[str]:
    """The link targets in a property, as written: those of its wikilinks; a text without brackets is a name."""
    items = value if isinstance(value, list) else [value]
    texts = [memory.as_text(item).strip() for item in items]
    return [links.wikilink_target(text) or text for text in texts if text]

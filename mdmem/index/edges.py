"""The links of a note as edges of a graph, with their targets folded the way Obsidian resolves them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdmem.note import links, memory
from mdmem.note.links import Link
from mdmem.note.memory import Memory
from mdmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from mdmem.text.yamltext import Value


def edges(note: Memory, body_links: Sequence[Link]) -> Iterator[tuple[str, str, int]]:
    """(folded target, predicate, 1-based line in the file) of each link of a note.

    Those in its text, `body_links`, are "mentions"; a property that is a wikilink is its own predicate, an item of
    the property `relations` names one.
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
    """A link target as it is compared: its last part, case folded, without `.md`."""
    return memory.fold(memory.stem(target))


def targets_of(value: Value) -> list[str]:
    """What a property links to, as written: the targets of its wikilinks; a text without brackets is a name."""
    items = value if isinstance(value, list) else [value]
    texts = [memory.as_text(item).strip() for item in items]
    return [links.wikilink_target(text) or text for text in texts if text]

"""Works as JSON, at any depth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.systems.rum import depth as depths

if TYPE_CHECKING:
    from mdmem.systems.rum.chapters.shelf import PageView
    from mdmem.systems.rum.recall import FoundWork
    from mdmem.systems.rum.view import WorkView


def work_json(view: WorkView, depth: str) -> dict[str, Any]:
    """A work at a depth, uncut. `tokens` is the size of its text when cut to that depth's limit.

    `is_cut` tells whether that text leaves something out.
    """
    told = depths.telling(view.work, depth)
    return {
        "name": view.note.name,
        "path": view.note.path,
        "depth": depth,
        "memory": depths.at_depth(view.work, depth),
        "tokens": told.tokens,
        "is_cut": told.is_cut,
    }


def found_work_json(found: FoundWork) -> dict[str, Any]:
    """A work that recall found: its relevance (0-1), the files it was found by, and its text within the budget."""
    return {
        **work_json(found.view, found.depth),
        "relevance": round(found.relevance, 3),
        "files": found.files,
        "text": found.told.text,
    }


def page_json(view: PageView) -> dict[str, Any]:
    """A chapter or wisdom as a RUM record, with the ids that it is made from."""
    return {"name": view.note.name, "path": view.note.path, view.note.type: view.value}

"""Works as JSON, at any depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mdmem.systems.rum import depth as depths

if TYPE_CHECKING:
    from mdmem.systems.rum.adding import AddedWork
    from mdmem.systems.rum.chapters.keeping import KeptPages
    from mdmem.systems.rum.chapters.shelf import PageView
    from mdmem.systems.rum.linking import LinkedWork
    from mdmem.systems.rum.recall import FoundWork
    from mdmem.systems.rum.reminding import Reminders
    from mdmem.systems.rum.view import WorkView


def work_added_json(added: AddedWork, doubts: Sequence[str] = ()) -> dict[str, Any]:
    """A work that was written; `files` counts the files that find it, `doubts` are points of a draft to check."""
    return {**added._asdict(), "doubts": doubts}


def work_drafted_json(
    work: Mapping[str, Any], properties: Mapping[str, Any], doubts: Sequence[str]
) -> dict[str, Any]:
    """A work that would be written, with the other properties of its note."""
    return {"memory": dict(work), "properties": dict(properties), "doubts": doubts}


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


def linked_json(done: LinkedWork) -> dict[str, Any]:
    """A link between two works; `created` is false if it was already there."""
    return {**done._asdict(), "created": bool(done.commit)}


def kept_pages_json(done: KeptPages) -> dict[str, Any]:
    """The chapters and wisdom that were written, and the works that were archived."""
    return {
        "pages": done.pages,
        "archived": done.archived,
        "commit": done.commit,
    }


def page_json(view: PageView) -> dict[str, Any]:
    """A chapter or wisdom as a RUM record, with the ids that it is made from."""
    return {"name": view.note.name, "path": view.note.path, view.note.type: view.value}


def reminders_json(reminders: Reminders) -> dict[str, Any]:
    """What is remembered of files that are about to be touched; an empty object if there is nothing."""
    if not reminders.files and not reminders.conflicts:
        return {}
    files = [{**each._asdict(), "works": each.works} for each in reminders.files]
    conflicts = [{"file": each.file, "work": each.work._asdict()} for each in reminders.conflicts]
    return {"files": files, "conflicts": conflicts}

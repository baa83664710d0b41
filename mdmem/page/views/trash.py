"""The views of the trash and of the conflicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from mdmem.page.links import PageLinks
from mdmem.page.views.parts import PartLinks, part_links


class TrashView(NamedTuple):
    """A part of the trash."""

    title: str
    total: int
    items: Sequence[Mapping[str, Any]]
    parts: PartLinks


class MemoryInConflict(NamedTuple):
    """A memory with its conflicts."""

    path: str
    title: str
    conflicts: Sequence[Mapping[str, Any]]


class ConflictsView(NamedTuple):
    """The conflicts by memory."""

    title: str
    memories: Sequence[MemoryInConflict]


def view(value: Mapping[str, Any], links: PageLinks) -> TrashView:
    """The view for a value of `reading.trash.read`."""
    return TrashView("Trash", value["total"], value["items"], part_links(value, "trash", links))


def view_conflicts(value: Mapping[str, Any], links: PageLinks) -> ConflictsView:
    """The view for a value of `reading.trash.read_conflicts`."""
    del links
    by_path = groupby(value["conflicts"], key=lambda one: (one["path"], one["title"]))
    return ConflictsView(
        "Conflicts", [MemoryInConflict(path, title, list(found)) for (path, title), found in by_path]
    )

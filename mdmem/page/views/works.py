"""The views of the list of works and of a trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.page.links import PageLinks
from mdmem.page.views import drawing
from mdmem.page.views.drawing import DrawingFrame, Spot
from mdmem.page.views.graph import shortened
from mdmem.page.views.parts import PartLinks, part_links

WIDTH, HEIGHT = 200.0, 62.0  # units of a box
_LINE = 25  # characters of a line in a box
_MARGIN = 12.0


class FailedFile(NamedTuple):
    """A file that works failed at. `address` leads to the works that touch it, "" for none."""

    value: Mapping[str, Any]
    percent: int
    address: str


class WorksView(NamedTuple):
    """A part of the list of works."""

    title: str
    total: int
    works: Sequence[Mapping[str, Any]]
    file: str
    files: Sequence[FailedFile]
    parts: PartLinks


class DrawnWork(NamedTuple):
    """A work as a box, with its title split into lines."""

    value: Mapping[str, Any]
    spot: Spot
    lines: Sequence[str]
    address: str


class TraceView(NamedTuple):
    """A trace: causes to the left, effects to the right. `width` and `height` are the size of a box."""

    title: str
    path: str
    box: DrawingFrame
    is_large: bool
    works: Sequence[DrawnWork]
    arrows: Sequence[str]
    causes: Sequence[Mapping[str, Any]]
    effects: Sequence[Mapping[str, Any]]
    titles: Mapping[str, str]
    more: int
    width: float = WIDTH
    height: float = HEIGHT


def view(value: Mapping[str, Any], links: PageLinks) -> WorksView:
    """The view for a value of `reading.works.read`."""
    files = [
        FailedFile(one, round(100 * one["failed"] / one["works"]), links.to("work", file=one["file"]))
        for one in value["files"]
    ]
    parts = part_links(value, "work", links, file=value["file"])
    return WorksView("Work", value["total"], value["works"], value["file"], files, parts)


def view_trace(value: Mapping[str, Any], links: PageLinks) -> TraceView:
    """The view for a value of `reading.works.read_trace`."""
    works = value["works"]
    edges = [(edge["earlier"], edge["later"]) for edge in value["edges"]]
    spots = drawing.flow({work["path"]: work["place"] for work in works}, edges)
    titles = {work["path"]: work["title"] for work in works}
    box = drawing.frame(spots.values(), WIDTH / 2 + _MARGIN, HEIGHT / 2 + _MARGIN)
    return TraceView(
        title=f"What came of what: {titles[value['path']]}",
        path=value["path"],
        box=box,
        is_large=box.width > 5 * drawing.COLUMN,
        works=[_box(work, spots[work["path"]], links) for work in works],
        arrows=[_arrow(spots[first], spots[second]) for first, second in edges],
        causes=[work for work in works if work["place"] < 0],
        effects=[work for work in works if work["place"] > 0],
        titles=titles,
        more=value["more"],
    )


def _box(work: Mapping[str, Any], spot: Spot, links: PageLinks) -> DrawnWork:
    address = links.to("trace" if work["place"] else "memory", work["path"])
    return DrawnWork(work, spot, _wrapped(work["title"]), address)


def _wrapped(title: str) -> list[str]:
    """A title in at most two lines; the second is shortened."""
    first = ""
    words = title.split()
    while words and len(first) + len(words[0]) < _LINE:
        first = f"{first} {words.pop(0)}".strip()
    rest = " ".join(words)
    return [shortened(line, _LINE) for line in (first, rest) if line]


def _arrow(start: Spot, end: Spot) -> str:
    """The SVG path of an arrow from the right side of one box to the left side of another."""
    x, other = start.x + WIDTH / 2, end.x - WIDTH / 2 - 9
    bend = max((other - x) / 2, 30.0)
    return f"M{x} {start.y}C{x + bend} {start.y} {other - bend} {end.y} {other} {end.y}"

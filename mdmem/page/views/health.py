"""What the page about the health of a vault shows: numbers as bars, and the same in tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mdmem.page.links import PageLinks
from mdmem.values import NamedTuple

WIDTH, HEIGHT = 600, 120  # units of a plot; it takes the width that it gets
_GAP = 0.2  # of a bar
_WIDEST = 48.0


class Bar(NamedTuple):
    """A bar of a plot, in its units, with what it stands for."""

    label: str
    number: int
    x: float
    y: float
    width: float
    height: float


class Plot(NamedTuple):
    """Numbers by month, as bars; `most` is the highest."""

    name: str
    title: str
    bars: Sequence[Bar]
    most: int


class HealthView(NamedTuple):
    """`checked` is when the doctor last ran, "" if that is not known."""

    title: str
    total: int
    types: Mapping[str, int]
    plots: Sequence[Plot]
    checked: str
    problems: Sequence[Mapping[str, Any]]


def view(value: Mapping[str, Any], links: PageLinks) -> HealthView:
    """The page of a value of `reading.health`."""
    del links
    titles = {"memories": "Memories", "writes": "Commits", "gardening": "Commits of the gardeners"}
    plots = [_plot(name, title, value[name]) for name, title in titles.items() if value[name]]
    return HealthView("Health", value["total"], value["types"], plots, value["checked"], value["problems"])


def _plot(name: str, title: str, numbers: Sequence[tuple[str, int]]) -> Plot:
    most = max(number for _, number in numbers)
    step = min(WIDTH / len(numbers), _WIDEST)
    bars = [
        Bar(
            label=label,
            number=number,
            x=round(at * step, 2),
            y=round(HEIGHT * (1 - number / most), 2),
            width=round(step * (1 - _GAP), 2),
            height=round(HEIGHT * number / most, 2),
        )
        for at, (label, number) in enumerate(numbers)
    ]
    return Plot(name, title, bars, most)

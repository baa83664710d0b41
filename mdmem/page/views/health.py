"""The view of a vault's health: numbers as bars, and the same numbers in tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.page.links import PageLinks

WIDTH, HEIGHT = 600, 120  # units of a plot; the page scales it to the available width
_GAP = 0.2  # between two bars, as a share of a step
_WIDEST = 48.0


class Bar(NamedTuple):
    """A bar of a plot, in its units, and what it stands for: `told` is the number as text."""

    label: str
    told: str
    x: float
    y: float
    width: float
    height: float


class Plot(NamedTuple):
    """Numbers as bars, one for each `step`: a month, or a run. `most` is the highest number, as text."""

    name: str
    title: str
    bars: Sequence[Bar]
    most: str
    step: str = "month"


class HealthView(NamedTuple):
    """The health of a vault. `checked` is when the doctor last ran, "" if unknown."""

    title: str
    total: int
    types: Mapping[str, int]
    plots: Sequence[Plot]
    gardeners: Mapping[str, Mapping[str, int]]
    checked: str
    problems: Sequence[Mapping[str, Any]]
    total_problems: int


def view(value: Mapping[str, Any], links: PageLinks) -> HealthView:
    """The view for a value of `reading.health`."""
    del links
    titles = {"memories": "Memories", "writes": "Commits", "gardening": "Commits of the gardeners"}
    plots = [_plot(name, title, value[name]) for name, title in titles.items() if value[name]]
    if value["tests"]:
        plots.insert(0, _plot_of_tests(value["tests"]))
    return HealthView(
        title="Health",
        total=value["total"],
        types=value["types"],
        plots=plots,
        gardeners=value["gardeners"],
        checked=value["checked"],
        problems=value["problems"],
        total_problems=value["total_problems"],
    )


def _plot_of_tests(runs: Sequence[Mapping[str, Any]]) -> Plot:
    """For each run of the recall tests, the share of questions with their memory among the first five answers."""
    bars = _bars([(run["when"], run["hit5"]) for run in runs], 1)
    told = [
        bar._replace(told=f"{bar.told} ({run['passed']} of {run['questions']} questions passed)")
        for bar, run in zip(bars, runs, strict=True)
    ]
    return Plot("tests", "Tests of recall, hit@5", told, "1", "run")


def _plot(name: str, title: str, numbers: Sequence[tuple[str, int]]) -> Plot:
    most = max(number for _, number in numbers)
    return Plot(name, title, _bars(numbers, most), str(most))


def _bars(numbers: Sequence[tuple[str, float]], most: float) -> list[Bar]:
    """A bar for each number; one for `most` is as high as the plot."""
    step = min(WIDTH / len(numbers), _WIDEST)
    return [
        Bar(
            label=label,
            told=f"{number:g}" if isinstance(number, float) else str(number),
            x=round(at * step, 2),
            y=round(HEIGHT * (1 - number / most), 2),
            width=round(step * (1 - _GAP), 2),
            height=round(HEIGHT * number / most, 2),
        )
        for at, (label, number) in enumerate(numbers)
    ]

"""How long the gardeners plan a vault, as ratios to reading and parsing its notes, and how much memory that takes.

    python -m tests.bench.garden [--sizes 10000,50000] [--runs 3] [--phases] [--shared ../shared] [VAULT ...]

Each step runs in a process of its own, in turns: the files are read, read and parsed, and planned. Figures are
medians: processor time, that of the processes that help included, and the time by the clock. The row `short` is of
the 1,452 short notes of a labelled set. `MiB` is the peak of the process itself, `help` that of the largest that
helps. Sizes are vaults that perf/gen_vault.py of the shared folder makes; vaults are folders that are only read.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from mdmem.garden import plan
from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import GardenSettings
from mdmem.garden.noteshelf import NoteShelf
from mdmem.garden.pairs import judge
from mdmem.note import memory
from tests import garden_set, plans

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
STEPS = ("files", "notes", "plan")  # read; read and parsed; planned
SHORT = "judgement_more"
HEAD = "notes", "files", "parsed", "plan", "x", "clock", "x", "MiB", "help"


class StepFigures(NamedTuple):
    """Seconds of processors and by the clock, MiB of this process and of its largest helper, seconds by phase."""

    cpu: float
    clock: float
    peak: float
    helpers: float
    phases: dict[str, float]


def files(root: Path) -> list[tuple[str, bytes]]:
    """(path, bytes) of every note."""
    found = sorted(path for path in root.rglob("*.md") if ".git" not in path.parts)
    return [(str(path.relative_to(root)), path.read_bytes()) for path in found]


def notes(root: Path) -> list[Note]:
    """Every note, read as a plan reads it: texts are put away one by one."""
    shelf = NoteShelf()
    paths = sorted(path for path in root.rglob("*.md") if ".git" not in path.parts)
    texts = ((str(path.relative_to(root)), path.read_bytes()) for path in paths)
    return [note.read(memory.parse(data, path), data, shelf=shelf) for path, data in texts]


def processors() -> float:
    """Seconds that this process and those that it started have taken."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def timed(phases: dict[str, float], name: str, work: Callable[..., Any], *given: Any) -> Any:
    """What a piece of work gives; its processor time goes to `phases`."""
    start = processors()
    made = work(*given)
    phases[name] = processors() - start
    return made


def step(name: str, root: Path) -> StepFigures:
    """One step in this process."""
    there = notes(root) if name == "plan" else []
    phases: dict[str, float] = {}
    vars(judge)["judged"] = partial(timed, phases, "pairs", judge.judged)
    vars(plan)["GARDENERS"] = {
        gardener: partial(timed, phases, gardener, lambda *given, work=work: list(work(*given)))
        for gardener, work in plan.GARDENERS.items()
    }
    start, clock = processors(), time.perf_counter()
    held: object = (
        plans.of_notes(there, GardenSettings(), NOW) if there else {"files": files, "notes": notes}[name](root)
    )
    took = processors() - start, time.perf_counter() - clock
    del held
    peaks = (resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return StepFigures(*took, *peaks, phases)


def measured(root: Path, runs: int) -> dict[str, StepFigures]:
    """step -> the medians of its figures."""
    found: dict[str, list[StepFigures]] = {name: [] for name in STEPS}
    for _ in range(runs):
        for name in STEPS:
            command = [sys.executable, "-m", "tests.bench.garden", "--step", name, str(root)]
            printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            found[name].append(StepFigures(*json.loads(printed)))
    return {name: median(figures) for name, figures in found.items()}


def median(figures: list[StepFigures]) -> StepFigures:
    cpu, clock, peak, helpers = (statistics.median(one[at] for one in figures) for at in range(4))
    phases = {name: statistics.median(one.phases[name] for one in figures) for name in figures[0].phases}
    return StepFigures(cpu, clock, peak, helpers, phases)


def rows(name: str, figures: dict[str, StepFigures], with_phases: bool) -> Iterator[str]:
    """The row of a vault, and those of its phases."""
    read, parsed, planned = (figures[step] for step in STEPS)
    cells = (
        f"{read.cpu:.2f}",
        f"{parsed.cpu:.2f}",
        f"{planned.cpu:.2f}",
        f"{planned.cpu / parsed.cpu:.1f}",
        f"{planned.clock:.2f}",
        f"{planned.clock / parsed.clock:.1f}",
        f"{planned.peak:.0f}",
        f"{planned.helpers:.0f}",
    )
    yield "".join(cell.rjust(9) for cell in (name, *cells))
    for phase, took in planned.phases.items() if with_phases else ():
        yield f"{phase:>24} {took:6.2f}"


def vaults(given: argparse.Namespace, work: Path) -> Iterator[tuple[str, Path]]:
    """(name, folder) of each vault to measure."""
    garden_set.write(work / "short", SHORT)
    yield "short", work / "short"
    for size in filter(None, given.sizes.split(",")):
        script = given.shared.resolve() / "perf" / "gen_vault.py"
        command = [sys.executable, script, size, work / size, "--no-git"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        yield size, work / size
    yield from ((path.name, path) for path in given.vaults)


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vaults", nargs="*", type=Path)
    parser.add_argument("--sizes", default="", help="vaults of so many notes are made: 10000,50000")
    parser.add_argument("--runs", default=3, type=int)
    parser.add_argument("--phases", action="store_true", help="processor time of each gardener, too")
    parser.add_argument("--shared", default="../shared", type=Path)
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        print(json.dumps(step(given.step, given.vaults[0])))
        return
    print("".join(cell.rjust(9) for cell in HEAD))
    with TemporaryDirectory() as work:
        for name, vault in vaults(given, Path(work)):
            print("\n".join(rows(name, measured(vault, given.runs), given.phases)), flush=True)


if __name__ == "__main__":
    main()

"""How long the gardeners plan a vault, as ratios to reading its files, and how much memory that takes.

    python tests/bench/garden.py VAULT...

Files are read plainly, then read and parsed, then planned, each in processor time, which says the same on a busy
machine; the figures are medians of several runs. Memory is the peak of a whole process for each of the three. The
vaults are folders of notes (perf/gen_vault.py of the shared folder makes large ones) and are only read.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from mdmem.garden import plan
from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import GardenSettings
from mdmem.garden.noteshelf import NoteShelf
from mdmem.note import memory

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
RUNS = 3
STEPS = ("files", "notes", "plan")  # read; read and parsed; planned


def files(root: Path) -> dict[str, bytes]:
    """path -> bytes of every note."""
    found = sorted(path for path in root.rglob("*.md") if ".git" not in path.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


def notes(root: Path) -> list[Note]:
    """Every note, read as a plan reads it: texts are put away one by one."""
    storage = NoteShelf()
    paths = sorted(path for path in root.rglob("*.md") if ".git" not in path.parts)
    texts = ((str(path.relative_to(root)), path.read_bytes()) for path in paths)
    return [note.read(memory.parse(data, path), data, storage=storage) for path, data in texts]


def seconds(work: Callable[[], object]) -> float:
    """The median of processor time that a piece of work takes."""
    taken = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return statistics.median(taken)


def peak(root: Path, step: str) -> float:
    """The most MiB that a process takes up to a step."""
    command = [sys.executable, __file__, "--peak", step, str(root)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) / 1024


def show_peak(step: str, root: Path) -> None:
    held: object = files(root) if step == "files" else notes(root)
    if step == "plan":
        held = plan.plan(notes(root), GardenSettings(), NOW)
    del held
    status = Path("/proc/self/status").read_text(encoding="ascii")
    print(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


def measure(root: Path) -> None:
    """Print the table of one vault."""
    there = notes(root)
    reading, parsing = seconds(lambda: files(root)), seconds(lambda: notes(root))
    planning = seconds(lambda: plan.plan(there, GardenSettings(), NOW))
    size = sum(path.stat().st_size for path in root.rglob("*.md")) / 2**20
    memory_of = {step: peak(root, step) for step in STEPS}
    print(f"{len(there)} notes, {size:.1f} MiB")
    for step, took in zip(STEPS, (reading, parsing, planning), strict=True):
        print(f"  {step:16} {took:6.2f} s  {memory_of[step]:6.0f} MiB")
    print(f"  planning is {planning / reading:.1f} x reading, {planning / parsing:.1f} x reading and parsing")
    for name, work in plan.GARDENERS.items():
        print(f"    {name:16} {seconds(lambda work=work: work(there, GardenSettings(), NOW)):6.2f} s")


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vaults", nargs="*", type=Path)
    parser.add_argument("--peak", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.peak:
        show_peak(given.peak[0], Path(given.peak[1]))
    for vault in given.vaults:
        measure(vault)


if __name__ == "__main__":
    main()

"""What benches share: mdmem as it is installed, generated vaults, and what a process takes."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

QUERIES = (
    *("meeting decision server", "how does the deploy work", "what did we decide about the budget in march"),
    *("letter", "kitchen garden water", "who wrote the report about the bridge", "river stone night music"),
)
WORDS = QUERIES[0].split()
PYTHON = sys.executable
MDMEM = [str(Path(PYTHON).with_name("mdmem"))]
Clock = Callable[[], float]


def settle() -> None:
    """Commands are measured as they are installed, and git has nobody's settings and a made-up person."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for who in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{who}_{what}": "bench@mdmem" for what in ("NAME", "EMAIL")}


def generated(size: int, folder: Path, shared: Path) -> Path:
    """A vault of so many notes that the script of the shared folder makes, committed; where it is."""
    script = shared.resolve() / "perf/gen_vault.py"
    if not script.exists():
        sys.exit(f"there is no perf/gen_vault.py in {shared}; name its folder with --shared")
    subprocess.run([PYTHON, script, str(size), folder], check=True, stdout=subprocess.DEVNULL)
    return folder


def cpu() -> float:
    """The processor time, in seconds, of this process and of all children that have ended, and theirs."""
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


class Bench:
    """Measures in milliseconds of one clock."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def run(self, command: list[str], cwd: Path) -> float:
        """What a command takes."""
        start = self.clock()
        code = subprocess.run(
            command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
        ).returncode
        took = (self.clock() - start) * 1000
        if code:
            sys.exit(f"{' '.join(command)} failed in {cwd}")
        return took

    def timed(
        self, command: list[str], cwd: Path, runs: int = 9, before: Callable[[], object] = lambda: None
    ) -> float:
        """The median of several runs of a command; `before` runs unmeasured ahead of each."""
        times = []
        for number in range(runs + 1):
            before()
            took = self.run(command, cwd)
            if number:  # the first run warms the caches
                times.append(took)
        return statistics.median(times)

    def asked(self, function: Callable[[str], object], questions: Sequence[str], rounds: int = 5) -> list[float]:
        """What each question takes at best once all have been asked, sorted."""
        best = dict.fromkeys(questions, float("inf"))
        for number in range(rounds + 1):
            for question in questions:
                start = self.clock()
                function(question)
                took = (self.clock() - start) * 1000
                if number:
                    best[question] = min(best[question], took)
        return sorted(best.values())


def peak(code: str, cwd: Path) -> float:
    """The most memory that some Python code takes in a process of its own, in MB."""
    code += "\nprint([line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')][0])"
    done = subprocess.run([PYTHON, "-c", code], cwd=cwd, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) / 1024

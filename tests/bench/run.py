"""How fast mdmem is, as ratios to bare git, Python and SQLite measured in the same run.

    python tests/bench/run.py [--sizes 1000,10000] [--shared ../shared] [--json FILE]

Machines are noisy: trust the ratios, not the milliseconds. Each figure is the median of several runs of whole
processes on a warm disk. The vaults come from gen_vault.py of the shared folder.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

WORDS = ["meeting", "decision", "server"]
MDMEM = [sys.executable, "-m", "mdmem"]


class Figure(NamedTuple):
    """One measurement: milliseconds, and those of the bare commands it is compared with."""

    size: int
    what: str
    took: float
    reference: str
    bare: float
    target: float | None = None

    @property
    def ratio(self) -> float:
        return self.took / self.bare


def timed(command: list[str], cwd: Path, runs: int = 9, before: Callable[[], None] = lambda: None) -> float:
    """The median time of a command in milliseconds; `before` runs unmeasured ahead of each."""
    times = []
    for number in range(runs + 1):
        before()
        start = time.perf_counter()
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(command)} failed: {done.stderr.decode()}")
        if number:  # the first run warms the caches
            times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


class Vault:
    """A generated vault, and ways to disturb it."""

    def __init__(self, folder: Path, size: int, generator: Path) -> None:
        self.folder, self.size = folder, size
        subprocess.run([sys.executable, generator, str(size), folder], check=True, stdout=subprocess.DEVNULL)
        self.notes = sorted((folder / "allmemories").glob("*.md"))
        self.touched = 0

    def edit(self) -> None:
        """A hand edit of one note."""
        self.touched += 1
        with self.notes[self.touched % len(self.notes)].open("a") as file:
            file.write(f"Edited by hand {time.time_ns()}.\n")

    def new(self) -> str:
        """A note that is not there yet; its path."""
        path = f"allmemories/bench_note_number_{time.time_ns()}.md"
        (self.folder / path).write_text(f"---\ntitle: A new note\n---\n\nText {time.time_ns()}.\n")
        return path


def measure(size: int, shared: Path, work: Path) -> Iterator[Figure]:
    """Every figure for a vault of `size` notes."""
    bare = Vault(work / f"bare-{size}", size, shared / "perf" / "gen_vault.py")
    ours = work / f"ours-{size}"
    shutil.copytree(bare.folder, ours)
    vault = Vault.__new__(Vault)
    vault.__dict__.update(folder=ours, size=size, touched=0, notes=sorted((ours / "allmemories").glob("*.md")))

    status = timed(["git", "status", "--porcelain"], bare.folder)
    python = timed([sys.executable, "-c", "pass"], bare.folder)
    sqlite = timed([sys.executable, "-c", "import sqlite3"], bare.folder)
    add_commit = ["sh", "-c", 'git add -- "$(cat .git/next)" && git commit -qm x']
    written = timed(add_commit, bare.folder, before=lambda: _note_next(bare))
    plain = timed(["git", "commit", "-qam", "x"], bare.folder, before=bare.edit)

    start = time.perf_counter()
    subprocess.run([*MDMEM, "init", "--hooks", str(ours)], check=True, stdout=subprocess.DEVNULL)
    made = (time.perf_counter() - start) * 1000
    yield Figure(size, "mdmem --help", timed([*MDMEM, "--help"], ours), "python -c pass", python, 5)
    yield Figure(size, "mdmem init (adopts and indexes)", made, "git status", status)
    yield Figure(size, "mdmem status", timed([*MDMEM, "status"], ours), "git status", status)
    yield Figure(size, "mdmem recall, cold", timed([*MDMEM, "recall", *WORDS], ours), "git status", status)
    yield Figure(
        size, "mdmem recall after a hand edit", timed([*MDMEM, "recall", *WORDS], ours, before=vault.edit),
        "git status", status,
    )  # fmt: skip
    remember = [*MDMEM, "remember", "A new memory about the server and the meeting.", "--twins", "ignore"]
    yield Figure(
        size, "mdmem remember", timed(remember, ours), "git add && git commit, import sqlite3", written + sqlite
    )
    subprocess.run(["git", "commit", "-qam", "clean"], cwd=ours, check=False, stderr=subprocess.DEVNULL)
    hooked = timed(["git", "commit", "-qam", "x"], ours, before=vault.edit)
    yield Figure(size, "git commit with our hooks", hooked, "git commit", plain)
    for folder in (ours, bare.folder):
        shutil.rmtree(folder)


def _note_next(vault: Vault) -> None:
    (vault.folder / ".git" / "next").write_text(vault.new())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--shared", default="../shared", type=Path)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    shared = options.shared.resolve()
    if not (shared / "perf" / "gen_vault.py").exists():
        sys.exit(f"there is no perf/gen_vault.py in {shared}; name its folder with --shared")
    os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    figures = []
    print(f"{'notes':>7}  {'what':34} {'ms':>8}  {'ratio':>6}  {'target':>6}  of")
    with tempfile.TemporaryDirectory(prefix="mdmem-bench-") as work:
        for size in map(int, options.sizes.split(",")):
            for figure in measure(size, shared, Path(work)):
                figures.append(figure)
                target = f"{figure.target:g}" if figure.target else ""
                print(
                    f"{figure.size:7}  {figure.what:34} {figure.took:8.1f}  {figure.ratio:5.2f}x  {target:>6}  "
                    f"{figure.reference} ({figure.bare:.1f} ms)"
                )
    if options.json:
        options.json.write_text(
            json.dumps([{**figure._asdict(), "ratio": figure.ratio} for figure in figures], indent=1)
        )


if __name__ == "__main__":
    main()

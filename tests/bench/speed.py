"""How fast mdmem is, as ratios to bare git, Python, SQLite and ripgrep measured in the same run.

    python tests/bench/speed.py [--sizes 1000,10000] [--shared ../shared] [--json FILE]

Machines are noisy: trust the ratios, not the milliseconds. Each figure is the median of several runs of whole
processes on a warm disk. The vaults and the floors come from perf/ of the shared folder.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from mdmem.recall import order
from mdmem.recall.gather import RecallContext
from mdmem.vault.vault import Vault

QUERIES = (
    *("meeting decision server", "how does the deploy work", "what did we decide about the budget in march"),
    *("letter", "kitchen garden water", "who wrote the report about the bridge", "river stone night music"),
)
WORDS = QUERIES[0].split()
PYTHON = sys.executable
MDMEM = [str(Path(PYTHON).with_name("mdmem"))]


class Figure(NamedTuple):
    """One measurement in `unit`, and the reference it is compared with; `target` is a ratio."""

    size: int
    what: str
    value: float
    reference: str
    bare: float
    target: float | None = None
    unit: str = "ms"


def run(command: list[str], cwd: Path) -> float:
    """The milliseconds that a command takes."""
    start = time.perf_counter()
    code = subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    took = (time.perf_counter() - start) * 1000
    if code.returncode:
        sys.exit(f"{' '.join(command)} failed in {cwd}")
    return took


def peak(code: str, cwd: Path) -> float:
    """The most memory that some Python code takes in a process of its own, in MB."""
    code += "\nprint([line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')][0])"
    done = subprocess.run([PYTHON, "-c", code], cwd=cwd, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) / 1024


def timed(command: list[str], cwd: Path, runs: int = 9, before: Callable[[], object] = lambda: None) -> float:
    """The median time of a command in milliseconds; `before` runs unmeasured ahead of each."""
    times = []
    for number in range(runs + 1):
        before()
        took = run(command, cwd)
        if number:  # the first run warms the caches
            times.append(took)
    return statistics.median(times)


class Notes:
    """A generated vault, committed, and ways to disturb it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes = sorted((folder / "allmemories").glob("*.md"))
        self.touched = 0

    def edit(self) -> None:
        """A hand edit of one note."""
        self.touched += 1
        with self.notes[self.touched % len(self.notes)].open("a") as file:
            file.write(f"Edited by hand {time.time_ns()}.\n")

    def commit(self) -> None:
        """The same, committed without hooks."""
        self.edit()
        subprocess.run(
            ["git", "-c", f"core.hooksPath={os.devnull}", "commit", "-qam", "x"], cwd=self.folder, check=True
        )

    def new(self) -> None:
        """A note that git does not know; its path lies in .git/next."""
        path = f"allmemories/bench_note_number_{time.time_ns()}.md"
        (self.folder / path).write_text(f"---\ntitle: A new note\n---\n\nText {time.time_ns()}.\n")
        (self.folder / ".git" / "next").write_text(path)

    def size(self) -> int:
        return sum(note.stat().st_size for note in self.notes)


def measure(size: int, shared: Path, work: Path) -> Iterator[Figure]:
    """Every figure for a vault of `size` notes."""
    floors = shared / "perf"
    folder = work / f"bare-{size}"
    subprocess.run([PYTHON, floors / "gen_vault.py", str(size), folder], check=True, stdout=subprocess.DEVNULL)
    shutil.copytree(folder, work / f"ours-{size}")
    bare, ours = Notes(folder), Notes(work / f"ours-{size}")
    database = work / "floor.db"
    run(["git", "status"], bare.folder)

    python = timed([PYTHON, "-c", "pass"], bare.folder)
    yield Figure(size, "mdmem --help", timed([*MDMEM, "--help"], ours.folder), "python -c pass", python, 5)
    yield from building(size, bare, ours, floors, database)
    run(["git", "status"], ours.folder)  # a copied folder: git has to learn the new files' times once
    yield from recalling(size, bare, ours, floors, database)
    yield from warm(size, ours, database)
    yield from writing(size, bare, ours, floors, database)
    for notes in (ours, bare):
        shutil.rmtree(notes.folder)


def building(size: int, bare: Notes, ours: Notes, floors: Path, database: Path) -> Iterator[Figure]:
    runs = 5 if size <= 10_000 else 1
    floor = timed([PYTHON, str(floors / "floor_build.py"), ".", str(database)], bare.folder, runs)
    made = run([*MDMEM, "init", "--hooks", "."], ours.folder)
    yield Figure(size, "mdmem init (adopts, indexes, commits)", made, "floor_build.py", floor)
    built = timed([*MDMEM, "rebuild"], ours.folder, runs)
    yield Figure(
        size, "full build (mdmem rebuild)", built, "floor_build.py", floor, 1.5 if size >= 10_000 else None
    )
    index = sum(part.stat().st_size for part in (ours.folder / ".mdmem").glob("index.sqlite*"))
    yield Figure(size, "index on disk", index / 1e6, "bytes of the notes", ours.size() / 1e6, 2.5, "MB")
    yield Figure(
        size,
        "peak memory of a build",
        peak("from mdmem.__main__ import main; main(['rebuild'])", ours.folder),
        "python -c pass",
        peak("", ours.folder),
        unit="MB",
    )


def recalling(size: int, bare: Notes, ours: Notes, floors: Path, database: Path) -> Iterator[Figure]:
    status = timed(["git", "status", "--porcelain"], bare.folder)
    floor = timed([PYTHON, str(floors / "floor_recall.py"), str(database), " ".join(WORDS)], bare.folder)
    command = [*MDMEM, "recall", *WORDS]
    target = {10_000: 2.0, 100_000: 1.4}.get(size)
    cold = timed(command, ours.folder)
    yield Figure(size, "mdmem recall, cold", cold, "floor_recall.py + git status", floor + status, target)
    edited = timed(command, ours.folder, before=ours.edit)
    yield Figure(size, "mdmem recall after a hand edit", edited, "floor_recall.py + git status", floor + status)
    if shutil.which("rg"):
        grep = timed(["rg", "-ic", "|".join(WORDS), "allmemories"], bare.folder)
        yield Figure(size, "mdmem recall, cold", cold, "ripgrep for the same words", grep)
    yield Figure(
        size,
        "peak memory of a recall",
        peak(f"from mdmem.__main__ import main; main({['recall', *WORDS]!r})", ours.folder),
        "python -c pass",
        peak("", ours.folder),
        unit="MB",
    )


def warm(size: int, ours: Notes, database: Path) -> Iterator[Figure]:
    """Queries in one process, against the bare FTS query of the floor for the same words."""
    plain = sqlite3.connect(database)
    sql = "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT 10"
    now = datetime.now(UTC)
    with Vault.open(str(ours.folder)) as vault:
        index = vault.index

        def ask(query: str) -> object:
            return order.recall(index, (query,), RecallContext(now))

        def bare(query: str) -> object:
            return plain.execute(sql, (" OR ".join(f'"{word}"' for word in query.split()),)).fetchall()

        took = {function: sorted(_each(function)) for function in (ask, bare)}
    plain.close()
    for label, place in (("median", 0.5), ("p95", 0.95)):
        own, floor = (times[int(place * (len(times) - 1))] for times in (took[ask], took[bare]))
        target = 1.5 if label == "p95" and size >= 100_000 else None
        yield Figure(size, f"recall in one process, {label}", own, "bare FTS5 query", floor, target)


def _each(function: Callable[[str], object]) -> Iterator[float]:
    for number in range(6):
        for query in QUERIES:
            start = time.perf_counter()
            function(query)
            if number:
                yield (time.perf_counter() - start) * 1000


def writing(size: int, bare: Notes, ours: Notes, floors: Path, database: Path) -> Iterator[Figure]:
    sqlite = timed([PYTHON, "-c", "import sqlite3"], bare.folder)
    add_commit = ["sh", "-c", 'git add -- "$(cat .git/next)" && git commit -qm x']
    written = timed(add_commit, bare.folder, before=bare.new)
    remember = [*MDMEM, "remember", "A new memory about the server and the meeting.", "--twins", "ignore"]
    took = timed(remember, ours.folder)
    target = 1.0 if size == 10_000 else None
    yield Figure(
        size, "mdmem remember", took, "2x git add && git commit, import sqlite3", 2 * written + sqlite, target
    )
    subprocess.run(["git", "commit", "-qam", "clean"], cwd=ours.folder, check=False, stderr=subprocess.DEVNULL)
    plain = timed(["git", "commit", "-qam", "x"], bare.folder, before=bare.edit)
    floor = timed([PYTHON, str(floors / "floor_hook.py"), str(database)], bare.folder, before=bare.commit)
    hook = timed([*MDMEM, "hook-impl", "post-commit"], ours.folder, before=ours.commit)
    yield Figure(size, "post-commit hook, one note", hook, "floor_hook.py", floor, 2.5 if size == 10_000 else None)
    yield Figure(size, "post-commit hook, one note", hook, "git commit", plain, 1.0 if size == 10_000 else None)
    hooked = timed(["git", "commit", "-qam", "x"], ours.folder, before=ours.edit)
    yield Figure(size, "git commit with our hooks", hooked, "git commit", plain)


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--shared", default="../shared", type=Path)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    shared = options.shared.resolve()
    if not (shared / "perf" / "gen_vault.py").exists():
        sys.exit(f"there is no perf/gen_vault.py in {shared}; name its folder with --shared")
    os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    os.environ |= {
        f"GIT_{who}_{what}": "bench@mdmem" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    figures = []
    print(f"{'notes':>7}  {'what':38} {'value':>9}     {'ratio':>6}  {'target':>6}  of")
    with tempfile.TemporaryDirectory(prefix="mdmem-bench-") as work:
        for size in map(int, options.sizes.split(",")):
            for figure in measure(size, shared, Path(work)):
                figures.append(figure)
                target = f"{figure.target:g}" if figure.target else ""
                ratio = figure.value / figure.bare
                print(
                    f"{figure.size:7}  {figure.what:38} {figure.value:9.1f} {figure.unit}  {ratio:5.2f}x"
                    f"  {target:>6}  {figure.reference} ({figure.bare:.1f} {figure.unit})",
                    flush=True,
                )
    if options.json:
        rows = [{**figure._asdict(), "ratio": figure.value / figure.bare} for figure in figures]
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()

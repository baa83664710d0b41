"""Ten years in the life of a vault, and what each thing that a person waits for then costs.

    python -m tests.bench.decade [--commits 20000] [--seed 1] [--keep DIR] [--only PATTERN]

Builds two vaults, a tenth and the whole (see `tests.bench.years`). Then each command runs, for at most five
minutes, without a sentence model; of three runs the least counts if it changes nothing. The second sync has
nothing to do, the third brings in one commit. The ratio is that of processor time: the whole is ten times as
large, so what is far above 10 grows faster than the vault. `--keep` leaves the vaults in DIR and takes those
that are there; `--only` chooses rows by a pattern.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from tests.bench.costs import MDMEM, PYTHON

LIMIT = 300  # seconds that a command may take
ENV = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "MDMEM_"))}
ENV |= {f"GIT_{who}_{what}": "ada@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
ENV |= {"MDMEM_MODEL": "off"}
ROWS = """
rebuild; status; session start --actor codex --context '{question}'; recall '{question}'
recall '{question}' --as-of 2020-06-01; remember 'Of {question} we decided {now}' --actor codex
session end --actor codex --summary '- {question} fails on {now}'; log; log {old}; log --session {session}
undo --session {session} --dry-run; blame {old}; show {old}; trash; doctor; garden; page --no-browser
sync; sync; sync
"""
ONCE = re.compile("rebuild|remember|session end|doctor|garden|sync")  # other rows run three times
Cost = tuple[float, float, float]  # seconds on the wall, of processor time of all processes, MB of the largest


def git(folder: Path, *line: str, data: str = "") -> str:
    return subprocess.check_output(["git", *line], cwd=folder, env=ENV, input=data, text=True)


def fetched(hub: Path) -> None:
    """Another machine's commit of one note, in the hub."""
    note = "The tide table hangs beside the door.\n"
    told = f"commit refs/heads/main\ncommitter Grace <g@example.org> {int(time.time())} +0000\ndata 4\ntide\n"
    told += f"from refs/heads/main^0\nM 100644 inline allmemories/2026/01/tide_table_{time.time_ns()}_door.md\n"
    git(hub, "fast-import", "--quiet", data=f"{told}data {len(note)}\n{note}\n")


def rows(vault: Path) -> list[str]:
    """The arguments of mdmem for each row of the table."""
    notes = git(vault, "ls-files", "allmemories/2017").splitlines()
    message = git(vault, "log", "-1", "--format=%B", "--before=2018-06-01", "--grep=^Memory-Session")
    session, old = message.rpartition("Memory-Session: ")[2].strip(), Path(notes[len(notes) // 2]).stem
    question = " ".join(Path(notes[0]).stem.split("_")[:3])
    said = ROWS.format(question=question, session=session, old=old, now=time.time_ns())
    return [row.strip() for row in re.split("[;\n]", said.strip())]


def timed(line: str, folder: Path) -> Cost | None:
    """What a command costs, `page` until its first answer; None for one that fails or takes too long."""
    command, is_page = ["timeout", str(LIMIT), *MDMEM, *shlex.split(line)], line.startswith("page")
    start, out = time.monotonic(), subprocess.PIPE if is_page else subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, env=ENV, stdout=out, stderr=subprocess.DEVNULL)
    if is_page:
        printed = (re.search(r"http\S+", said.decode()) for said in process.stdout or ())
        address = next(found[0] for found in printed if found)
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        browser.open(address, timeout=LIMIT).read()
        process.terminate()
    wall = time.monotonic() - start
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = wall if is_page else time.monotonic() - start
    is_done = is_page or process.returncode in (0, 1)  # the doctor exits with 1 if it finds errors
    return (wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024) if is_done else None


def measured(vault: Path, only: str) -> list[tuple[str, Cost | None]]:
    """The cost of each row."""
    costs: list[tuple[str, Cost | None]] = []
    for row in filter(re.compile(only).match, rows(vault)):
        if [name for name, _ in costs].count("sync") == 2:
            fetched(vault.with_name("hub.git"))
        runs = [timed(row, vault) for _ in range(1 if ONCE.match(row) else 3)]
        costs.append((row, min((run for run in runs if run), default=None)))
        print(*costs[-1], file=sys.stderr, flush=True)
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-decade-") as folder:
        costs = []
        for commits in (chosen.commits // 10, chosen.commits):
            place = (chosen.keep or Path(folder)).resolve() / str(commits)
            if not (place / "hub.git").is_dir():
                place.mkdir(parents=True, exist_ok=True)
                line = [PYTHON, "-m", "tests.bench.years", place, "--commits", commits, "--seed", chosen.seed]
                subprocess.run([*map(str, line)], check=True)
            costs.append(measured(place / "vault", chosen.only))
    print(" " * 22 + f"{'wall s':>8}{'CPU s':>8}{'MB':>6}  " * 2 + f"{'ratio':>6}")
    for (_, small), (name, large) in zip(*costs, strict=True):
        told = ["{:8.2f}{:8.2f}{:6.0f}  ".format(*cost) if cost else " " * 24 for cost in (small, large)]
        label = re.sub(r" '.*?'", "", name)[:21]
        print(f"{label:22}{''.join(told)}" + (f"{large[1] / small[1]:6.1f}" if large and small else ""))


if __name__ == "__main__":
    main()

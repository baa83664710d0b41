"""What a sync with nothing to do costs, next to `git fetch` and a bare Python.

    python -m tests.bench.sync [--runs 15] [--notes 200]

Processor time of whole processes, the least of several runs; the ratio is to both of the others together.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ENV = {
    **{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    **{
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "gc.auto",
        "GIT_CONFIG_VALUE_0": "0",
    },  # else a clone meets it
}


def run(folder: Path, *line: str) -> None:
    subprocess.run(line, cwd=folder, env=ENV, check=True, capture_output=True)


def milliseconds(folder: Path, runs: int, *line: str) -> float:
    """The least processor time of a command and of what it starts."""
    times = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(folder, *line)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times) * 1000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--notes", type=int, default=200)
    given = parser.parse_args()
    mdmem = str(Path(sys.executable).parent / "mdmem")
    with tempfile.TemporaryDirectory(prefix="mdmem-sync-") as name:
        folder = Path(name)
        vault = folder / "vault"
        run(folder, mdmem, "init", str(vault), "--no-examples")
        for number in range(given.notes):
            (vault / "allmemories" / f"note_of_number_{number}.md").write_text(f"Note {number}.\n")
        run(vault, "git", "add", ".")
        run(vault, "git", "commit", "-qm", "notes")
        run(folder, "git", "clone", "-q", "--bare", str(vault), "hub.git")
        run(vault, "git", "remote", "add", "origin", str(folder / "hub.git"))
        run(vault, mdmem, "sync")
        sync = milliseconds(vault, given.runs, mdmem, "sync")
        fetch = milliseconds(vault, given.runs, "git", "fetch", "--quiet", "origin")
        python = milliseconds(vault, given.runs, sys.executable, "-c", "pass")
    print(f"sync with nothing to do  {sync:6.1f} ms of CPU")
    print(f"git fetch                {fetch:6.1f}")
    print(f"python -c pass           {python:6.1f}")
    print(f"ratio                    {sync / (fetch + python):6.2f}")


if __name__ == "__main__":
    main()

"""What keeping dialogs costs, as ratios to git and to plain reading in the same run.

    python tests/bench/layers.py [--entries 10000] [--folder 1000] [--json FILE]

Dialogs are made up, by seed. Trust the ratios, not the milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import ingest
from mdmem.systems.layers.dialog import DialogSource
from mdmem.systems.layers.ingest import IngestRequest

MDMEM = str(Path(sys.executable).with_name("mdmem"))
TOPICS = 60
PLAIN = ("-c", "maintenance.auto=false", "-c", f"core.hooksPath={os.devnull}")  # what git does alone
PEOPLE = ("Ana", "Ben", "Mia", "Tom")
SAID = (
    *("I live in {}.", "I prefer {} over tea.", "We meet on {} at noon.", "My sister works at {}."),
    *("Could you look up {} for me?", "The deadline for {} is Friday.", "I bought {} yesterday.", "{} was great."),
)
THINGS = ("Lisbon", "coffee", "Monday", "the library", "flights", "the report", "a bike", "the museum", "Berlin")


def dialog(number: int) -> bytes:
    """One made-up dialog of about 1 kB."""
    chance = random.Random(number)
    lines = [f"{chance.choice(PEOPLE)}: {chance.choice(SAID).format(chance.choice(THINGS))}" for _ in range(24)]
    return "\n".join([f"# Talk {number}", "", *lines, ""]).encode()


def median_ms(action: Callable[[int], object], runs: int = 5) -> float:
    times = []
    for run in range(runs):
        start = time.perf_counter()
        action(run)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def git(folder: Path, *args: str) -> None:
    subprocess.run(["git", *PLAIN, *args], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def new_vault(folder: Path) -> Path:
    subprocess.run([MDMEM, "init", folder, "--no-examples"], check=True, stdout=subprocess.DEVNULL)
    return folder


def fill(root: Path, count: int) -> None:
    """Ingest made-up dialogs, each topic in a commit."""
    start = datetime(2020, 1, 1, tzinfo=UTC)
    with Vault(str(root)) as vault, vault.following():
        for topic in range(TOPICS):
            numbers = range(topic, count, TOPICS)
            sources = [DialogSource(f"{number}.md", partial(dialog, number)) for number in numbers]
            when = start + timedelta(days=topic)
            wanted = IngestRequest(f"topic {topic}", when.strftime("%Y-%m-%dT%H:%M:%SZ"))
            ingest.ingest(vault, sources, wanted, Caller(when))


def one_more(work: Path, root: Path) -> dict[str, float]:
    """One more dialog into a vault that is full: as a process, and the write alone; git does it in a copy."""
    twin = work / "twin"
    shutil.copytree(root, twin)
    (work / "more").mkdir()

    def by_mdmem(run: int) -> None:
        place = work / f"more/{run}.md"
        place.write_bytes(dialog(10**6 + run))
        subprocess.run(
            [MDMEM, "ingest", place, "--topic", "topic 1"], cwd=root, check=True, stdout=subprocess.DEVNULL
        )

    def by_git(run: int) -> None:
        folder = twin / f"topics/topic_1/20300101T00000{run}Z-0000000{run}"
        folder.mkdir(parents=True)
        for name in ("raw.md", "meta.json", "summary.json"):
            (folder / name).write_bytes(dialog(run)[:600])
        git(twin, "add", str(folder))
        git(twin, "commit", "--quiet", "-m", "one more")

    def in_process(run: int) -> None:
        source = DialogSource("x.md", lambda: dialog(2 * 10**6 + run))
        with Vault(str(root)) as vault:
            ingest.ingest(vault, [source], IngestRequest("topic 1"), Caller(datetime.now(UTC)))

    by_mdmem(99)  # the index and git's own catch up with what was there
    by_git(9)
    figures = {"git": median_ms(by_git), "process": median_ms(by_mdmem), "in_process": median_ms(in_process)}
    return {
        "one more by git, ms": figures["git"],
        "one more, ms": figures["process"],
        "one more, x git": figures["process"] / figures["git"],
        "one more in a running process, x git": figures["in_process"] / figures["git"],
    }


def one_folder(work: Path, count: int) -> dict[str, float]:
    """A folder of dialogs in one commit."""
    chats, root = work / "chats", new_vault(work / "folder")
    chats.mkdir()
    for number in range(count):
        (chats / f"{number}.md").write_bytes(dialog(number))

    def by_mdmem(_: int) -> None:
        subprocess.run(
            [MDMEM, "ingest", chats, "--topic", "talk"], cwd=root, check=True, stdout=subprocess.DEVNULL
        )

    took = median_ms(by_mdmem, 1)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    plain = work / "plain"
    shutil.copytree(root / "topics", plain / "topics")
    git(work, "init", "--quiet", str(plain))

    def by_git(_: int) -> None:
        git(plain, "add", "-A")
        git(plain, "commit", "--quiet", "-m", "all")

    git_took = median_ms(by_git, 1)
    return {f"{count} dialogs, ms": took, f"{count} dialogs, x git": took / git_took, "peak memory, MB": peak}


def show(figures: dict[str, float]) -> None:
    for name, value in figures.items():
        print(f"{value:10.2f}  {name}", flush=True)


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--entries", type=int, default=10_000)
    asked.add_argument("--folder", type=int, default=1_000)
    asked.add_argument("--json")
    options = asked.parse_args()
    os.environ.setdefault("GIT_CONFIG_GLOBAL", os.devnull)
    for name in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{name}_NAME": "Ada", f"GIT_{name}_EMAIL": "ada@example.org"}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        figures = one_folder(work, options.folder)
        show(figures)
        root = new_vault(work / "full")
        fill(root, options.entries)
        more = one_more(work, root)
        show(more)
    if options.json:
        Path(options.json).write_text(json.dumps({**figures, **more}, indent=2))


if __name__ == "__main__":
    main()

"""How fast works are found by file and traced, in ratio to a cold `mdmem recall` measured in the same run.

    python tests/bench/work.py [--sizes 1000,10000] [--runs 7]

Machines are noisy: trust the ratios, not the milliseconds. Each figure is the median processor time of several
runs of whole processes. The works are made here, by a seeded generator: four agents in three projects. The tokens
of a depth are medians over the works, by the estimate of `mdmem.note.tokens`: of what is told, and of all that
would be.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mdmem.note import memory
from mdmem.note.excerpt import DEPTHS
from mdmem.systems.rum import recall as depths
from mdmem.systems.rum import work
from tests.bench.costs import MDMEM, cpu, settle

AREAS = ("auth", "cart", "search", "report", "mail", "login", "stock", "price")
THINGS = ("timeout", "cache", "token", "queue", "parser", "index", "retry", "schema", "lock", "session")
VERBS = ("Fix the", "Speed up the", "Understand the", "Replace the", "Test the")
START = datetime(2026, 1, 1, tzinfo=UTC)


def a_work(draw: random.Random, number: int) -> dict[str, Any]:
    """One made-up work of about the size of RUM's own example."""
    area, thing = draw.choice(AREAS), draw.choice(THINGS)
    file = f"src/{area}/{thing}{draw.randrange(3)}.ts"
    success = draw.random() < 0.7
    given = {
        "agent_id": f"agent-{number % 4}",
        "project_id": f"project-{number % 3}",
        "session_id": f"conv-{number // 5}",
        "created_at": (START + timedelta(minutes=number)).timestamp(),
        "intent": {
            "goal": f"{draw.choice(VERBS)} {thing} of the {area} page",
            "task_type": draw.choice(work.TASK_TYPES),
            "context": f"People wait for the {area} page since release {number}",
            "constraints": ["Keep what is stored", "No new dependency"],
        },
        "perception": {
            "observations": [
                {
                    "what": f"The {thing} is made anew each time",
                    "where": f"{file}:45",
                    "significance": "It is slow",
                }
            ],
            "relevant_files": [{"path": f"src/{area}/main.ts", "relevance": "Calls it"}],
            "anomalies": [f"The {thing} of {draw.choice(AREAS)} is not"],
        },
        "reasoning": {
            "approach_chosen": f"Keep the {thing} between requests",
            "why_chosen": "Matches how the other pages do it",
            "alternatives_considered": [
                {"approach": "A larger machine", "why_rejected": "Does not fix the cause"}
            ],
            "assumptions": [f"The {thing} is not changed elsewhere"],
            "risks_identified": ["It could become stale"],
        },
        "actions": [
            {"type": "file_read", "file_path": f"src/{area}/main.ts", "success": True},
            {"type": "file_edit", "file_path": file, "lines_affected": "45-89", "success": True},
            {"type": "command_run", "command": "npm test", "success": success},
        ],
        "outcome": {
            "success": success,
            "summary": f"The {thing} is kept" if success else f"The {thing} was stale in one case of {number}",
            "learnings": [f"Clear the {thing} on logout"],
            "verified_by": {"type": "test", "command": "npm test", "result": "14 passed"},
        },
        "importance": round(draw.random(), 2),
    }
    return work.checked(given)


def made(folder: Path, size: int) -> list[dict[str, Any]]:
    """A committed vault of so many works, each caused by one that is up to ten before it; the works."""
    draw = random.Random(size)
    notes = folder / "allmemories"
    notes.mkdir(parents=True)
    (folder / "mdmem.toml").write_text('id = "bench"\n')
    works = []
    for number in range(size):
        given = a_work(draw, number)
        links = {"caused_by": [f"[[work_number_{draw.randrange(max(0, number - 10), number)}]]"]} if number else {}
        properties, body = work.note_of(given, lambda id: id)
        meta = {"title": given["intent"]["goal"], "category": "past", **properties, **links}
        (notes / f"work_number_{number}.md").write_bytes(memory.render(meta, body))
        works.append(given)
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "works"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *command], cwd=folder, check=True)
    return works


def figures(folder: Path, size: int, runs: int) -> Iterator[str]:
    """A line for each command, with its ratio to a cold recall; the commands take turns."""
    commands = {
        "recall": ["recall", "stale cache login"],
        "work recall --file": ["recall", "--as", "work", "--file", "src/auth/cache1.ts"],
        "work recall --file, of a busy file": ["recall", "--as", "work", "--file", "src/auth/main.ts"],
        "work recall --file 'GLOB'": ["recall", "--as", "work", "--file", "src/auth/*.ts", "--failure"],
        "work recall WORDS": ["recall", "--as", "work", "stale", "cache", "login"],
        "work list --failure": ["list", "--as", "work", "--failure"],
        "work before FILE": ["work", "before", "src/auth/cache1.ts", "--always"],
        "work before FILE, a busy one": ["work", "before", "src/auth/main.ts", "--always"],
        "work before --command, a busy file": [
            *("work", "before", "--always", "--command", "replace the cache of src/auth/main.ts")
        ],
        "lineage --max-depth 3": ["lineage", "--max-depth", "3", f"work_number_{size // 2}"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, arguments in commands.items():
            start = cpu()
            subprocess.run([*MDMEM, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            if turn:  # the first turn builds the index and warms the caches
                times[name].append((cpu() - start) * 1000)
    cold = statistics.median(times["recall"])
    for name, taken in times.items():
        middle = statistics.median(taken)
        yield f"{size:>6}  {name:<36} {middle:8.0f} ms  {middle / cold:5.2f}x a cold recall"


def told(works: list[dict[str, Any]]) -> Iterator[str]:
    """The median tokens of each depth."""
    for depth in DEPTHS:
        some = [depths.telling(one, depth) for one in works[:200]]
        shown = statistics.median(one.tokens for one in some)
        whole = statistics.median(one.whole for one in some)
        most = depths.BUDGETS[depth] or "all"
        yield f"        {depth:<10} {shown:5.0f} tokens told, of {whole:5.0f}; at most {most}"


def main() -> None:
    settle()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as place:
            works = made(Path(place) / "vault", size)
            start = time.perf_counter()
            subprocess.run(
                [*MDMEM, "list", "-n", "1"], cwd=Path(place) / "vault", check=True, stdout=subprocess.DEVNULL
            )
            print(f"{size:>6}  {'the index is built':<36} {(time.perf_counter() - start) * 1000:8.0f} ms")
            for line in (*figures(Path(place) / "vault", size, options.runs), *told(works)):
                print(line, flush=True)


if __name__ == "__main__":
    main()

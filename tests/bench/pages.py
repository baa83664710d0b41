"""What the pages of topics cost, as ratios to plain reading in the same run.

    python tests/bench/pages.py [--entries 10000] [--json FILE]

The entries are made up, by seed. Ratios count time on the processor, so that other work hardly disturbs them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from mdmem.note import tokens
from mdmem.note.facts import TYPES, Fact
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import documents, tree
from mdmem.systems.layers.documents import EntryMeta, EntrySummary, entry_id, sha256

MDMEM = str(Path(sys.executable).with_name("mdmem"))
TOPICS, FACTS = 60, 5  # facts of each entry
PEOPLE = ("Ana", "Ben", "Mia", "Tom")
RELATIONS = ("lives in", "likes", "must visit", "works at")
THINGS = ("Lisbon", "the library", "the garden", "the report", "a bike", "the museum", "Berlin", "the harbour")


def entry(number: int) -> tuple[str, dict[str, bytes]]:
    """The folder of a made-up entry, and its files."""
    chance = random.Random(number)
    raw = "".join(f"{chance.choice(PEOPLE)}: I went to {chance.choice(THINGS)}.\n" for _ in range(30)).encode()
    day = number * 5 // TOPICS % 1500
    time_of_it = f"{2021 + day // 336}-{day // 28 % 12 + 1:02d}-{day % 28 + 1:02d}T{number % 24:02d}:00:00Z"
    id, topic = entry_id(raw + b"%d" % number, time_of_it), f"topic_{number % TOPICS:02d}"
    stated = tuple(_fact(chance, id, time_of_it, line) for line in range(FACTS))
    told = EntrySummary(
        *(id, time_of_it, f"They spoke about {chance.choice(THINGS)}. It took a while.", stated),
        open_questions=(f"Who visits {chance.choice(THINGS)}?",),
        next_actions=(f"Call {chance.choice(PEOPLE)} about {chance.choice(THINGS)}",),
    )
    meta = EntryMeta(id, time_of_it, topic, "chat.md", "text", sha256(raw), len(raw))
    files = {"raw.md": raw, "meta.json": documents.render(meta), "summary.json": documents.render(told)}
    return f"topics/{topic}/{id}", files


def _fact(chance: random.Random, id: str, when: str, line: int) -> Fact:
    what = f"{chance.choice(THINGS)} {chance.randrange(40)}"
    sure = chance.choice((0.6, 0.75, 0.9))
    parts = (chance.choice(PEOPLE), chance.choice(RELATIONS), what, chance.choice(TYPES), "current", sure, None)
    return Fact(*parts, id, when, "I said so, more or less.", line)


def add(root: Path, numbers: range) -> None:
    for number in numbers:
        folder, files = entry(number)
        (root / folder).mkdir(parents=True)
        for name, data in files.items():
            (root / folder / name).write_bytes(data)


def measured(action: Callable[[], object]) -> float:
    """The seconds on the processor that an action takes."""
    start = time.process_time()
    action()
    return time.process_time() - start


def entry_files(root: Path, *names: str) -> Iterator[Path]:
    return (path / name for path in (root / "topics").glob("*/2*") for name in names)


def figures_of(root: Path, count: int) -> dict[str, float]:
    every = ("raw.md", "meta.json", "summary.json")
    with Vault(str(root)) as vault:
        assert vault.index.count() >= 0
        reading = measured(lambda: [path.read_bytes() for path in entry_files(root, *every)])
        full = measured(lambda: tree.update(vault, full=True))
        same = measured(lambda: tree.update(vault))
        over = measured(lambda: tree.update_global(vault))
        add(root, range(count, count + 1))
        touched = [f"{entry(count)[0]}/raw.md"]
        one = measured(lambda: tree.update(vault, touched=touched))
    page = (root / "GLOBAL_MEMORY.md").read_text(encoding="utf-8")
    return {
        "reading all files of the entries, s": reading,
        "full rebuild, x reading": full / reading,
        "global rebuild, s": over,
        "one more entry, s": one,
        "nothing new, s": same,
        "peak memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "global page, tokens": tokens.estimate(page),
    }


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--entries", type=int, default=10_000)
    asked.add_argument("--json")
    options = asked.parse_args()
    os.environ.setdefault("GIT_CONFIG_GLOBAL", os.devnull)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        subprocess.run([MDMEM, "init", root, "--no-examples"], check=True, stdout=subprocess.DEVNULL)
        add(root, range(options.entries))
        figures = figures_of(root, options.entries)
    for name, value in figures.items():
        print(f"{value:10.3f}  {name}")
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()

"""How fast mdmem is, as ratios to bare git, Python, SQLite and ripgrep measured in the same run.

    python tests/bench/speed.py [--sizes 1000,10000] [--clock cpu] [--shared ../shared] [--json FILE]

Machines are noisy: trust the ratios, not the milliseconds. Each figure is the median of several runs of whole
processes on a warm disk, each beside its reference. On a machine that is busy with other things `--clock cpu`
counts processor time, of all processes that a command starts. The vaults, the questions and the floors come from
the shared folder.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from mdmem.note import memory
from mdmem.recall import order
from mdmem.recall.gather import RecallContext
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.vault.vault import Vault
from tests.bench.costs import MDMEM, PYTHON, QUERIES, WORDS, Bench, cpu, generated, peak, settle

ASKED = 150  # natural questions, of those there are
GOALS = {  # what a row is to be at most, of its reference, by its name and the size of the vault
    ("mdmem --help", 10_000): 2.5,
    ("full build", 10_000): 1.3,
    ("full build", 100_000): 1.3,
    ("import in one commit", 10_000): 2.0,
    ("index on disk", 10_000): 2.5,
    ("recall, cold", 10_000): 1.8,
    ("recall, cold", 100_000): 1.1,
    ("recall in one process, median", 10_000): 1.5,
    ("recall in one process, median", 100_000): 1.2,
    ("a natural question, median", 10_000): 1.5,
    ("a natural question, median", 100_000): 1.2,
    ("remember", 10_000): 1.6,
    ("post-commit hook", 10_000): 2.0,
    ("post-commit hook, of a commit", 10_000): 1.0,
}
LIMITS = {  # what it is to be at most in itself
    ("a natural question, median", 0): 5.0,
    ("a natural question, p95", 0): 10.0,
    ("peak memory of a build", 100_000): 150.0,
}


class Figure(NamedTuple):
    """One measurement in `unit`, and the reference it is compared with; size 0 is that of the conversations."""

    size: int
    what: str
    value: float
    reference: str
    bare: float
    unit: str = "ms"

    @property
    def ratio(self) -> float:
        return self.value / self.bare

    @property
    def goal(self) -> str:
        """What it is to be at most, "" if nobody said."""
        row = (self.what, self.size)
        return f"{GOALS[row]:g}x" if row in GOALS else f"{LIMITS[row]:g} {self.unit}" if row in LIMITS else ""

    @property
    def misses(self) -> bool:
        row = (self.what, self.size)
        return self.ratio > GOALS.get(row, float("inf")) or self.value > LIMITS.get(row, float("inf"))

    def __str__(self) -> str:
        return (
            f"{self.size or '':>7}  {self.what:32} {self.value:9.1f} {self.unit}  {self.ratio:5.2f}x"
            f"  {self.goal:>7}  {self.reference} ({self.bare:.1f} {self.unit})"
        )


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


def conversations(bench: Bench, shared: Path, work: Path) -> Iterator[Figure]:
    """Natural questions about notes of conversations, in one process."""
    out = work / "conversations"
    files = sorted((shared / "eval" / "locomo_dev").glob("*.json"))
    script = shared / "eval" / "make_vault.py"
    subprocess.run([PYTHON, script, *files, out, "--unit", "observation"], check=True, stdout=subprocess.DEVNULL)
    notes = [memory.parse(path.read_bytes(), path.name) for path in sorted((out / "vault").glob("*.md"))]
    catalogue, plain = SqliteCatalogue.in_memory(), sqlite3.connect(":memory:")
    plain.execute("CREATE VIRTUAL TABLE fts USING fts5(title, body, tokenize='porter unicode61')")
    for note in notes:
        catalogue.insert(note, "", "")
        plain.execute("INSERT INTO fts VALUES(?,?)", (note.title, note.body))
    yield from in_one_process(bench, 0, "a natural question", catalogue, plain, natural_questions(work))


def natural_questions(work: Path) -> list[str]:
    """The questions about those conversations that are asked."""
    with (work / "conversations" / "queries.jsonl").open() as lines:
        questions = [json.loads(line)["question"] for line in lines]
    return questions[:: max(1, len(questions) // ASKED)][:ASKED]


def in_one_process(
    bench: Bench, size: int, what: str, catalogue: SqliteCatalogue, plain: sqlite3.Connection, some: Sequence[str]
) -> Iterator[Figure]:
    """Questions in one process, against the bare FTS5 query of their words."""
    context = RecallContext(datetime.now(UTC))

    def ask(question: str) -> object:
        return order.recall(catalogue, (question,), context)

    def bare(question: str) -> object:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        return plain.execute("SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT 10", (words,)).fetchall()

    own, floor = bench.asked(ask, some), bench.asked(bare, some)
    for label, share in (("median", 0.5), ("p95", 0.95)):
        at = int(share * (len(own) - 1))
        yield Figure(size, f"{what}, {label}", own[at], "bare FTS5 query", floor[at])


def measure(bench: Bench, size: int, shared: Path, work: Path) -> Iterator[Figure]:
    """Every figure for a vault of `size` notes."""
    floors = shared / "perf"
    folder = generated(size, work / f"bare-{size}", shared)
    shutil.copytree(folder, work / f"ours-{size}")
    bare, ours = Notes(folder), Notes(work / f"ours-{size}")
    database = work / "floor.db"
    bench.run(["git", "status"], bare.folder)

    python = bench.timed([PYTHON, "-c", "pass"], bare.folder)
    yield Figure(size, "mdmem --help", bench.timed([*MDMEM, "--help"], ours.folder), "python -c pass", python)
    yield from building(bench, size, bare, ours, floors, database)
    yield from importing(bench, size, bare, work)
    bench.run(["git", "status"], ours.folder)  # a copied folder: git has to learn the new files' times once
    yield from recalling(bench, size, bare, ours, floors, database)
    with Vault.open(str(ours.folder)) as vault:
        plain = sqlite3.connect(database)
        yield from in_one_process(bench, size, "recall in one process", vault.whole_index, plain, QUERIES)
        naturally = natural_questions(work)
        yield from in_one_process(bench, size, "a natural question", vault.whole_index, plain, naturally)
        plain.close()
    yield from writing(bench, size, bare, ours, floors, database)
    for notes in (ours, bare):
        shutil.rmtree(notes.folder)


def building(bench: Bench, size: int, bare: Notes, ours: Notes, floors: Path, database: Path) -> Iterator[Figure]:
    runs = 3 if size <= 10_000 else 1
    floor = bench.timed([PYTHON, str(floors / "floor_build.py"), ".", str(database)], bare.folder, runs)
    made = bench.run([*MDMEM, "init", "--hooks", "."], ours.folder)
    yield Figure(size, "init (adopts, indexes, commits)", made, "floor_build.py", floor)
    built = bench.timed([*MDMEM, "rebuild"], ours.folder, runs)
    yield Figure(size, "full build", built, "floor_build.py", floor)
    index = sum(part.stat().st_size for part in (ours.folder / ".mdmem").glob("index.sqlite*"))
    yield Figure(size, "index on disk", index / 1e6, "bytes of the notes", ours.size() / 1e6, "MB")
    building = peak("from mdmem.__main__ import main; main(['rebuild'])", ours.folder)
    yield Figure(size, "peak memory of a build", building, "python -c pass", peak("", ours.folder), "MB")


def importing(bench: Bench, size: int, bare: Notes, work: Path) -> Iterator[Figure]:
    """All notes into an empty vault in one commit, against the commit of the same files in an empty repository."""
    vault, plain = work / "imported", work / "committed"
    for folder in (vault, plain):
        folder.mkdir()
    bench.run([*MDMEM, "init", "."], vault)
    taken = bench.run([*MDMEM, "import", "legacy", str(bare.folder / "allmemories")], vault)
    shutil.copytree(vault / "allmemories", plain / "allmemories")
    bench.run(["git", "init", "-q"], plain)
    # A gc that git leaves in the background would still write to the folder while it is removed.
    committed = bench.run(["sh", "-c", "git add . && git -c gc.auto=0 commit -qm x"], plain)
    yield Figure(size, "import in one commit", taken, "git add && git commit", committed)
    for folder in (vault, plain):
        shutil.rmtree(folder)


def recalling(bench: Bench, size: int, bare: Notes, ours: Notes, floors: Path, database: Path) -> Iterator[Figure]:
    status = bench.timed(["git", "status", "--porcelain"], bare.folder)
    query = [PYTHON, str(floors / "floor_recall.py"), str(database), " ".join(WORDS)]
    floor = status + bench.timed(query, bare.folder)
    command = [*MDMEM, "recall", *WORDS]
    cold = bench.timed(command, ours.folder)
    yield Figure(size, "recall, cold", cold, "floor_recall.py + git status", floor)
    edited = bench.timed(command, ours.folder, before=ours.edit)
    yield Figure(size, "recall after a hand edit", edited, "floor_recall.py + git status", floor)
    if shutil.which("rg"):
        grep = bench.timed(["rg", "-ic", "|".join(WORDS), "allmemories"], bare.folder)
        yield Figure(size, "recall, of ripgrep", cold, "ripgrep for the same words", grep)
    recall = peak(f"from mdmem.__main__ import main; main({['recall', *WORDS]!r})", ours.folder)
    yield Figure(size, "peak memory of a recall", recall, "python -c pass", peak("", ours.folder), "MB")


def writing(bench: Bench, size: int, bare: Notes, ours: Notes, floors: Path, database: Path) -> Iterator[Figure]:
    add_commit = ["sh", "-c", 'git add -- "$(cat .git/next)" && git commit -qm x']
    written = bench.timed(add_commit, bare.folder, before=bare.new)
    remember = [*MDMEM, "remember", "A new memory about the server and the meeting.", "--twins", "ignore"]
    took = bench.timed(remember, ours.folder)
    yield Figure(size, "remember", took, "git add && git commit", written)
    subprocess.run(["git", "commit", "-qam", "clean"], cwd=ours.folder, check=False, stderr=subprocess.DEVNULL)
    plain = bench.timed(["git", "commit", "-qam", "x"], bare.folder, before=bare.edit)
    floor = bench.timed([PYTHON, str(floors / "floor_hook.py"), str(database)], bare.folder, before=bare.commit)
    hook = bench.timed([*MDMEM, "hook-impl", "post-commit"], ours.folder, before=ours.commit)
    yield Figure(size, "post-commit hook", hook, "floor_hook.py", floor)
    yield Figure(size, "post-commit hook, of a commit", hook, "git commit", plain)
    hooked = bench.timed(["git", "commit", "-qam", "x"], ours.folder, before=ours.edit)
    yield Figure(size, "git commit with our hooks", hooked, "git commit", plain)


def figures(bench: Bench, sizes: Sequence[int], shared: Path, work: Path) -> Iterator[Figure]:
    yield from conversations(bench, shared, work)
    for size in sizes:
        yield from measure(bench, size, shared, work)


def main() -> None:
    settle()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--shared", default="../shared", type=Path)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    shared = options.shared.resolve()
    bench = Bench(cpu if options.clock == "cpu" else time.perf_counter)
    measured = []
    print(f"{'notes':>7}  {'what':32} {'value':>9}     {'ratio':>6}  {'goal':>7}  of")
    with tempfile.TemporaryDirectory(prefix="mdmem-bench-") as work:
        for figure in figures(bench, [int(size) for size in options.sizes.split(",")], shared, Path(work)):
            measured.append(figure)
            print(figure, flush=True)
    missed = [figure for figure in measured if figure.misses]
    print(
        f"\n{len(missed)} of {sum(bool(figure.goal) for figure in measured)} goals are missed" + ":" * bool(missed)
    )
    print("\n".join(map(str, missed)))
    if options.json:
        rows = [{**figure._asdict(), "ratio": figure.ratio, "goal": figure.goal} for figure in measured]
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()

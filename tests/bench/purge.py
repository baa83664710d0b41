"""How long a purge takes, as a ratio to git-filter-repo alone on the same history.

    python -m tests.bench.purge [COMMITS] [NOTES]

The history is made by `git fast-import`; a text stands in 21 of its commits. git-filter-repo runs with the same
text in a fresh clone, its own packing included.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from mdmem.history.purging import survey as surveying
from mdmem.history.purging import target
from mdmem.history.purging.purge import purge
from mdmem.history.purging.survey import survey
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault

SECRET = "sk-SECRET-4711"
NOW = datetime(2026, 3, 1, tzinfo=UTC)
START = 1_700_000_000  # Unix seconds of the first commit


def data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"


def stream(commits: int, notes: int) -> Iterator[str]:
    """A history as git fast-import reads it: each commit writes one note of 180 words."""
    chance = random.Random(1)
    words = [f"word{number}" for number in range(5000)]
    for at in range(commits):
        note = at if at < notes else chance.randrange(notes)
        id = f"0192f3c4-7d1e-7c3a-9d53-{note:012x}"
        text = f"---\nid: {id}\ntitle: Note {note}\n---\n\n{' '.join(chance.choices(words, k=180))}\n"
        if note == 7 or commits // 2 <= at < commits // 2 + 20:
            text += f"the key is {SECRET}\n"
        who = f"A <a@example.org> {START + at * 60} +0000"
        message = f"revise: note_{note}\n\nMemory-Action: revise\nMemory-Id: {id}\n"
        yield f"commit refs/heads/main\nauthor {who}\ncommitter {who}\n{data(message)}"
        yield f"M 100644 inline allmemories/{note % 40:02d}/note_{note}_about_words.md\n{data(text)}\n"


def git(folder: Path, *args: str, **options: object) -> None:
    subprocess.run(["git", *args], cwd=folder, check=True, stdout=subprocess.DEVNULL, **options)  # type: ignore[call-overload]


def made(folder: Path, commits: int, notes: int) -> Path:
    """A vault with that history."""
    root = folder / "vault"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "fast-import", "--quiet", input="".join(stream(commits, notes)).encode())
    git(root, "reset", "--quiet", "--hard")
    git(root, "gc", "--quiet")
    return root


def filter_repo_alone(root: Path, folder: Path) -> float:
    """Seconds that git-filter-repo takes for the same text, in a clone made before."""
    rules = folder / "rules"
    rules.write_text(f"literal:{SECRET}==>(purged)\n")
    git(folder, "clone", "--quiet", "--no-local", "--mirror", str(root), "reference.git")
    start = time.perf_counter()
    line = [sys.executable, surveying.program(), "--force", "--replace-text", str(rules)]
    subprocess.run(line, cwd=folder / "reference.git", check=True, capture_output=True)
    return time.perf_counter() - start


def main(commits: int, notes: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.update(HOME=name, GIT_CONFIG_GLOBAL=os.devnull)
        root = made(folder, commits, notes)
        alone = filter_repo_alone(root, folder)
        with Vault.open(str(root)) as vault:
            start = time.perf_counter()
            found = survey(vault, target.of_text(SECRET), NOW, name, False, silent)
            surveyed = time.perf_counter() - start
            begun = time.perf_counter()
            done = purge(vault, found, found.rewritten, Caller(NOW))
            took = time.perf_counter() - begun
        print(f"{commits} commits, {notes} notes; {done.rewritten} rewritten, {done.objects} objects left")
        print(f"git-filter-repo alone {alone:.1f} s (1.0)")
        print(f"dry run  {surveyed:5.1f} s ({surveyed / alone:.2f})")
        print(f"purge    {took:5.1f} s ({took / alone:.2f})")


if __name__ == "__main__":
    main(*(int(given) for given in (sys.argv[1:] + ["10000", "2000"][len(sys.argv) - 1 :])))

"""What importing costs, as ratios to `git add` and `git commit` of the same files in the same run.

    python tests/bench/imports.py [NOTES]

prints for each importer: notes in, notes out, what was told, processor time of `mdmem import` with what it starts,
and its ratio to that of git. The sources are made here, of words that repeat little.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

MDMEM = str(Path(sys.executable).with_name("mdmem"))
SYLLABLES = "ba de fi go ku la me no pu ra se ti vo wa xe yi zo cha dor fel gri han jor".split()
DATE = "2026-01-02T10:00:00Z"


def words(draw: random.Random, count: int) -> str:
    return " ".join("".join(draw.choices(SYLLABLES, k=draw.randint(2, 4))) for _ in range(count))


def texts(count: int) -> dict[str, str]:
    """A title and a text of about 60 words for each note."""
    draw = random.Random(7)
    found: dict[str, str] = {}
    while len(found) < count:
        found[words(draw, 4)] = words(draw, 60) + "."
    return found


def files(folder: Path, notes: Mapping[str, str], head: Callable[[str], str]) -> Path:
    folder.mkdir()
    before = ""
    for title, text in notes.items():
        link = f"\n\n[[{before}]]" if before else ""
        (folder / f"{title}.md").write_text(f"---\n{head(title)}---\n\n{text}{link}\n")
        before = title
    return folder


def saved(place: Path, value: object) -> Path:
    place.write_text(value if isinstance(value, str) else json.dumps(value))
    return place


def sources(top: Path, notes: Mapping[str, str]) -> dict[str, Path]:
    """name of the importer -> what it is given."""
    graph = [
        {"type": "entity", "name": title, "entityType": "place", "observations": [text]}
        for title, text in notes.items()
    ]
    chat = {
        str(place): {
            "message": {"recipient": "bio", "content": {"parts": [text]}, "create_time": 1767348000 + place}
        }
        for place, text in enumerate(notes.values())
    }
    return {
        "markdown": files(top / "markdown", notes, lambda title: f"title: {title}\ntags: [a, b]\n"),
        "server-memory": saved(top / "memory.jsonl", "".join(json.dumps(row) + "\n" for row in graph)),
        "claude-memory": files(top / "auto", notes, lambda title: f"name: {title}\nmetadata:\n  type: project\n"),
        "basic-memory": files(top / "basic", notes, lambda title: f"title: {title}\npermalink: main/{title}\n"),
        "palinode": files(
            top / "pali", notes, lambda title: f"id: insights-{title}\ntype: Insight\ncreated_at: '{DATE}'\n"
        ),
        "mem0": saved(
            top / "mem0.json", {"results": [{"memory": text, "created_at": DATE} for text in notes.values()]}
        ),
        "chatgpt": saved(top / "conversations.json", [{"conversation_id": "c", "mapping": chat}]),
        "claude": saved(top / "memories.json", [{"account_uuid": "a", "project_memories": dict(notes)}]),
    }


def cpu(*command: str, cwd: Path, code: int = 0) -> tuple[float, str]:
    """Seconds of the processor that a command takes with all it starts, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == code, done.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def repository(place: Path) -> Path:
    place.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=place, check=True)
    return place


def of_git(notes: Path, place: Path) -> float:
    """Seconds for `git add` and `git commit` of the files that an import wrote."""
    shutil.copytree(notes, repository(place) / "notes")
    return cpu("git", "add", ".", cwd=place)[0] + cpu("git", "commit", "--quiet", "-m", "all", cwd=place)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=int, nargs="?", default=1000)
    count = parser.parse_args().notes
    for role in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{role}_NAME": "bench", f"GIT_{role}_EMAIL": "bench@example.org"}
    print(f"{'importer':15}{'in':>6}{'out':>6}{'told':>6}{'s':>8}{'git s':>8}{'ratio':>7}")
    with tempfile.TemporaryDirectory(prefix="bench-imports-") as folder:
        top = Path(folder)
        for name, given in sources(top, texts(count)).items():
            vault = repository(top / f"vault-{name}")
            cpu(MDMEM, "init", "--no-examples", cwd=vault)
            seconds, out = cpu(MDMEM, "import", name, str(given), "--json", cwd=vault)
            done = json.loads(out)
            git = of_git(vault / "allmemories", top / f"git-{name}")
            counts = f"{count:6}{len(done['notes']):6}{len(done['problems']):6}"
            print(f"{name:15}{counts}{seconds:8.2f}{git:8.2f}{seconds / git:7.1f}")


if __name__ == "__main__":
    main()

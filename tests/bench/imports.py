"""What importing costs, as ratios to `git add` and `git commit` of the same files in the same run.

    python -m tests.bench.imports [NOTES] [--only IMPORTER ...]

prints for each importer: notes in, notes out, what was told, processor time of `mdmem import` with what it starts,
its ratio to that of git, its peak memory, and the ratio of a second import of the same, which adds nothing. The
sources are made here, of words that repeat little.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.systems.membrane.made import made

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


def bold(title: str, text: str) -> str:
    """A note as the legacy protocol has it."""
    return f"# {title}\n\n**Created:** 2026-01-02\n**Category:** past\n**Tags:** a, b\n\n---\n\n{text}\n"


def legacy(folder: Path, notes: Mapping[str, str]) -> Path:
    (folder / "allmemories").mkdir(parents=True)
    for title, text in notes.items():
        (folder / "allmemories" / f"{title.replace(' ', '_')}.md").write_text(bold(title, text))
    return folder


def mirrored(notes: Path, folder: Path) -> Path:
    """The tree of RLM chunks of a folder of notes."""
    emptied(folder)
    cpu(MDMEM, "import", "markdown", str(notes), cwd=folder)
    cpu(MDMEM, "mirror", cwd=folder)
    return folder


def works(count: int, notes: Mapping[str, str], folder: Path) -> Path:
    """A database of RUM's works, one for each note."""
    emptied(folder)
    for number, (title, text) in enumerate(notes.items()):
        (folder / "allmemories" / f"{title.replace(' ', '_')}.md").write_text(
            f"---\nid: 019aa000-0000-7000-8000-{number:012}\ntype: work\nactor: bench\n---\n\n"
            f"## Intent\n\n- goal: {title}\n- task_type: refactor\n\n"
            f"## Outcome\n\n- success: true\n- summary: {text}\n"
        )
    cpu("git", "add", ".", cwd=folder)
    cpu("git", "commit", "--quiet", "-m", f"{count} works", cwd=folder)
    cpu(MDMEM, "export", "rum", "../works.sqlite", cwd=folder)
    return folder.with_name("works.sqlite")


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
        "agent-file": saved(top / "GEMINI.md", "".join(f"- {text}\n" for text in notes.values())),
        "legacy": legacy(top / "legacy", notes),
        "membrane": saved(top / "records.json", made(len(notes))),
        "rlm": mirrored(top / "markdown", top / "rlm"),
        "rum": works(len(notes), notes, top / "rum"),
    }


def run(*command: str, cwd: Path) -> tuple[float, float, str]:
    """Seconds of the processor that a command takes with all it starts, its peak memory (MB), what it prints."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(command, cwd=cwd, stdout=out, stderr=told)
        _, status, used = os.wait4(process.pid, 0)
        out.seek(0)
        told.seek(0)
        assert status == 0, told.read()
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out.read()


def cpu(*command: str, cwd: Path) -> float:
    return run(*command, cwd=cwd)[0]


def repository(place: Path) -> Path:
    place.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=place, check=True)
    return place


def emptied(place: Path) -> Path:
    """A new vault."""
    cpu(MDMEM, "init", "--no-examples", cwd=repository(place))
    return place


def of_git(notes: Path, place: Path) -> float:
    """Seconds for `git add` and `git commit` of the files that an import wrote."""
    shutil.copytree(notes, repository(place) / "notes")
    return cpu("git", "add", ".", cwd=place) + cpu("git", "commit", "--quiet", "-m", "all", cwd=place)


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=int, nargs="?", default=1000)
    parser.add_argument("--only", nargs="+", default=())
    options = parser.parse_args()
    for role in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{role}_NAME": "bench", f"GIT_{role}_EMAIL": "bench@example.org"}
    print(f"{'importer':15}{'in':>6}{'out':>6}{'told':>6}{'s':>8}{'git s':>8}{'ratio':>7}{'MB':>6}{'again':>7}")
    with tempfile.TemporaryDirectory(prefix="bench-imports-") as folder:
        top = Path(folder)
        for name, given in sources(top, texts(options.notes)).items():
            if options.only and name not in options.only:
                continue
            vault = emptied(top / f"vault-{name}")
            seconds, memory, out = run(MDMEM, "import", name, str(given), "--json", cwd=vault)
            done = json.loads(out)
            noted = next(name for name, value in done.items() if name != "problems" and isinstance(value, list))
            git = of_git(vault / "allmemories", top / f"git-{name}")
            again = cpu(MDMEM, "import", name, str(given), "--json", cwd=vault)
            counts = f"{options.notes:6}{len(done[noted]):6}{len(done['problems']):6}"
            times = f"{seconds:8.2f}{git:8.2f}{seconds / git:7.1f}{memory:6.0f}{again / git:7.1f}"
            print(f"{name:15}{counts}{times}", flush=True)


if __name__ == "__main__":
    main()

"""Recall from a team's index beside the index here: how long it takes, also with 16 clients, and how good it is.

    python -m tests.bench.team_recall VAULT [--seconds 15]
    python -m tests.bench.team_recall --quality [--shared ../shared]

VAULT is a vault in a git repository, such as a generated one; each question is three words of one of its notes.
The server is one of this machine that is started for it (`make postgres`). Clients are processes, each with a
connection of its own, and beside them as many with the vault open.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from mdmem.recall import ask
from mdmem.recall.ask import Answer, Query
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.team import published, roles
from mdmem.team.publish import PublishRequest, publish
from mdmem.team.server import DSN, Server
from tests.team.conftest import programs, running

NOW = datetime(2026, 11, 1, tzinfo=UTC)
QUESTIONS, CLIENTS = 100, 16
Asking = Callable[[str], Sequence[Answer]]


def questions_of(root: Path, count: int) -> list[str]:
    """Three words of each of some notes."""
    chance = random.Random(7)
    notes = chance.sample(sorted((root / "allmemories").rglob("*.md")), count)
    texts = [note.read_text().split("---", 2)[2] for note in notes]
    return [" ".join(chance.sample(sorted(set(re.findall("[a-z]{4,}", text))), 3)) for text in texts]


def filled(root: Path) -> None:
    """Have the vault be what the team's index holds."""
    with Server.open() as server, Vault.open(str(root)) as vault:
        roles.run(server, roles.initial(server))
        publish(vault, server, PublishRequest(), silent)
        server.run("VACUUM ANALYZE")


def seconds_of(asking: Asking, questions: Sequence[str]) -> list[float]:
    took = []
    for question in questions:
        start = time.perf_counter()
        asking(question)
        took.append(time.perf_counter() - start)
    return took


def here(vault: Vault, limit: int = 10) -> Asking:
    def asking(question: str) -> Sequence[Answer]:
        vault.look_again()
        return ask.ask(vault, Query((question,), limit=limit), NOW, counted=False)

    return asking


def there(server: Server, limit: int = 10) -> Asking:
    return lambda question: published.ask(server, Query((question,), limit=limit), NOW)


def client(root: str, is_here: bool, questions: list[str], seconds: float, number: int) -> list[float]:
    """The seconds that each question took that a client could ask in so long."""
    chance = random.Random(number)
    with Vault(root) as vault, Server.open() as server:
        asking = here(vault) if is_here else there(server)
        asking(questions[0])
        until = time.monotonic() + seconds
        took: list[float] = []
        while time.monotonic() < until:
            took += seconds_of(asking, [chance.choice(questions)])
    return took


def figures(took: Sequence[float]) -> str:
    ordered = sorted(took)
    half, most = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    return f"p50 {half * 1000:7.0f} ms   p95 {most * 1000:7.0f} ms"


def speed(root: Path, seconds: float) -> None:
    filled(root)
    questions = questions_of(root, QUESTIONS)
    with Vault(str(root)) as vault, Server.open() as server:
        sides = {"here": here(vault), "team": there(server)}
        took: dict[str, list[float]] = {
            name: seconds_of(asking, questions[:3])[:0] for name, asking in sides.items()
        }
        for question in questions:  # in turns, for others use the machine, too
            for name, asking in sides.items():
                took[name] += seconds_of(asking, [question])
        same = sum(
            [each.hit.record.path for each in sides["here"](question)]
            == [each.hit.record.path for each in sides["team"](question)]
            for question in questions
        )
    for name in sides:
        print(f"{name}, alone       {figures(took[name])}", flush=True)
    print(f"the same ten in the same order: {same} of {len(questions)}", flush=True)
    for name in sides:
        context = multiprocessing.get_context("spawn")
        with context.Pool(CLIENTS) as pool:
            work = [(str(root), name == "here", questions, seconds, number) for number in range(CLIENTS)]
            every = [each for own in pool.starmap(client, work) for each in own]
        print(f"{name}, {CLIENTS} clients  {figures(every)}   {len(every) / seconds:.1f} questions/s", flush=True)


def quality(shared: Path) -> None:
    """Both by the scorer of the shared folder."""
    with tempfile.TemporaryDirectory(prefix="mdmem-team-") as work:
        folder = Path(work)
        files = sorted((shared / "eval" / "locomo_dev").glob("*.json"))
        made = [sys.executable, shared / "eval" / "make_vault.py", *files, folder, "--unit", "observation"]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
        root = folder / "vault"
        for line in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "notes"]):
            subprocess.run(["git", *line], cwd=root, check=True)
        (root / "mdmem.toml").write_text('id = "locomo"\nmemories = "."\n')
        filled(root)
        cases = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
        with Vault(str(root)) as vault, Server.open() as server:
            for name, asking in (("here", here(vault, 20)), ("team", there(server, 20))):
                with (folder / f"{name}.jsonl").open("w") as run:
                    for case in cases:
                        ranked = [os.path.basename(each.hit.record.path) for each in asking(case["question"])]
                        run.write(json.dumps({"qid": case["qid"], "ranked": ranked}) + "\n")
        runs = [folder / "here.jsonl", folder / "team.jsonl"]
        subprocess.run([sys.executable, shared / "eval" / "score.py", folder / "queries.jsonl", *runs], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", type=Path, nargs="?")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--quality", action="store_true")
    parser.add_argument("--shared", default="../shared", type=Path)
    options = parser.parse_args()
    with running(programs()) as cluster:
        os.environ[DSN] = cluster.dsn("postgres")
        if options.quality:
            quality(options.shared.resolve())
        else:
            speed(options.vault.resolve(), options.seconds)


if __name__ == "__main__":
    main()

"""Ten years in the life of a vault, written by `git fast-import`: what `tests.bench.decade` measures.

    python -m tests.bench.years FOLDER [--commits 20000] [--seed 1]

People and agents write in sessions on two machines which merge every week: notes by month (six for ten commits),
revised, renamed, deleted, deprecated and succeeded. The vault is FOLDER/vault, FOLDER/hub.git what it syncs to.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

START, SPAN = datetime(2016, 1, 4, 8, tzinfo=UTC), timedelta(days=3650)
AGENTS, TYPES = ("claude-code", "codex", "gemini-cli"), ("fact", "preference", "decision", "pattern", "note")
SHARES = {"create": 65, "revise": 24, "rename": 5, "delete": 3, "deprecate": 3}  # of the commits
FILES = {"mdmem.toml": 'layout = "month"\n', ".gitignore": "/.mdmem/\n"}
Changes = Mapping[str, str | None]  # the new text of each path, None for a deletion


class Life:
    """The history of one vault, as a stream for `git fast-import`."""

    def __init__(self, seed: int, write: Callable[[bytes], object]) -> None:
        self.rng, self.write, self.marks = random.Random(seed), write, 0
        syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "ol")]
        self.words = ["".join(self.rng.choices(syllables, k=self.rng.randint(2, 4))) for _ in range(12_000)]
        self.alive: list[list[str]] = [[], []]  # paths, of each machine
        self.texts: dict[str, str] = {}
        self.session, self.actor = "", "Ada"
        self.tips = [self.commit("create: memory vault", START, FILES, ())] * 2

    def some(self, count: int, joint: str = " ") -> str:
        """So many words, a few of them often."""
        return joint.join(self.words[int(len(self.words) ** self.rng.random()) - 1] for _ in range(count))

    def path(self, folder: str) -> str:
        return f"{folder}/{self.some(4, '_')}_{self.marks}.md"

    def commit(self, said: str, when: datetime, changes: Changes, parents: Sequence[int]) -> int:
        """Write a commit; its mark."""
        self.marks += 1
        at = int(when.timestamp())
        lines = [f"commit refs/heads/main\nmark :{self.marks}\nauthor {self.actor} <a@example.org> {at} +0000\n"]
        lines += [f"committer Ada <ada@example.org> {at} +0000\ndata {len(said)}\n{said}\n"]
        lines += [f"{'merge' if number else 'from'} :{mark}\n" for number, mark in enumerate(parents)]
        for path, text in changes.items():
            data = "" if text is None else f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n"
            lines.append(data or f"D {path}\n")
        self.write("".join(lines).encode())
        return self.marks

    def note(self, when: datetime, others: Sequence[str]) -> str:
        head = f"id: {uuid.UUID(int=self.rng.getrandbits(128))}\ncreated: {when:%Y-%m-%dT%H:%M:%SZ}\n"
        head += (
            f"type: {self.rng.choice(TYPES)}\ntags: [{', '.join(self.rng.choices(self.words[100:400], k=2))}]\n"
        )
        head += f"project: {self.rng.choice(self.words[:20])}\n" if self.rng.random() < 0.4 else ""
        if others and self.rng.random() < 0.05:
            head += f'supersedes: ["[[{Path(self.rng.choice(others)).stem}]]"]\n'
        body = ". ".join(self.some(12) for _ in range(self.rng.randint(1, 8)))
        return f"---\n{head}---\n\n# {self.some(5)}\n\n{body}.\n"

    def step(self, when: datetime, machine: int) -> Changes:
        """One write: its changes, already committed."""
        own = self.alive[machine]
        action = self.rng.choices([*SHARES], [*SHARES.values()])[0] if own else "create"
        at = max(0, len(own) - 1 - int(self.rng.expovariate(1 / (len(own) / 5 + 1))))  # mostly what is new
        old = own.pop(at) if own and action != "create" else ""
        text = self.texts.pop(old, "") or self.note(when, own[-500:])
        path = self.path(os.path.dirname(old) or f"allmemories/{when:%Y/%m}") if action in "create rename" else old
        if action == "revise":
            text += f"{self.some(12)}.\n"
        elif action == "deprecate":
            text = text.replace("\ntype:", "\nstatus: deprecated\ntype:", 1)
        changes = {**({old: None} if old else {}), **({} if action == "delete" else {path: text})}
        if action != "delete":
            own.insert(at if old else len(own), path)
            self.texts[path] = text
        if not self.session or self.rng.random() < 0.1:  # sessions of ten writes
            self.session, self.actor = f"conv-{self.marks}", self.rng.choice((*AGENTS, "Ada", "Grace"))
        told = f"{action}: {Path(path).stem}\n\nMemory-Action: {action}\nMemory-Id: {text[8:44]}\n"
        told += f"Memory-Actor: {self.actor}\nMemory-Session: {self.session}\n"
        message = told if self.actor in AGENTS or self.rng.random() < 0.5 else "notes"  # of an editor
        self.tips[machine] = self.commit(message, when, changes, self.tips[machine : machine + 1])
        return changes

    def lived(self, commits: int) -> None:
        """All ten years, with a merge at the end of each week."""
        of_second: dict[str, str | None] = {}
        for number in range(commits):
            when, machine = START + SPAN * number / commits, int(self.rng.random() < 0.3)
            changes = self.step(when, machine)
            of_second |= changes if machine else {}
            if number % max(7, commits // 520) == 0 or number == commits - 1:
                self.tips = [self.commit("Merge branch 'main' of the hub", when, of_second, self.tips)] * 2
                of_second = {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--commits", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    vault, hub = chosen.folder / "vault", chosen.folder / "hub.git"
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", vault], check=True)
    with subprocess.Popen(["git", "fast-import", "--quiet"], cwd=vault, stdin=subprocess.PIPE) as stream:
        assert stream.stdin
        Life(chosen.seed, stream.stdin.write).lived(chosen.commits)
    subprocess.run(["git", "reset", "--hard", "--quiet"], cwd=vault, check=True)
    subprocess.run(["git", "clone", "--quiet", "--bare", vault, hub], check=True)
    subprocess.run(["git", "remote", "add", "origin", hub], cwd=vault, check=True)


if __name__ == "__main__":
    main()
